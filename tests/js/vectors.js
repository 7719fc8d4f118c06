// What the vectors call an operator: tests/vectors/README.md.

import { FUNCTIONS } from '../../src/js/arguments/operators.js';

/** The operators that have another name in the vectors than here. */
const others = { scatter_add_axis: 'Tensor.scatter_add', scatter_add_nd: 'Tensor.scatter_add' };

/** The name with which errors of an operator begin, by its name in the vectors; there, functions that a method shares its name with begin with `ops_`. */
export function operatorOf(name) {
  if (name.startsWith('ops_')) return name.slice('ops_'.length);
  if (name.endsWith('_sync')) return name; // the form of a function that needs no wait
  return others[name] ?? (name in FUNCTIONS ? name : `Tensor.${name}`);
}
