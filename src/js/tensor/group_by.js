// The function group_by and the class Groups: rows by key, and the statistics of groups. types.d.ts describes each public method.
//
// Errors begin with `op`, the name of the function. "Within a call" means between `enter` and `leave` of engine.js.

import * as gpu from '#gpu';
import * as rust from '#glue';
import { dtypeNumber, flag, integer, numeric, readOptions, refuseOptions, word as oneOf } from '../arguments/arguments.js';
import { dtypeOf, ignoring, operandHandle, OWN_DTYPE, readOperand, scalar, targetOf, truthHandle, Values } from '../arguments/operands.js';
import { readIgnored } from '../arguments/readers.js';
import { add, begin, call, DTYPE_OF, fail, invoke, made, requireStart, setInteger, temporary, view, word } from '../engine/engine.js';
import { failure, readable, ValueError, wrongKind } from '../engine/errors.js';
import { disposeOf, GROUPS, handle, hold, isDisposed, isTensor, key, kindOf, own, Resource } from '../engine/handles.js';
import { ADDRESS, DEVICE, DEVICES, GROUP_STATISTICS, IGNORED_LOW, IGNORES, INDEX, LENGTH, NO_SCALAR, RUN, UPDATES, VJP } from '../engine/wire.js';
import { defaultDevice } from '../start/session.js';
import { results } from './own.js';
import { tensorOf } from './tensor.js';

/** As the constructor's first argument: the second one is `{ handle, size, rows, device }`. */
const FROM_PARTS = {};
/** The parts that `groups_part` returns. */
const [COUNTS, OFFSETS, ORDER, CUMCOUNT] = [0, 1, 2, 3];

export function group_by(codes, size, options) {
  const op = 'group_by';
  requireStart(op);
  const read = readOperand(op, 'codes', codes);
  const count = integer(op, 'size', size);
  if (count < 0) throw failure(ValueError, 'invalid-argument', op, `size is ${count}; it must not be negative`, { argument: 'size', value: count });
  const { ignore_index, mask } = readOptions(op, options, ['ignore_index', 'mask']);
  const { index: kept, ignored } = ignore_index === undefined ? { index: read } : ignoring(read, readIgnored(op, ignore_index));
  const masked = mask === undefined ? undefined : readOperand(op, 'mask', mask);
  // Plain codes and a plain mask go to the device of the other one if that is a tensor, else to the default device, as what a constructor makes.
  const device = [codes, mask].find((each) => isTensor(each))?.device ?? defaultDevice();
  const onDevice = (operand, made) => (device === 'webgpu' && operand instanceof Values ? temporary(gpu.upload(op, made)) : made);
  const parts = call(op, () => {
    const tensor = onDevice(kept, operandHandle(op, 'codes', kept, targetOf(kept, INDEX)));
    const ofMask = masked === undefined ? 0 : onDevice(masked, truthHandle(op, 'mask', masked));
    // Of uint64 Rust takes the bits.
    const isUnsigned = kept instanceof Values && kept.isTyped && kept.own === DTYPE_OF.uint64;
    const ignores = ignored !== undefined && !(isUnsigned && ignored < 0n);
    begin();
    add(tensor);
    add(count);
    add(ignores ? IGNORES : 0);
    add(ofMask);
    if (ignores) setInteger(ignored, IGNORED_LOW);
    const newHandle = made(op, invoke(op, RUN));
    return { handle: newHandle, size: count, rows: word(UPDATES), device: DEVICES[word(DEVICE)] };
  });
  return new Groups(FROM_PARTS, parts);
}

/** The class gets its name from the property, which a minifier does not rename: see errors.js. */
export const { Groups } = {
  Groups: class extends Resource {
    #facts;
    /** The parts that the caller has asked for. */
    #parts = [];

    /** For this module alone: `new Groups(FROM_PARTS, parts)`. Callers make groups by `group_by`. */
    constructor(given, parts) {
      if (given !== FROM_PARTS) throw failure(TypeError, 'invalid-argument', 'Groups', 'groups are made by group_by(codes, size)');
      super(key, GROUPS);
      hold(this, GROUPS, parts.handle);
      this.#facts = parts;
    }

    get size() {
      checkOwn('Groups.size', this);
      return this.#facts.size;
    }

    get rows() {
      checkOwn('Groups.rows', this);
      return this.#facts.rows;
    }

    get device() {
      checkOwn('Groups.device', this);
      return this.#facts.device;
    }

    get counts() {
      checkOwn('Groups.counts', this);
      return this.#part('Groups.counts', COUNTS);
    }

    get offsets() {
      checkOwn('Groups.offsets', this);
      return this.#part('Groups.offsets', OFFSETS);
    }

    get order() {
      checkOwn('Groups.order', this);
      return this.#part('Groups.order', ORDER);
    }

    members_sync(group, options) {
      const op = 'Groups.members_sync';
      const number = integer(op, 'group', group);
      refuseOptions(op, options);
      return call(op, () => {
        if (!rust.groups_members(handle(op, 'this', this, GROUPS), number)) fail(op);
        const start = word(ADDRESS) / 4;
        return view(DTYPE_OF.int32).slice(start, start + word(LENGTH) / 4);
      });
    }

    reduce(values, how, options) {
      const op = 'Groups.reduce';
      checkOwn(op, this);
      if (values === 'count' && how === undefined) return tensorOf(call(op, () => part(op, this, COUNTS)));
      return statisticsOf(op, this, values, [statistic(op, how)], options)[0];
    }

    agg(values, how, options) {
      const op = 'Groups.agg';
      checkOwn(op, this);
      const wanted = readable(op, 'how', () => {
        if (!Array.isArray(how)) throw wrongKind(op, 'how', 'an array of names of statistics', how);
        return Array.from(how, (word) => statistic(op, word));
      });
      const numbers = [...new Set(wanted)];
      const made = statisticsOf(op, this, values, numbers, options);
      return Object.fromEntries(numbers.map((number, at) => [GROUP_STATISTICS[number], made[at]]));
    }

    quantile(values, q, options) {
      const op = 'Groups.quantile';
      checkOwn(op, this);
      const read = readOperand(op, 'values', values);
      const isOne = typeof q === 'number';
      const list = readable(op, 'q', () => {
        const all = Array.isArray(q) ? Array.from(q) : [q];
        const odd = all.findIndex((each) => typeof each !== 'number');
        if (odd !== -1) throw wrongKind(op, 'q', 'a number, or an array of numbers', all[odd]);
        return Float64Array.from(all);
      });
      const { skip_nan = false } = readOptions(op, options, ['skip_nan']);
      flag(op, 'skip_nan', skip_nan);
      const all = readOperand(op, 'q', list);
      return tensorOf(
        call(op, () => {
          const groups = handle(op, 'this', this, GROUPS);
          const tensor = operandHandle(op, 'values', read, OWN_DTYPE);
          const ofAll = operandHandle(op, 'q', all, OWN_DTYPE);
          begin();
          add(groups);
          add(tensor);
          add(skip_nan);
          add(isOne);
          add(ofAll);
          return made(op, invoke(op, RUN));
        }),
      );
    }

    cumcount(options) {
      const op = 'Groups.cumcount';
      refuseOptions(op, options);
      return tensorOf(call(op, () => part(op, this, CUMCOUNT)));
    }

    dispose(options) {
      const op = 'Groups.dispose';
      refuseOptions(op, options);
      disposeOf(op, this, GROUPS);
    }

    get [Symbol.toStringTag]() {
      return 'Groups';
    }

    toString() {
      return textOf(this);
    }

    [Symbol.for('nodejs.util.inspect.custom')]() {
      return textOf(this);
    }

    /** A tensor that belongs to the groups: the same one each time. */
    #part(op, number) {
      const known = this.#parts[number];
      if (known !== undefined && !isDisposed(known)) return known;
      const tensor = tensorOf(call(op, () => part(op, this, number)));
      own(this, tensor);
      this.#parts[number] = tensor;
      return tensor;
    }
  },
};

if (Symbol.dispose) Groups.prototype[Symbol.dispose] = Groups.prototype.dispose;

/** Throws if a method was called without its groups, or on disposed groups. */
const checkOwn = (op, groups) => void handle(op, 'this', groups, GROUPS);

/** The handle of a part of groups, within a call. */
const part = (op, groups, number) => made(op, rust.groups_part(handle(op, 'this', groups, GROUPS), number));

/** The number of a statistic by its name. */
const statistic = (op, how) => GROUP_STATISTICS.indexOf(oneOf(op, 'how', how, 'the name of a statistic', GROUP_STATISTICS, 'unknown-reduce'));

/** The gradient of a statistic with respect to the values, for vjp. */
export function gradientOf(cotangent, values, [groups, how, options, ...surplus]) {
  const op = 'Groups.reduce';
  refuseOptions(op, surplus[0]);
  handle('vjp', 'groups', groups, GROUPS);
  return statisticsOf(op, groups, values, [statistic(op, how)], options, cotangent)[0];
}

const statisticOptions = ['skip_nan', 'ddof', 'empty', 'dtype'];

/** The statistics of these numbers, as tensors. With a cotangent, an operand that was read, the gradient of the only one. */
function statisticsOf(op, groups, values, numbers, options, cotangent) {
  const read = readOperand(op, 'values', values);
  const { skip_nan = false, ddof = 1, empty, dtype } = readOptions(op, options, statisticOptions);
  flag(op, 'skip_nan', skip_nan);
  integer(op, 'ddof', ddof);
  if (empty !== undefined) numeric(op, 'empty', empty);
  const wanted = dtype === undefined ? OWN_DTYPE : dtypeNumber(op, dtype);
  return call(op, () => {
    const own = handle(op, 'this', groups, GROUPS);
    const tensor = operandHandle(op, 'values', read, OWN_DTYPE);
    const [kind, number] = empty === undefined ? [NO_SCALAR, 0] : scalar(op, 'empty', empty, wanted === OWN_DTYPE ? dtypeOf(tensor) : wanted);
    begin();
    add(own);
    add(tensor);
    add(numbers.length);
    numbers.forEach(add);
    add(skip_nan);
    add(kind);
    add(number);
    add(wanted);
    add(ddof);
    if (cotangent !== undefined) {
      const of = wanted === OWN_DTYPE ? dtypeOf(tensor) : wanted;
      add(operandHandle('vjp', 'cotangent', cotangent, targetOf(cotangent, of)));
    }
    const first = invoke(op, cotangent === undefined ? RUN : VJP);
    return first === 0 && numbers.length === 0 ? [] : results(op, first);
  });
}

/** The text of groups in Node's console and the browser's developer tools. */
function textOf(groups) {
  if (kindOf(groups) !== GROUPS) return '[Groups]'; // the prototype, or a Proxy
  if (isDisposed(groups)) return 'Groups(disposed)';
  return `Groups(size=${groups.size}, rows=${groups.rows}, device=${groups.device})`;
}
