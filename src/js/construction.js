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
  const labels = labelsFor(op, wanted, becomes);
  const created = call(op, () => placed(op, source instanceof Values ? create(op, source, dtype ?? OWN, becomes) : copyOf(op, source, dtype, shape), device));
  return { handle: created, name: labels.name, lod: labels.lod };
}

function copyOf(op, source, dtype, shape) {
  const given = handle(op, 'data', source);
  const converted = dtype === undefined ? given : temporary(made(op, rust.astype(given, dtype)));
  if (shape === undefined) return made(op, rust.share(converted));
  setDims(shape);
  return made(op, rust.reshape(converted, CALL[op], shape.length));
}

/** A new tensor, on the device that was asked for. */
export function placed(op, created, device = defaultDevice()) {
  return device === 'webgpu' ? gpu.upload(op, temporary(created)) : created;
}
