// Eight whole programs, each by the library, as its documents teach to write it, and as a plain loop. A test runs them at a small size.

import * as chunks from './chunks.js';
import * as density from './density.js';
import * as embedding from './embedding.js';
import * as filter from './filter.js';
import * as graph from './graph.js';
import * as groups from './groups.js';
import * as particles from './particles.js';
import * as picture from './picture.js';

export const programs = { groups, density, picture, graph, embedding, particles, filter, chunks };

/** What differs between the results of the library and those of the plain loop, as texts: more than the program's bounds allow. */
export function differences({ bounds }, found, wanted) {
  const texts = [];
  for (const [name, list] of Object.entries(wanted)) {
    const bound = bounds[name] ?? { absolute: 0 };
    const { absolute, relative } = typeof bound === 'number' ? { absolute: 0, relative: bound } : { relative: 0, ...bound };
    if (found[name].length !== list.length) texts.push(`${name} has ${found[name].length} elements, not ${list.length}`);
    const at = list.findIndex((value, k) => !(Math.abs(found[name][k] - value) <= absolute + relative * Math.abs(value)));
    if (at >= 0) texts.push(`${name}[${at}] is ${found[name][at]}, not ${list[at]}`);
  }
  return texts;
}
