// The class Tensor: construction, properties and copies. The files of the families add the methods of operators. types.d.ts describes each public
// method.
//
// A method first reads the caller's arguments, which may run code of the caller, and then calls Rust. Errors begin with `op`, the name of
// the operator. `facts` is the dtype, shape and device of a tensor, from `factsOf`. tools/package.mjs defines HAS: for each family whether
// the entry has it. A method of an absent family throws. What `HAS.files ?` calls is in no other entry's file.

import * as rust from '#glue';
import * as gpu from '#gpu';
import { deviceName, dtypeNumber, elements, numeric, refuseOptions, shapeText, sizesOf } from '../arguments/arguments.js';
import { checkListed, nest } from '../arguments/nested.js';
import { factsOf } from '../arguments/operands.js';
import { hasTwin, isHere, METHODS } from '../arguments/operators.js';
import { CALL, call, made, setDims } from '../engine/engine.js';
import { failure, refuseAbsent, RuntimeError, ValueError } from '../engine/errors.js';
import { awaited, disposeOf, handle, hold, isDisposed, isTensor, key, kindOf, Resource, stranger, TENSOR } from '../engine/handles.js';
import { resolved } from '../engine/task.js';
import { CALLS } from '../engine/wire.js';
import { imageOf, keepColorSpace, pictureOf, readColorSpace } from '../files/image.js';
import * as npy from '../files/npy.js';
import { construct, readTensorOptions, unlabelled } from './construction.js';
import { lendOne } from './lending.js';
import { copyFromCpu, copyFromGpu, readOut, valuesOf } from './readback.js';
import * as sources from './sources.js';
import { format, isPrintable } from './text.js';

/** As the constructor's first argument: the second one is `{ handle, name, lod }`, the parts of the tensor. */
const FROM_PARTS = {};

/** The class gets its name from the property, which a minifier does not rename: see errors.js. */
export const { Tensor } = {
  Tensor: class extends Resource {
    #name;
    #lod;

    /** `new Tensor(data, options)` for callers, and for this package `new Tensor(FROM_PARTS, parts)`. */
    constructor(data, options) {
      super(key, TENSOR);
      const { handle: newHandle, name, lod } = data === FROM_PARTS ? options : construct('Tensor', data, readTensorOptions('Tensor', options));
      hold(this, TENSOR, newHandle);
      this.#name = name;
      this.#lod = lod;
    }

    static zeros(shape, options) {
      return tensorOfParts(sources.filled('Tensor.zeros', shape, false, options)); // false is 0 in every dtype
    }

    static ones(shape, options) {
      return tensorOfParts(sources.filled('Tensor.ones', shape, true, options)); // true is 1 in every dtype
    }

    static full(shape, value, options) {
      return tensorOfParts(sources.filled('Tensor.full', shape, numeric('Tensor.full', 'value', value), options));
    }

    static arange(start, stop, step = 1, options) {
      return tensorOfParts(sources.arange('Tensor.arange', start, stop, step, options));
    }

    static from_npy(bytes, options) {
      const op = 'Tensor.from_npy';
      return HAS.files ? tensorOfParts(sources.fromNpy(op, bytes, options)) : refuseAbsent(op);
    }

    static from_image(image, options) {
      const op = 'Tensor.from_image';
      return HAS.files ? ofPicture(sources.fromImage(op, image, options)) : refuseAbsent(op);
    }

    static from_gpu_buffer(buffer, options) {
      return tensorOfParts(sources.fromGpuBuffer('Tensor.from_gpu_buffer', buffer, options));
    }

    get shape() {
      return factsOf('Tensor.shape', this).shape;
    }

    get dtype() {
      return factsOf('Tensor.dtype', this).dtype;
    }

    get rank() {
      return factsOf('Tensor.rank', this).shape.length;
    }

    get size() {
      return elements(factsOf('Tensor.size', this).shape);
    }

    get device() {
      return factsOf('Tensor.device', this).device;
    }

    get name() {
      handle('Tensor.name', 'this', this); // throws for a disposed tensor
      return this.#name ?? '';
    }

    get lod() {
      handle('Tensor.lod', 'this', this); // throws for a disposed tensor
      return (this.#lod ?? []).map((level) => [...level]);
    }

    clone(options) {
      const op = 'Tensor.clone';
      refuseOptions(op, options);
      const created = call(op, () => made(op, rust.share(handle(op, 'this', this))));
      return tensorOf(created, { name: this.#name, lod: this.#lod });
    }

    reshape(shape, ...more) {
      const op = 'Tensor.reshape';
      refuseOptions(op, more[0]);
      const wanted = sizesOf(op, shape, elements(factsOf(op, this).shape), more);
      return tensorOf(
        call(op, () => {
          const self = handle(op, 'this', this);
          setDims(wanted);
          return made(op, rust.reshape(self, CALL[op], wanted.length));
        }),
      );
    }

    astype(dtype, options) {
      const op = 'Tensor.astype';
      refuseOptions(op, options);
      const number = dtypeNumber(op, dtype);
      return tensorOf(call(op, () => made(op, rust.astype(handle(op, 'this', this), number))));
    }

    to(device, options) {
      const op = 'Tensor.to';
      refuseOptions(op, options);
      const wanted = deviceName(op, device);
      const { device: current } = factsOf(op, this);
      const self = handle(op, 'this', this);
      const labels = { name: this.#name, lod: this.#lod };
      return moved(op, self, current, wanted, labels);
    }

    data(options) {
      const op = 'Tensor.data';
      const out = readOut(op, options);
      return promiseOfValues(op, this, out);
    }

    data_sync(options) {
      const op = 'Tensor.data_sync';
      const out = readOut(op, options);
      const values = copyFromCpu(op, this, out);
      if (values !== undefined) return values;
      throw failure(RuntimeError, 'wrong-device', op, 'values on WebGPU can only be read with a wait: use await t.data()');
    }

    with_data(callback, options) {
      const op = 'Tensor.with_data';
      refuseOptions(op, options);
      return lendOne(op, this, callback);
    }

    tolist(options) {
      const op = 'Tensor.tolist';
      refuseOptions(op, options);
      return listOf(op, this, factsOf(op, this));
    }

    item(options) {
      const op = 'Tensor.item';
      refuseOptions(op, options);
      const facts = factsOf(op, this);
      const size = elements(facts.shape);
      if (size === 1) return listOf(op, this, { ...facts, shape: [] }); // not nested, whatever the rank
      throw failure(ValueError, 'not-scalar', op, `a tensor with one element has an item(); this one has ${size}: use tolist()`);
    }

    equals(other, options) {
      const op = 'Tensor.equals';
      refuseOptions(op, options);
      if (!isTensor(other)) throw stranger(op, 'other', other);
      const pair = [handle(op, 'this', this), handle(op, 'other', other)];
      const equal = call(op, () => rust.bits_equal(...pair));
      // 2: one of them has its bits on the GPU.
      return equal === 2 ? equalOnCpu(op, pair) : resolved(equal === 1);
    }

    to_npy(options) {
      const op = 'Tensor.to_npy';
      refuseOptions(op, options);
      return HAS.files ? npyOf(op, this) : refuseAbsent(op);
    }

    to_image(options) {
      const op = 'Tensor.to_image';
      return HAS.files ? toPicture(op, this, options) : refuseAbsent(op);
    }

    toString() {
      const op = 'Tensor.toString';
      const { dtype, device, shape } = factsOf(op, this);
      if (device === 'cpu' && isPrintable(shape)) return format(valuesOf(op, this, dtype), shape, dtype);
      return `Tensor(shape=${shapeText(shape)}, dtype=${dtype}, device=${device})`;
    }

    /** The object for JSON.stringify: flat values, 64-bit integers as text. */
    toJSON() {
      const op = 'Tensor.toJSON';
      const { dtype, device, shape } = factsOf(op, this);
      if (device !== 'cpu') throw failure(RuntimeError, 'wrong-device', op, "values on WebGPU can only be read with a wait: await t.to('cpu') first");
      checkListed(op, shape, elements(shape));
      const values = Array.from(valuesOf(op, this, dtype), (value) => (typeof value === 'bigint' ? String(value) : value));
      return { dtype, shape, data: dtype === 'bool' ? values.map(Boolean) : values };
    }

    gpu_buffer(options) {
      const op = 'Tensor.gpu_buffer';
      refuseOptions(op, options);
      return gpu.bufferObject(op, handle(op, 'this', this));
    }

    dispose(options) {
      const op = 'Tensor.dispose';
      refuseOptions(op, options);
      disposeOf(op, this, TENSOR);
    }

    /** Frameworks that wrap objects in Proxies leave objects with an unknown tag alone. */
    get [Symbol.toStringTag]() {
      return 'Tensor';
    }

    /** The text in Node's console. */
    [Symbol.for('nodejs.util.inspect.custom')]() {
      return inspection(this);
    }

    /** Returns the function that reads the private labels. Only for this module, which deletes this method after its only call. */
    static handOut() {
      return (tensor) => ({ name: tensor.#name, lod: tensor.#lod });
    }
  },
};

/** The name and the level-of-detail offsets of a tensor as the caller gave them, or undefined. */
export const labelsOf = Tensor.handOut();
delete Tensor.handOut;

if (Symbol.dispose) Tensor.prototype[Symbol.dispose] = Tensor.prototype.dispose;

/** Adds methods to the class as if they were written there: those of a family, which are in its file. */
export function addMethods(methods) {
  for (const name in methods) Object.defineProperty(Tensor.prototype, name, { value: methods[name], writable: true, configurable: true });
}

/** Adds the method of a row, and its in-place variant if it has one, with its name and its number of parameters, the options last. */
function addRow(name, row, make) {
  for (const full of hasTwin(row) ? [name, `${name}_`] : [name]) {
    // The name is taken from the list: engines look a number up faster by that string than by a concatenated one.
    const { method } = make(CALLS[CALL[`Tensor.${full}`]], row, name, full === name);
    Object.defineProperties(method, { name: { value: full }, length: { value: row.args.length + 1 } });
    addMethods({ [full]: method });
  }
}

/**
 * Adds the methods of the rows with this `run`. `make` returns a method as `{ method }`; it gets the name of the operator in errors, the row, its
 * name in METHODS, and whether the method makes a copy.
 */
export function addRows(run, make) {
  for (const name in METHODS) if (METHODS[name].run === run) addRow(name, METHODS[name], make);
}

if (!HAS.all) {
  const make = (op) => ({
    method() {
      refuseAbsent(op);
    },
  });
  for (const name in METHODS) if (!isHere(METHODS[name])) addRow(name, METHODS[name], make);
}

/** A named tensor that operators update. */
export const { Parameter } = { Parameter: class extends Tensor {} };

/** A tensor from the parts `{ handle, name, lod }` that sources.js and construction.js return. */
const tensorOfParts = (parts) => new Tensor(FROM_PARTS, parts);

export const tensorOf = (newHandle, { name, lod } = unlabelled) => tensorOfParts({ handle: newHandle, name, lod });

// ---------------------------------------------------------------- values and copies

/** A promise of the values of a tensor, in a new array or in the caller's. */
function promiseOfValues(op, tensor, out) {
  const values = copyFromCpu(op, tensor, out);
  return values === undefined ? copyFromGpu(op, tensor, factsOf(op, tensor), out) : resolved(values);
}

/** A promise of the values of a tensor as nested arrays, or as one value for an empty shape. `shape` may differ from the tensor's. */
function listOf(op, tensor, { dtype, device, shape }) {
  const list = (values) => nest(op, values, shape, dtype === 'bool');
  if (device === 'cpu') return resolved(list(valuesOf(op, tensor, dtype)));
  return gpu.download(op, handle(op, 'this', tensor)).then((created) => {
    const copy = tensorOf(created);
    try {
      return list(valuesOf(op, copy, dtype));
    } finally {
      copy.dispose();
    }
  });
}

/** A promise of a tensor on the device `wanted` with the values and labels of `self`, a handle on the device `current`. */
async function moved(op, self, current, wanted, labels) {
  // A scope around this call must not free what the caller has yet to wait for.
  const copyOf = (created) => awaited(tensorOf(created, labels));
  if (current === wanted) return resolved(copyOf(call(op, () => made(op, rust.share(self)))));
  if (wanted === 'webgpu') return resolved(copyOf(call(op, () => gpu.upload(op, self))));
  return copyOf(await gpu.download(op, self));
}

function npyOf(op, tensor) {
  const facts = factsOf(op, tensor);
  npy.kindOf(facts.dtype); // throws for bfloat16, before the values are read
  return promiseOfValues(op, tensor).then((all) => npy.write(facts.dtype, facts.shape, all));
}

const ofPicture = (parts) => keepColorSpace(tensorOfParts(parts), parts.colorSpace);

function toPicture(op, tensor, options) {
  const facts = factsOf(op, tensor);
  const colorSpace = readColorSpace(op, tensor, options);
  const picture = pictureOf(op, facts);
  return promiseOfValues(op, tensor).then((all) => imageOf(op, all, picture, colorSpace));
}

/**
 * A promise of whether two tensors, given by their handles, have the same shape, dtype and bits (any NaN equals any other). Compares
 * copies on the CPU. Both reads begin before the first wait, so that they have the values at the time of the call.
 */
async function equalOnCpu(op, pair) {
  const reads = await Promise.allSettled(pair.map((each) => gpu.download(op, each).then((created) => tensorOf(created))));
  try {
    const failed = reads.find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
    const [one, two] = reads.map(({ value }) => handle(op, 'other', value));
    return call(op, () => rust.bits_equal(one, two) === 1);
  } finally {
    for (const { value } of reads) value?.dispose();
  }
}

/** The text of a tensor in Node's console: class, name, shape, dtype and device, and the values if they are on the CPU. */
function inspection(tensor) {
  if (kindOf(tensor) !== TENSOR) return '[Tensor]'; // the prototype, or a Proxy
  const title = tensor.constructor?.name ?? 'Tensor';
  if (isDisposed(tensor)) return `${title}(disposed)`;
  const { dtype, device, shape } = factsOf('Tensor.toString', tensor);
  const { name } = labelsOf(tensor);
  const head = `${title}(${name === undefined ? '' : `'${name}', `}shape=${shapeText(shape)}, dtype=${dtype}, device=${device})`;
  return device === 'cpu' && isPrintable(shape) ? `${head}\n${format(valuesOf('Tensor.toString', tensor, dtype), shape, dtype)}` : head;
}
