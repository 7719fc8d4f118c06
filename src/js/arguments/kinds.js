// Reads the arguments of an operator in the order of its row (operators.js), and passes them to Rust in the same order.
//
// The name of an argument says its kind, unless the row names another one. A kind has two halves. `read(op, name, value, call)` returns the value
// in the library's form; `call` is the RowCall. `pass(op, name, read, call, next)` puts it among the arguments in the block, which
// src/boundary/arguments.rs reads, within a call; `next` is what was read of the argument behind it. A kind without `pass` is read as one
// number. tools/package.mjs defines HAS: for each family whether the entry has it.

import { add, begin, dims as sizesInBlock, DTYPE_OF, word as numberInBlock } from '../engine/engine.js';
import { failure, readable, refuseAbsent, ValueError, wrongKind } from '../engine/errors.js';
import { handle, kindOf, PLAN } from '../engine/handles.js';
import { ALL_DIMS, INDEX, MAX_RANK, NO_SCALAR, RANK, REDUCTIONS, RUN, RUN_ARGMAX, STATISTICS } from '../engine/wire.js';
import { dtypeNumber, flag, integer, numeric, positionDtype, readOptions, word } from './arguments.js';
import { passBins, readColumns, readDivision, readRange, readRanges, readStatisticBins } from './bins.js';
import { comparedAs, dtypeOf, emptied, indexOperand, isNone, operandHandle, OWN_DTYPE, readOperand, scalar, spread, targetOf, termsOf, truthHandle, Values } from './operands.js';
import { numberOf, PLAIN, readIgnored, readIndexOptions, readSum, readArgmax } from './readers.js';

/** The place of an index, for `readIndexOptions`, which may replace the index. `reading` is how the call reads it. */
const place = (index) => ({ index, reading: PLAIN });

const passNothing = () => {};
const passIndex = (op, name, { index, reading }, call) => call.addIndex(index, indexOperand(op, name, index, reading));
function passScalar(op, name, value, { tensor }) {
  const [kind, number] = scalar(op, name, value, typeof value === 'number' ? 0 : dtypeOf(tensor));
  add(kind);
  add(number);
}

function passOptionalScalar(op, name, read, call) {
  if (read !== undefined) return passScalar(op, name, read, call);
  add(NO_SCALAR);
  add(0);
}

/** Whether an operand takes the dtype of another one. */
const isPlain = (operand) => targetOf(operand, DTYPE_OF.bool) !== OWN_DTYPE;
const isPlan = (value) => kindOf(value) === PLAN;
const reductions = /* @__PURE__ */ REDUCTIONS.map(([word]) => word); // not in builds without segments

/** A number that the caller may leave out, and what stands for it then. */
const optionalInteger = (missing) => ({ read: (op, name, value) => (value === undefined ? missing : integer(op, name, value)) });
const optionalFlag = { read: (op, name, value = false) => (flag(op, name, value) ? 1 : 0) };
const operand = { read: readOperand, pass: (op, name, read, call) => call.addTensor(operandHandle(op, name, read, OWN_DTYPE)) };
const optionalOperand = {
  read: (op, name, value) => (value === undefined ? undefined : readOperand(op, name, value)),
  pass: (op, name, read) => add(read === undefined ? 0 : operandHandle(op, name, read, OWN_DTYPE)),
};
const offsets = {
  read: (...given) => optionalOperand.read(...given),
  pass: (op, name, read, call) => call.addIndex(read, read === undefined ? 0 : operandHandle(op, name, read, INDEX)),
};
/** The rows or the columns of a sparse matrix: an index or a plan. */
const side = {
  read: (op, name, value) => place(isPlan(value) ? value : readOperand(op, name, value)),
  pass(op, name, read, call) {
    if (isPlan(read.index)) add(handle(op, name, read.index, PLAN));
    else passIndex(op, name, read, call);
  },
};

const several = 'an integer, an array of integers, or left out for all dimensions (options are the second argument)';
const one = 'an integer, or left out for the position in the flat tensor (options are the second argument)';

/** The dimensions that are reduced: a list, or undefined for all. */
const dims = (takesOne) => ({
  read(op, name, dim) {
    if (dim === undefined || dim === null) return undefined;
    if (Number.isInteger(dim)) return [dim];
    return readable(op, name, () => {
      if (takesOne || !Array.isArray(dim)) throw wrongKind(op, name, takesOne ? one : several, dim);
      const { length } = dim;
      if (length > MAX_RANK) throw failure(ValueError, 'invalid-argument', op, `dim names ${length} dimensions; a tensor has at most ${MAX_RANK}`, { argument: 'dim' });
      return Array.from({ length }, (_, at) => integer(op, name, dim[at]));
    });
  },
  pass(op, name, read) {
    add(read === undefined ? ALL_DIMS : read.length);
    if (read !== undefined) for (const dim of read) add(dim);
  },
});

const mode = {
  read(op, name, value, { row, values, options: given }) {
    const option = (known) => given[row.options.indexOf(known)];
    const options = { mode: option('mode'), ignore_index: option('ignore_index') };
    const places = values.filter((read) => read?.reading === PLAIN);
    const indices = places.filter(({ index }) => !isPlan(index));
    const readings = (indices.length > 0 ? indices : places).map((place) => (place.reading = readIndexOptions(op, options, place)));
    return readings.find(({ ignored }) => ignored !== undefined) ?? readings[0];
  },
  pass: (op, name, read) => add(read.mode),
};

/** The kinds, by the names of arguments, and those that rows name. */
const KINDS = {
  x: operand,
  weights: optionalOperand,
  mask: { read: optionalOperand.read, pass: (op, name, read) => add(read === undefined ? 0 : truthHandle(op, name, read)) },
  index: { read: (op, name, value) => place(readOperand(op, name, value)), pass: passIndex },
  /** Behind it comes its dim. A plain `[]` is repeated like any index. */
  along: {
    read: (...given) => KINDS.index.read(...given),
    pass(op, name, { index, reading }, call, dim) {
      if (isNone(index) && !Number.isNaN(dim)) {
        dtypeOf(call.tensor); // puts the shape into the block
        index = spread(index, emptied(sizesInBlock(numberInBlock(RANK)), dim));
      }
      passIndex(op, name, { index, reading }, call);
    },
  },
  /** Samples that are counted as they are: plain arrays become integers, as an index does, and large bigints stay what they are. */
  integers: { read: readOperand, pass: (op, name, read, call) => call.addIndex(read, operandHandle(op, name, read, read.stored === DTYPE_OF.uint64 ? OWN_DTYPE : targetOf(read, INDEX))) },
  dim: optionalInteger(NaN),
  /** null is no dimension either. */
  flatDim: { read: (op, name, value) => KINDS.dim.read(op, name, value ?? undefined) },
  minlength: optionalInteger(0),
  /** Behind the minlength. */
  length: {
    read(op, name, value, { previous: least }) {
      const length = value === undefined ? NaN : integer(op, name, value);
      if (length < least) throw failure(ValueError, 'invalid-argument', op, `length is ${length}, less than minlength ${least}: give one of them`, { argument: 'length', value: length });
      return length;
    },
  },
  dtype: { read: (op, name, value) => (value === undefined ? OWN_DTYPE : dtypeNumber(op, value)) },
  sum: { read: (op, name, value) => readSum(op, value) },
  fill_value: {
    read: (op, name, value) => numeric(op, name, value ?? 0),
    pass: passScalar,
  },
  mode,
  /** A value that no sample counts with. Beyond 64 bits, none has it. */
  ignored: HAS.histograms
    ? {
        read(op, name, value) {
          const ignored = value === undefined ? undefined : readIgnored(op, value);
          return ignored < -(2n ** 63n) || ignored >= 2n ** 64n ? undefined : ignored;
        },
        pass: passOptionalScalar,
      }
    : { read: (op, name, value) => value === undefined || refuseAbsent(op, name, value), pass: passNothing },
  /** Read with the mode. */
  ignore_index: { read: () => undefined, pass: passNothing },
  ...((HAS.sort || HAS.dims || HAS.masks) && { positions: { read: (op, name, value) => (value === undefined ? OWN_DTYPE : positionDtype(op, value)) } }),
  ...((HAS.sort || HAS.groups) && { src: operand, edges: operand, lastDim: optionalInteger(-1), descending: optionalFlag, right: optionalFlag }),
  ...(HAS.segments && {
    data: operand,
    offsets,
    /** Behind the offsets. */
    lengths: {
      read(op, name, value, { previous }) {
        const hasOffsets = previous !== undefined;
        if (hasOffsets !== (value === undefined)) {
          const code = hasOffsets ? 'invalid-argument' : 'missing-argument';
          throw failure(ValueError, code, op, 'segments are given by offsets or by lengths, one of them', { argument: 'offsets' });
        }
        return offsets.read(op, name, value);
      },
      pass: offsets.pass,
    },
    /** Behind the sum. */
    return_indices: {
      read(op, name, value, { previous }) {
        const hasArgmax = readArgmax(op, value);
        if (hasArgmax && previous !== 0) throw failure(ValueError, 'invalid-argument', op, "sum is 'exact', and a call with return_indices is no sum: leave sum out", { argument: 'sum' });
        return hasArgmax;
      },
      pass(op, name, read, call) {
        if (read) call.verb = RUN_ARGMAX;
      },
    },
    /** The place of a word in REDUCTIONS. */
    reduce: {
      read(op, name, value, { row }) {
        const word = value === undefined && row.options.includes(name) ? 'sum' : value;
        numberOf(op, name, 'unknown-reduce', word, row.words); // throws for an unknown word
        return reductions.indexOf(word);
      },
    },
    initial: {
      read: (op, name, value) => (value === undefined ? undefined : numeric(op, name, value)),
      pass: passOptionalScalar,
    },
  }),
  ...((HAS.groups || HAS.masks) && {
    size: {
      read(op, name, value) {
        const size = value === undefined ? NaN : integer(op, name, value);
        if (size < 0) throw failure(ValueError, 'invalid-argument', op, `size is ${size}; it must not be negative`, { argument: 'size', value: size });
        return size;
      },
    },
  }),
  ...(HAS.masks && {
    /** Behind the size. */
    fill: {
      read(op, name, value, { previous: size }) {
        if (value === undefined) return -1;
        if (Number.isNaN(size)) throw failure(ValueError, 'missing-argument', op, 'fill stands behind the last position where size says how many there are: give size too', { argument: 'size' });
        return integer(op, name, value);
      },
    },
    firstDim: optionalInteger(0),
    /** Behind a mask. No operand takes the mask's dtype. */
    selected: { read: readOperand, pass: (op, name, read, call) => add((call.tensor = operandHandle(op, name, read, OWN_DTYPE))) },
    /** The operands that a mask chooses between. A plain one takes the dtype of the other one. */
    chosen: {
      read: readOperand,
      pass(op, name, read, call, next) {
        if (isPlain(read) && isPlain(next)) throw failure(TypeError, 'dtype-mismatch', op, 'x and y are plain values, and the result has no dtype: make one of them a tensor, new Tensor(x)', { argument: 'y' });
        const target = isPlain(read) ? termsOf(dtypeOf(operandHandle(op, 'y', next, OWN_DTYPE))) : OWN_DTYPE;
        add((call.tensor = operandHandle(op, name, read, target)));
      },
    },
    rejected: {
      read: readOperand,
      pass: (op, name, read, call) => add(operandHandle(op, name, read, isPlain(read) ? termsOf(dtypeOf(call.tensor)) : OWN_DTYPE)),
    },
    /** Compared with the tensor of the method. */
    compared: { read: readOperand, pass: (op, name, read, call) => add(operandHandle(op, name, read, comparedAs(read, dtypeOf(call.tensor)))) },
    truth: { read: readOperand, pass: (op, name, read) => add(truthHandle(op, name, read)) },
  }),
  ...(HAS.dims && {
    dims: dims(false),
    oneDim: dims(true),
    keepdim: optionalFlag,
  }),
  ...(HAS.groups && {
    dense: operand,
    rows: side,
    columns: side,
    /** The values of a sparse matrix. The dense one stands behind them, and they take its dtype; typed arrays and tensors keep theirs. */
    factors: {
      read: optionalOperand.read,
      pass(op, name, read, call, dense) {
        call.tensor = operandHandle(op, 'dense', dense, OWN_DTYPE);
        add(read === undefined ? 0 : operandHandle(op, name, read, termsOf(dtypeOf(call.tensor))));
      },
    },
    /** The dense matrix. `factors` has already made it a tensor. */
    table: { read: readOperand, pass: (op, name, read, call) => add(call.tensor) },
  }),
  ...(HAS.histograms && {
    sample: operand,
    /** The values of binned_statistic, which counts without them. */
    counted: {
      read: (op, name, value, { given }) => (value === null && given[2] === 'count' ? undefined : readOperand(op, name, value)),
      pass: optionalOperand.pass,
    },
    density: optionalFlag,
    statistic: { read: (op, name, value) => STATISTICS.indexOf(word(op, name, value, 'the name of a statistic', STATISTICS, 'invalid-argument')) },
    bins: { read: readDivision, pass: passBins },
    range: { read: readRange, pass: passNothing },
    statisticBins: { read: readStatisticBins, pass: passBins },
    columnBins: { read: readColumns, pass: passBins },
    columnRanges: { read: readRanges, pass: passNothing },
  }),
};

class RowCall {
  constructor(row, given, count) {
    this.row = row;
    this.given = given;
    /** What was read, in the order of the row. */
    this.values = new Array(count);
    /** What was read last. */
    this.previous = undefined;
    /** The values of all options that the row knows, in its order; empty if the caller gave no options. */
    this.options = undefined;
    /** The handle of the first tensor, whose dtype other arguments take. */
    this.tensor = 0;
    /** The operands that Rust reads as an index: its errors name the values that the caller gave. */
    this.indices = undefined;
    this.verb = RUN;
  }

  addTensor(tensor) {
    if (this.tensor === 0) this.tensor = tensor;
    add(tensor);
  }

  addIndex(operand, index) {
    if (operand instanceof Values) (this.indices ??= []).push(operand);
    add(index);
  }
}

const taking = (names) => (options) => names.map((name) => options[name]);

/**
 * The kinds of a row's arguments and options, kept in the row: their halves in arrays, because V8 finds a property of many kinds of objects slowly.
 * `defaults`: what options are read as where the caller gives none.
 */
function stepsOf(row) {
  const names = [...row.args, ...row.options];
  const kinds = names.map((name) => KINDS[row.kinds?.[name] ?? name]);
  return (row.steps = { names, reads: kinds.map((kind) => kind?.read), passes: kinds.map((kind) => kind?.pass), take: taking(row.options), defaults: undefined });
}

/** Reads the arguments `given` of the caller: those of the row from number `from` on, and the options. Returns the call. */
export function readRow(op, row, given, from = 0) {
  const { names, reads, take, defaults } = row.steps ?? stepsOf(row);
  const call = new RowCall(row, given, names.length - from);
  const { values } = call;
  const count = row.args.length;
  for (let at = from; at < count; at++) values[at - from] = call.previous = reads[at](op, names[at], given[at - from], call);
  const options = given[count - from];
  if (options === undefined && defaults !== undefined) {
    for (let at = count; at < names.length; at++) values[at - from] = defaults[at - count];
    return call;
  }
  const read = options === undefined ? [] : readOptions(op, options, row.options, take);
  call.options = read;
  for (let at = count; at < names.length; at++) values[at - from] = call.previous = reads[at](op, names[at], read[at - count], call);
  if (options === undefined) row.steps.defaults = values.slice(count - from);
  return call;
}

/** Passes what was read, after the tensor `self` of a method, if any. Within a call of the engine. */
export function passRow(op, call, self, from = 0) {
  const { row, values } = call;
  const { names, passes } = row.steps;
  begin();
  if (self !== undefined) call.addTensor(self);
  for (let at = 0; at < values.length; at++) {
    const pass = passes[at + from];
    if (pass === undefined) add(values[at]);
    else pass(op, names[at + from], values[at], call, values[at + 1]);
  }
}
