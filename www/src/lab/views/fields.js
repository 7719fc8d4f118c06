/** Says of a field whether its text is refused. To a reader of the page an empty `aria-invalid` says no: it needs its word. */
export function markField(field, isRefused) {
  if (isRefused) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}

/** Gives fields whose text was refused the text of the call again, which is their default value. */
export function restoreFields(place) {
  for (const field of place.querySelectorAll('[aria-invalid]')) {
    field.value = field.defaultValue;
    markField(field, false);
  }
}
