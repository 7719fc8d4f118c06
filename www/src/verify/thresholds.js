/**
 * Which constant of src/scatter/gpu/strategy.rs a ladder of sizes is about: where x is larger the way `above` is to be taken, where it is
 * smaller the way `below`, and where they are equal `below` for 'small' and 'repeat', else `above`. tools/adapters.mjs reads this too.
 */
export const thresholds = {
  small: { threshold: 'SMALL_WORK', below: 'small', above: 'run-per-thread' },
  columns: { threshold: 'COLUMNS', below: 'run-per-thread', above: 'columns' },
  rows: { threshold: 'ROW_ENTRIES', below: 'run-per-thread', above: 'row-per-group' },
  repeat: { threshold: 'REPEAT_ROWS', below: 'count-then-repeat', above: 'run-per-thread' },
};
