import { Tensor } from 'scatterwise';
import { writesByPlace } from '../lab/history.js';
import { signOf } from '../lab/forms.js';
import { coordinates, offsetOf } from '../shared/picture.js';
import { traceLibrary } from './calls.js';

const MOST_PLACES = 6; // of those that several writes meet in: more columns do not fit

/**
 * What other orders of the same writes would give: a simulation of threads that race. The writes are those of the trace. Each
 * order is one call of the library along a flat copy of self, with the entries of the index and the source shuffled alike, so
 * that its own arithmetic makes every result.
 * @param {{ model: import('../lab/code.js').Model, rounds: number, seed: number }} question
 * @typedef {{ values: (number | bigint | boolean)[], count: number, order: number[] }} Outcome one result, and the first order that gave it
 * @typedef {{ places: number[][], rounds: number, outcomes: Outcome[], own: Outcome[], lost: Outcome['values'] | null }} Race
 *   `places` are the first that several writes meet in, whose values make a result; `own` is what the order of the index gave in as many
 *   rounds; `lost` what is left where all threads read before one writes, null for a replacement, before which nothing is read
 * @returns {Promise<Race | null>} null where no two writes meet, and where the call is refused
 */
export async function race({ model, rounds, seed }) {
  const { steps, result } = await traceLibrary(model);
  if (!result) return null;
  const met = [...writesByPlace(steps, result.shape)].filter(([, writes]) => writes.length > 1).slice(0, MOST_PLACES);
  if (met.length === 0) return null;
  const contested = met.map(([place]) => place);
  const run = flatCall(model, steps, result);
  const straight = steps.map(({ k }) => k);
  const random = randomFrom(seed);
  const lost = await run.readFirst?.(); // undefined for a replacement
  return {
    places: contested.map((place) => coordinates(place, result.shape)),
    rounds,
    outcomes: await tally(rounds, () => shuffled(straight, random), run.inOrder, contested),
    own: await tally(rounds, () => straight, run.inOrder, contested),
    lost: lost ? contested.map((place) => lost[place]) : null,
  };
}

/**
 * The call along a flat copy of self. `inOrder` makes it with its writes in any order, given by their numbers; `readFirst` as if all threads
 * read before one writes, and is null where the call replaces. Both resolve to all values of self afterwards.
 */
function flatCall(model, steps, { shape, dtype }) {
  const sign = signOf(model);
  const reduce = { '+': 'add', '×': 'multiply', '÷': 'div', max: 'amax', min: 'amin' }[sign];
  const options = reduce ? { reduce, ...(model.sum && { sum: model.sum }) } : {};
  const tuplesOf = (list) => list.map((place) => [place]);
  const places = steps.map(({ destination }) => offsetOf(destination, shape));
  // `before` of the first write of a place is what self has there. Outside the places written, self may hold anything. It is at
  // least as long as the index, which may not be longer than self.
  const blank = { bigint: 0n, boolean: false }[typeof steps[0].operand] ?? 0;
  const start = Array(Math.max(shape.reduce((product, size) => product * size, 1), steps.length)).fill(blank);
  for (const { k, before } of steps.toReversed()) start[places[k]] = before;
  const make = (values) => new Tensor(values, { dtype, device: 'cpu' });
  const operands = (order) => make(order.map((k) => steps[k].operand));
  /** The values of the first of these tensors; all of them are disposed of. */
  const read = async (...tensors) => {
    const values = await tensors[0].tolist();
    for (const tensor of tensors) tensor.dispose();
    return values;
  };
  const inOrder = (order) => {
    const [self, src] = [make(start), operands(order)];
    self.scatter_nd_(tuplesOf(order.map((k) => places[k])), src, options);
    return read(self, src);
  };
  /** Each thread reads, computes and writes back, and all of them read first. */
  const readFirst = () => {
    const straight = steps.map(({ k }) => k);
    const [self, src] = [make(start), operands(straight)];
    const seen = self.gather(0, places);
    const computed = seen.scatter_nd_(tuplesOf(straight), src, options);
    self.scatter_(0, places, computed);
    return read(self, src, seen);
  };
  return { inOrder, readFirst: reduce ? readFirst : null };
}

/**
 * The different results of `rounds` orders, the most frequent first.
 * @param {number} rounds @param {() => number[]} nextOrder @param {(order: number[]) => Promise<Outcome['values']>} run gives all values of self
 * @param {number[]} contested the places whose values make a result @returns {Promise<Outcome[]>}
 */
async function tally(rounds, nextOrder, run, contested) {
  const found = new Map();
  for (let round = 0; round < rounds; round += 1) {
    const order = nextOrder();
    const all = await run(order);
    const values = contested.map((place) => all[place]);
    const key = values.map((value) => (Object.is(value, -0) ? '-0' : String(value))).join();
    if (!found.has(key)) found.set(key, { values, count: 0, order });
    found.get(key).count += 1;
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

/** The list in an order that is as likely as any other. @param {() => number} random gives numbers in [0, 1) */
function shuffled(list, random) {
  const order = [...list];
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}

/** A generator of numbers in [0, 1), the same for each seed: mulberry32, whose constants these are. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
