// Calls of group_by as tests/vectors/groups.json records them, for the tests in Node and in the page.

import { GROUP_STATISTICS } from '../../src/js/engine/wire.js';
import { typed } from './calls/elements.js';
import { bytesOf } from '../vectors/package/values.js';

/** The value that a row means: a tensor, a number, or whatever else it has. */
function valueOf({ Tensor }, value) {
  if (value?.dtype) return new Tensor(typed(value.dtype, bytesOf(value)), { dtype: value.dtype, shape: value.shape });
  if (!value?.scalar) return value;
  if (value.scalar === 'int') return typeof value.value === 'string' ? BigInt(value.value) : value.value;
  return Number(value.value);
}

/** Whether the library has the statistics that a row asks for. */
export const isKnown = ({ args, expect }) => Boolean(expect.accept) || [args.how ?? []].flat().every((word) => GROUP_STATISTICS.includes(word));

/** Makes the call of a row. Returns its results by their names; one alone has the name ''. */
export function grouped(library, { self, args, kwargs }) {
  const of = (value) => valueOf(library, value);
  const { ignore_index, mask, ...options } = Object.fromEntries(Object.entries(kwargs).map(([name, value]) => [name, of(value)]));
  const groups = library.group_by(of(self), of(args.size), { ignore_index, mask });
  const values = 'values' in args ? of(args.values) : undefined;
  switch (args.result) {
    case 'layout':
      return { counts: groups.counts, offsets: groups.offsets, order: groups.order, cumcount: groups.cumcount() };
    case 'count':
      return { '': groups.reduce('count') };
    case 'members':
      return { '': new library.Tensor(groups.members_sync(of(args.group))) };
    case 'reduce':
      return { '': groups.reduce(values, args.how, options) };
    case 'agg':
      return groups.agg(values, args.how, options);
    case 'quantile':
      return { '': groups.quantile(values, of(args.q), options) };
    case 'cumcount':
      return { '': groups.cumcount() };
    default:
      return { '': groups[args.result] };
  }
}

/** What a row expects of each result, by the names of `grouped`: a list of the tensors that pass. */
export function expectedOf({ expect, also_accept = [] }) {
  const names = expect.outputs ? Object.keys(expect.outputs) : [''];
  const pick = (one, name) => (name === '' ? one : one.outputs[name]);
  return Object.fromEntries(names.map((name) => [name, [expect, ...also_accept].map((one) => pick(one, name))]));
}
