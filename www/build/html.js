const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as HTML, for elements and for attributes in double quotes. */
export const escape = (text) => text.replace(/[&<>"]/g, (character) => entities[character]);

/** Words with `code` between backticks, as HTML. */
export const prose = (text) =>
  text
    .split('`')
    .map((part, at) => (at % 2 ? `<code>${escape(part)}</code>` : escape(part)))
    .join('');

/** The attribute of a part of a page that is in another language than the page; nothing without one. */
export const langOf = (lang) => (lang ? ` lang="${lang}"` : '');
