// What a new tensor is made of: its options, its handle on the device that was asked for, and its labels.

import * as rust from '#glue';
import * as gpu from '#gpu';
import { addressable, deviceName, dtypeNumber, offsets, readOptions, sizes, text } from './arguments.js';
import { CALL, call, made, setDims, temporary } from './engine.js';
import { failure, RuntimeError } from './errors.js';
import { handle } from './handles.js';
import { create, factsOf, OWN, readData, Values } from './operands.js';
import { defaultDevice } from './session.js';

/** No options, and no labels. */
export const unlabelled = Object.freeze({});

export const tensorOptions = ['dtype', 'shape', 'device', 'name', 'lod'];

export function readTensorOptions(op, options) {
  return options === undefined ? unlabelled : checkTensorOptions(op, readOptions(op, options, tensorOptions));
}

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

/** Handle and labels of a new tensor of data. `natural` is its shape where no other is wanted. */
export function construct(op, data, wanted, natural) {
  const source = readData(op, data, wanted.dtype);
  const { dtype, shape, device } = wanted;
  const facts = source instanceof Values ? source : factsOf(op, source, 'data');
  if (device === 'cpu' && facts.device === 'webgpu') {
    throw failure(RuntimeError, 'wrong-device', op, "data is a tensor on webgpu, whose values cannot be had without waiting: await data.to('cpu') first", { argument: 'device' });
  }
  const becomes = shape ?? natural ?? facts.shape;
  return placed(op, wanted, becomes, () => (source instanceof Values ? create(op, source, dtype ?? OWN, becomes) : converted(op, handle(op, 'data', source), wanted)));
}

/** Handle and labels of a new tensor that `make` makes, on the device that is wanted. */
export function placed(op, wanted, shape, make) {
  const { name, lod } = labelsFor(op, wanted, shape);
  const created = call(op, () => {
    const { device = defaultDevice() } = wanted;
    return device === 'webgpu' ? gpu.upload(op, temporary(make())) : make();
  });
  return { handle: created, name, lod };
}

/** A tensor once more, of the dtype and in the shape that are wanted. */
export function converted(op, given, { dtype, shape }) {
  const own = dtype === undefined ? given : temporary(made(op, rust.astype(given, dtype)));
  if (shape === undefined) return made(op, rust.share(own));
  setDims(shape);
  return made(op, rust.reshape(own, CALL[op], shape.length));
}
