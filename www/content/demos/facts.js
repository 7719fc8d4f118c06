/** The list of a demo's numbers: each has its words, under `<demo>.<name>`, and the place `#<demo>-<name>`, which the demo's script fills. */
export const facts = (t, demo, names) =>
  names.map((name) => `<div><dt>${t(`${demo}.${name}`)}</dt><dd id="${demo}-${name}">…</dd></div>`).join('\n              ');
