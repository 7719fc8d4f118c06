/**
 * Which constant of src/backend/gpu/strategy.rs a ladder of sizes is about: from its x on the way `above` is to be taken, before it
 * the way `below`. tools/adapters.mjs reads this too.
 */
export const thresholds = {
  small: { threshold: 'SMALL_WORK', below: 'small', above: 'run-per-thread' },
  columns: { threshold: 'COLUMNS', below: 'run-per-thread', above: 'columns' },
  rows: { threshold: 'ROW_ENTRIES', below: 'run-per-thread', above: 'row-per-group' },
  repeat: { threshold: 'REPEAT_ROWS', below: 'count-then-repeat', above: 'run-per-thread' },
};
