// The parts of a new tensor: its options, its handle on the requested device, and its labels.
//
// Errors begin with `op`, the name of the function that makes the tensor. `wanted` is its options, from `checkTensorOptions`. Its labels
// are `name` and `lod`, Paddle's level-of-detail offsets.

import * as rust from '#glue';
import * as gpu from '#gpu';
import { addressable, deviceName, dtypeNumber, offsets, readOptions, sizes, text } from '../arguments/arguments.js';
import { create, factsOf, OWN_DTYPE, readData, Values } from '../arguments/operands.js';
import { CALL, call, made, setDims, temporary } from '../engine/engine.js';
import { failure, RuntimeError } from '../engine/errors.js';
import { handle } from '../engine/handles.js';
import { defaultDevice } from '../start/session.js';

/**
 * Stands for no options and for no labels, without allocating an object. It has every name, so that nothing is read from the prototype,
 * where the page may have put properties.
 */
export const unlabelled = Object.freeze({ dtype: undefined, shape: undefined, device: undefined, name: undefined, lod: undefined });

export const tensorOptions = ['dtype', 'shape', 'device', 'name', 'lod'];

export function readTensorOptions(op, options) {
  return options === undefined ? unlabelled : checkTensorOptions(op, readOptions(op, options, tensorOptions));
}

/** Checks options that were read; the dtype becomes its number. Missing ones stay undefined; `labelsFor` checks `lod` with the shape. */
export function checkTensorOptions(op, { dtype, shape, device, name, lod }) {
  return {
    dtype: dtype === undefined ? undefined : dtypeNumber(op, dtype),
    shape: shape === undefined ? undefined : addressable(op, sizes(op, shape)),
    device: device === undefined ? undefined : deviceName(op, device),
    name: name === undefined ? undefined : text(op, 'name', name),
    lod,
  };
}

export function labelsFor(op, { name, lod }, shape) {
  if (name === undefined && lod === undefined) return unlabelled;
  return { name, lod: lod === undefined ? undefined : offsets(op, lod, shape) };
}

/**
 * The parts `{ handle, name, lod }` of a new tensor of the caller's data. `natural` is the shape if the options have none; if it is
 * undefined too, the data's shape counts.
 */
export function construct(op, data, wanted, natural) {
  const source = readData(op, data, wanted.dtype);
  const { dtype, shape, device } = wanted;
  const facts = source instanceof Values ? source : factsOf(op, source, 'data'); // Values have a shape, but no device
  if (device === 'cpu' && facts.device === 'webgpu') {
    throw failure(RuntimeError, 'wrong-device', op, "data is a tensor on webgpu, whose values can only be read with a wait: await data.to('cpu') first", { argument: 'device' });
  }
  const becomes = shape ?? natural ?? facts.shape;
  const make = () => (source instanceof Values ? create(op, source, dtype ?? OWN_DTYPE, becomes) : converted(op, handle(op, 'data', source), wanted));
  return placed(op, wanted, becomes, make);
}

/**
 * The parts `{ handle, name, lod }` of a new tensor of a shape. `make` makes it within the call, on the CPU or on the device of its data,
 * and returns its handle. If the GPU is wanted, the tensor is uploaded.
 */
export function placed(op, wanted, shape, make) {
  const { name, lod } = labelsFor(op, wanted, shape);
  const created = call(op, () => {
    const { device = defaultDevice() } = wanted;
    return device === 'webgpu' ? gpu.upload(op, temporary(make())) : make();
  });
  return { handle: created, name, lod };
}

/** The handle of a new tensor with the values of the tensor `given`, in the wanted dtype and shape, if any. Within a call. */
export function converted(op, given, { dtype, shape }) {
  const cast = dtype === undefined ? given : temporary(made(op, rust.astype(given, dtype)));
  if (shape === undefined) return made(op, rust.share(cast));
  setDims(shape);
  return made(op, rust.reshape(cast, CALL[op], shape.length));
}
