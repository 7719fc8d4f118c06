/** Says of a field whether its text is refused. To a reader of the page an empty `aria-invalid` says no: it needs its word. */
export function markField(field, isRefused) {
  if (isRefused) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}
