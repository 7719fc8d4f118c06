// The class ExactSum: exact sums in parts, merged in any order. types.d.ts describes each public method.
//
// Errors begin with `op`, the name of the method. "Within a call" means between `enter` and `leave` of engine.js.

import * as rust from '#glue';
import * as gpu from '#gpu';
import { addressable, deviceName, dtypeNumber, isNumeric, readOptions, refuseOptions, shapeText, sizes } from '../arguments/arguments.js';
import { operandHandle, OWN_DTYPE, readOperand, scalar, targetOf, withOriginal } from '../arguments/operands.js';
import { methodReaders } from '../arguments/readers.js';
import { fileBytes } from '../engine/arrays.js';
import { CALL, call, dims, DTYPE_OF, fail, lastError, made, setDims, temporary, view, word } from '../engine/engine.js';
import { disposeOf, handle, hold, isDisposed, key, kindOf, Resource, SUMS } from '../engine/handles.js';
import { resolved } from '../engine/task.js';
import { ADDRESS, DTYPE, DTYPES, LENGTH, NUMBER, RANK } from '../engine/wire.js';
import { defaultDevice } from '../start/session.js';
import { indexHandle, withoutEntries } from './indexed.js';
import { tensorOf } from './tensor.js';

/** As the constructor's first argument: the second one is `{ handle, shape, dtype }`, with the number of a dtype. */
const FROM_PARTS = {};
/** The results that `exact_sum_result` can make. */
const [SUM, MEAN, COUNT, BYTES] = [0, 1, 2, 3];

/** The class gets its name from the property, which a minifier does not rename: see errors.js. */
export const { ExactSum } = {
  ExactSum: class extends Resource {
    #shape;
    #dtype;
    #device;

    /** `new ExactSum(shape, options)` for callers, and for this module `new ExactSum(FROM_PARTS, parts)`. */
    constructor(shape, options) {
      super(key, SUMS);
      const parts = shape === FROM_PARTS ? options : construct('ExactSum', shape, options);
      hold(this, SUMS, parts.handle);
      this.#shape = parts.shape;
      this.#dtype = parts.dtype;
      this.#device = parts.device;
    }

    static from_bytes(bytes, options) {
      const op = 'ExactSum.from_bytes';
      const values = readOperand(op, 'bytes', fileBytes(op, bytes));
      const device = readDevice(op, readOptions(op, options, ['device']).device);
      const parts = call(op, () => {
        const newHandle = made(op, rust.exact_sum_from_bytes(operandHandle(op, 'bytes', values, OWN_DTYPE), device === 'webgpu'));
        return { handle: newHandle, shape: dims(word(RANK)), dtype: word(DTYPE), device };
      });
      return new ExactSum(FROM_PARTS, parts);
    }

    get shape() {
      checkOwn('ExactSum.shape', this);
      return [...this.#shape];
    }

    get dtype() {
      checkOwn('ExactSum.dtype', this);
      return DTYPES[this.#dtype];
    }

    get device() {
      checkOwn('ExactSum.device', this);
      return this.#device;
    }

    add(...args) {
      const op = 'ExactSum.add';
      checkOwn(op, this);
      const read = methodReaders.scatter_add(op, ...args);
      call(op, () => {
        const self = handle(op, 'this', this, SUMS);
        const args = withoutEntries(op, read, this.#shape.length);
        const { form, dim, mode, src, srcName } = args;
        const index = indexHandle(op, args);
        const source = isNumeric(src) ? 0 : operandHandle(op, srcName, src, termsTarget(src, this.#dtype));
        const [kind, value] = source === 0 ? scalar(op, srcName, src, this.#dtype) : [NUMBER, 1];
        if (!rust.exact_sum_add(self, form, dim, index, mode, source, kind, value)) throw withOriginal(lastError(op), read.index);
      });
      return this;
    }

    merge(other, options) {
      const op = 'ExactSum.merge';
      refuseOptions(op, options);
      call(op, () => {
        const self = handle(op, 'this', this, SUMS);
        const given = handle(op, 'other', other, SUMS);
        // To merge sums with themselves, merge them with a copy.
        if (!rust.exact_sum_merge(self, given === self ? temporary(made(op, rust.exact_sum_copy(self))) : given)) fail(op);
      });
      return this;
    }

    sum(options) {
      return resultOf('ExactSum.sum', this, SUM, options);
    }

    mean(options) {
      return resultOf('ExactSum.mean', this, MEAN, options);
    }

    count(options) {
      return resultOf('ExactSum.count', this, COUNT, options);
    }

    async to_bytes(options) {
      const op = 'ExactSum.to_bytes';
      refuseOptions(op, options);
      const self = handle(op, 'this', this, SUMS);
      const read = this.#device === 'cpu' ? undefined : await gpu.downloadSums(op, self);
      const bytes = call(op, () => {
        rust.locate(temporary(made(op, rust.exact_sum_result(read === undefined ? self : temporary(read), BYTES))));
        const start = word(ADDRESS);
        return view(DTYPE_OF.uint8).slice(start, start + word(LENGTH));
      });
      return resolved(bytes);
    }

    dispose(options) {
      const op = 'ExactSum.dispose';
      refuseOptions(op, options);
      disposeOf(op, this, SUMS);
    }

    get [Symbol.toStringTag]() {
      return 'ExactSum';
    }

    toString() {
      return textOf(this);
    }

    [Symbol.for('nodejs.util.inspect.custom')]() {
      return textOf(this);
    }
  },
};

if (Symbol.dispose) ExactSum.prototype[Symbol.dispose] = ExactSum.prototype.dispose;

/** Throws if a method was called without its sums, or on disposed sums. */
const checkOwn = (op, sums) => void handle(op, 'this', sums, SUMS);

/**
 * The target of terms: plain arrays become `dtype`, typed arrays keep theirs, so that none is rounded. A Uint16Array may hold the bits of a half
 * type.
 */
const termsTarget = (src, dtype) => (src.stored === DTYPE_OF.uint16 && (dtype === DTYPE_OF.float16 || dtype === DTYPE_OF.bfloat16) ? dtype : targetOf(src, dtype));

const readDevice = (op, device) => (device === undefined ? defaultDevice() : deviceName(op, device));

function construct(op, shape, options) {
  const wanted = addressable(op, sizes(op, shape));
  const { dtype: name = 'float32', device } = readOptions(op, options, ['dtype', 'device']);
  const dtype = dtypeNumber(op, name);
  const where = readDevice(op, device);
  const newHandle = call(op, () => {
    setDims(wanted);
    return made(op, rust.exact_sum(CALL[op], wanted.length, dtype, where === 'webgpu'));
  });
  return { handle: newHandle, shape: wanted, dtype, device: where };
}

function resultOf(op, sums, which, options) {
  refuseOptions(op, options);
  return tensorOf(call(op, () => made(op, rust.exact_sum_result(handle(op, 'this', sums, SUMS), which))));
}

/** The text of sums in Node's console and the browser's developer tools. */
function textOf(sums) {
  if (kindOf(sums) !== SUMS) return '[ExactSum]'; // the prototype, or a Proxy
  if (isDisposed(sums)) return 'ExactSum(disposed)';
  return `ExactSum(shape=${shapeText(sums.shape)}, dtype=${sums.dtype})`;
}
