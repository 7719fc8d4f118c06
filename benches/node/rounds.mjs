// Times two ways of doing the same: rounds are interleaved, so that what disturbs one disturbs both.

/** The milliseconds of one call. */
export const time = (run) => {
  const start = performance.now();
  run();
  return performance.now() - start;
};
/** Sorts the list in place. */
const median = (list) => list.sort((one, two) => one - two)[list.length >> 1];

/**
 * The medians of both in milliseconds, and the median of the rounds' own ratios, `ours` by `theirs`. There are at least `least` rounds,
 * and more until `ms` milliseconds are over.
 */
export function compare(ours, theirs, { warmUp = 5, least = 15, ms = 1000 } = {}) {
  for (let i = 0; i < warmUp; i++) [ours(), theirs()];
  const rounds = [];
  const until = performance.now() + ms;
  while (rounds.length < least || performance.now() < until) rounds.push([time(ours), time(theirs)]);
  return { ours: median(rounds.map(([one]) => one)), theirs: median(rounds.map(([, two]) => two)), ratio: median(rounds.map(([one, two]) => one / two)) };
}
