// Bins by scatterwise: the codes are counted and checked once, then each statistic is one call.

import { group_by, scope, Tensor } from 'scatterwise/deckgl';

export class Bins {
  #groups;
  #used;

  /** `codes` has a number from 0 to `size` - 1 for each point, -1 for none. */
  constructor(codes, size) {
    this.#groups = group_by(codes, size, { ignore_index: -1 });
    const counts = this.#groups.counts.data_sync();
    let count = 0;
    const used = new Int32Array(size);
    for (let code = 0; code < size; code++) if (counts[code] > 0) used[count++] = code;
    /** The codes that some point has, ascending, and how many points each has. */
    this.codes = used.slice(0, count);
    this.counts = this.codes.map((code) => counts[code]);
    this.#used = new Tensor(this.codes);
  }

  get count() {
    return this.codes.length;
  }

  /** One float32 number for each bin. Sums are exact and rounded once. NaN are skipped, except by the count of points. */
  reduce(values, how) {
    if (how === 'count') return Float32Array.from(this.counts);
    return scope(() => this.#groups.reduce(values, how, { skip_nan: true }).index_select(0, this.#used).astype('float32').data_sync());
  }

  /** The points of a bin, ascending. */
  members(bin) {
    return Array.from(this.#groups.members_sync(this.codes[bin]));
  }

  dispose() {
    this.#groups.dispose();
    this.#used.dispose();
  }
}
