// Random numbers from a fixed seed, the same in every page.

/** A function that returns the next random number in [0, 1): mulberry32. */
export function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * A function that returns the next of `count` places by Zipf's law: a rank has a uniform logarithm. The factor, a prime, keeps frequent
 * places from being neighbours.
 */
export const zipf = (random, count) => () => ((Math.floor(Math.exp(random() * Math.log(count + 1))) - 1) * 7919) % count;
