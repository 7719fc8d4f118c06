/** The list of a demo's numbers: each has its words, and a place with the same name for its script to fill. */
export const facts = (t, demo, names) =>
  names.map((name) => `<div><dt>${t(`${demo}.${name}`)}</dt><dd id="${demo}-${name}">…</dd></div>`).join('\n              ');
