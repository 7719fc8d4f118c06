// Random numbers that are the same in every run: call `n` of a seed can be drawn alone.

/** Mulberry32 (Tommy Ettinger 2017), started by a seed and the number `n` of the call. */
export class Numbers {
  constructor(seed, n = 0) {
    // Two odd numbers that spread a small seed, and a small n, over the 32 bits.
    this.state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(n + 1, 0x85ebca6b)) | 0;
    // Discard some numbers, so that neighbouring calls begin differently.
    for (let warm = 0; warm < 3; warm++) this.next();
  }
  /** An integer of 32 bits, without a sign. */
  next() {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let z = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return (z ^ (z >>> 14)) >>> 0;
  }
  /** An integer from 0 to `bound` - 1. `bound` is not 0. */
  below(bound) {
    return this.next() % bound;
  }
  /** True with a probability of one in `times`. */
  once(times) {
    return this.below(times) === 0;
  }
  pick(list) {
    return list[this.below(list.length)];
  }
}
