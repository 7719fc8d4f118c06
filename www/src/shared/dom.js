/**
 * Makes an element: `h('p', { class: 'note', onclick }, 'text', child)`. Properties that start with `on` become
 * listeners, the others attributes; `false`, `null` and `undefined` leave an attribute or a child out.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string | number | false | null | undefined)} children
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value !== false && value != null) element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== false && child != null));
  return element;
}

/** Words with `code` between backticks, as children for `h`. */
export function prose(text) {
  return text.split('`').map((part, i) => (i % 2 ? h('code', {}, part) : part));
}

/** Saves text as a file. */
export function save(name, text, type) {
  const link = h('a', { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000); // at once would end the download in some browsers
}

/** The element with this id; the page is static, so a missing one is a mistake in it. */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}
