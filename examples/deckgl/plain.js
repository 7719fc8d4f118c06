// The same bins without a library: the twin that groups.js is measured beside. As there, NaN are skipped, except by the count of points.

const sum = (values) => values.reduce((a, b) => a + b, 0);
/** Statistics of the values of a bin, which are in ascending order. */
const ofSorted = {
  median: (values) => (values[(values.length - 1) >> 1] + values[values.length >> 1]) / 2,
  std(values) {
    if (values.length < 2) return NaN;
    const mean = sum(values) / values.length;
    return Math.sqrt(sum(Float64Array.from(values, (value) => (value - mean) ** 2)) / (values.length - 1));
  },
  mode(values) {
    let [best, most] = [NaN, 0];
    for (let from = 0, to = 0; from < values.length; from = to) {
      while (to < values.length && values[to] === values[from]) to++;
      if (to - from > most) [best, most] = [values[from], to - from];
    }
    return best;
  },
  nunique: (values) => values.filter((value, i) => value !== values[i - 1]).length,
};

export class PlainBins {
  #offsets;
  #order;
  #codes;
  #points;

  constructor(codes, size) {
    const counts = new Int32Array(size + 1);
    for (let i = 0; i < codes.length; i++) if (codes[i] >= 0) counts[codes[i]]++;
    let count = 0;
    for (let code = 0; code < size; code++) if (counts[code] > 0) count++;
    /** The codes that some point has, ascending, and how many points each has. */
    this.codes = new Int32Array(count);
    this.counts = new Int32Array(count);
    this.#offsets = new Int32Array(count + 1);
    const bins = new Int32Array(size);
    for (let code = 0, bin = 0; code < size; code++) {
      if (counts[code] === 0) continue;
      this.codes[bin] = code;
      this.counts[bin] = counts[code];
      this.#offsets[bin + 1] = this.#offsets[bin] + counts[code];
      bins[code] = bin++;
    }
    this.#points = codes.length;
    this.#codes = codes.map((code) => (code < 0 ? -1 : bins[code]));
  }

  get count() {
    return this.codes.length;
  }

  /** The points of bin 0, of bin 1, …, each ascending. */
  get #sorted() {
    if (this.#order) return this.#order;
    const next = this.#offsets.slice();
    this.#order = new Int32Array(this.#offsets[this.count]);
    for (let i = 0; i < this.#points; i++) if (this.#codes[i] >= 0) this.#order[next[this.#codes[i]]++] = i;
    return this.#order;
  }

  reduce(values, how) {
    if (how === 'count') return Float32Array.from(this.counts);
    if (how === 'min' || how === 'max') return this.#extremes(values, how === 'min' ? 1 : -1);
    if (Object.hasOwn(ofSorted, how)) return Float32Array.from({ length: this.count }, (_, bin) => ofSorted[how](this.#valuesOf(bin, values)));
    const { sums, counts } = this.#sums(values);
    return Float32Array.from(sums, how === 'sum' ? undefined : (sum, bin) => sum / counts[bin]);
  }

  #sums(values) {
    const sums = new Float64Array(this.count);
    const counts = new Int32Array(this.count);
    const codes = this.#codes;
    for (let i = 0; i < codes.length; i++) {
      const value = values[i];
      if (codes[i] < 0 || value !== value) continue;
      sums[codes[i]] += value;
      counts[codes[i]]++;
    }
    return { sums, counts };
  }

  /** The least for a sign of 1, the greatest for -1. */
  #extremes(values, sign) {
    const best = new Float32Array(this.count).fill(NaN);
    const codes = this.#codes;
    for (let i = 0; i < codes.length; i++) {
      const value = values[i];
      const bin = codes[i];
      if (bin >= 0 && value === value && !(sign * best[bin] <= sign * value)) best[bin] = value;
    }
    return best;
  }

  /** The values of a bin in ascending order. */
  #valuesOf(bin, values) {
    const rows = this.#sorted.subarray(this.#offsets[bin], this.#offsets[bin + 1]);
    return Float32Array.from(rows, (row) => values[row]).filter((value) => !Number.isNaN(value)).sort();
  }

  members(bin) {
    return Array.from(this.#sorted.subarray(this.#offsets[bin], this.#offsets[bin + 1]));
  }

  dispose() {}
}
