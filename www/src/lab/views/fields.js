/** Marks a field whose text is refused, or takes the mark away. A screen reader takes an empty `aria-invalid` for a no, so the value is written. */
export function markField(field, isRefused) {
  if (isRefused) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}

/** Gives the fields in `place` whose text was refused the text of the call again, which is their default value. */
export function restoreFields(place) {
  for (const field of place.querySelectorAll('[aria-invalid]')) {
    field.value = field.defaultValue;
    markField(field, false);
  }
}
