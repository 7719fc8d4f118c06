// The modes of a workload of groups.js, for any library, and what libraries lack.

/** What a library lacks that has nothing for a workload of groups.js. */
export const lacks = ({ op }) => ({
  search: 'no searchsorted', unique: 'no unique', binned: 'no histogram', 'bincount-mask': 'no bincount', ignore: 'no value that an index leaves out',
})[op] ?? 'no softmax, maximum or position within groups';

/**
 * - `make()` returns the operands by their names; `free(list)` disposes of operands and results.
 * - `run(operands)` returns the list of results, or a promise of it; `read(result)` the array of one, or a promise of it.
 * - `settle()`, where there is one, resolves when a GPU is done.
 * - `others`: other ways to compute the same by their names, each { run, limit }. They take turns with *resident*. One with `limit` computes something
 *   else, to compare with, and is not checked.
 */
export function groupModes({ make, run, read, free, settle, others = {}, note }) {
  const held = make();
  const then = (value, next) => (value instanceof Promise ? value.then(next) : next(value));
  const values = (results) => {
    const arrays = results.map(read);
    return arrays.some((array) => array instanceof Promise) ? Promise.all(arrays) : arrays;
  };
  const mode = ({ run, limit }) => ({
    limit, settle,
    run: () => then(run(held), free),
    result: () => then(run(held), (results) => then(values(results), (arrays) => (free(results), arrays))),
  });
  /** From arrays to arrays. */
  const whole = () => {
    const operands = make();
    return then(run(operands), (results) => then(values(results), (arrays) => (free([...Object.values(operands), ...results]), arrays)));
  };
  const modes = { resident: mode({ run }) };
  for (const [name, other] of Object.entries(others)) modes[`resident: ${name}`] = mode(other);
  modes['end to end'] = { run: whole, result: whole };
  return { note, modes, dispose: () => free(Object.values(held)) };
}
