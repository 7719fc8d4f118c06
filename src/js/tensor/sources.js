// Tensors from sources other than data: one value, numbers in steps, a file of NumPy, a picture, a GPU buffer.
//
// Each exported function gets the caller's arguments and `op`, the name of the constructor, with which errors begin. It returns the parts
// `{ handle, name, lod }`, from which `tensorOfParts` in tensor.js makes the tensor.

import * as rust from '#glue';
import * as gpu from '#gpu';
import { addressable, elements, finite, flag, readOptions, sizes } from '../arguments/arguments.js';
import { checkCount, create, readData, scalar } from '../arguments/operands.js';
import { arrays, fileBytes } from '../engine/arrays.js';
import { ARGUMENT, CALL, call, DTYPE_OF, made, requireStart, setDims, temporary } from '../engine/engine.js';
import { failure, readable, RuntimeError, wrongKind } from '../engine/errors.js';
import { draw, readImage } from '../files/image.js';
import * as npy from '../files/npy.js';
import { defaultDevice } from '../start/session.js';
import { checkTensorOptions, construct, converted, labelsFor, placed, readTensorOptions, tensorOptions } from './construction.js';

/** Tensor.zeros, ones and full: a tensor of a shape filled with one value. For zeros and ones the value is false and true. */
export function filled(op, shape, value, options) {
  const asked = addressable(op, sizes(op, shape, [options]));
  const wanted = readTensorOptions(op, options);
  const { dtype = DTYPE_OF.float32, shape: becomes = asked } = wanted;
  checkCount(op, becomes, elements(asked));
  return placed(op, wanted, becomes, () => {
    const [kind, number] = scalar(op, 'value', value, dtype);
    setDims(becomes);
    return made(op, rust.full(CALL[op], ARGUMENT.value, dtype, becomes.length, kind, number));
  });
}

/** Tensor.arange: the numbers from `start` to before `stop` in steps of `step`, which may be negative. */
export function arange(op, start, stop, step, options) {
  const first = finite(op, 'start', start);
  const early = options === undefined ? [stop, step].findIndex((value) => typeof value === 'object' && value !== null) : -1;
  if (early >= 0) {
    const to = early === 0 ? first : finite(op, 'stop', stop);
    const way = `options stand behind step: ${op}(${early === 0 ? 0 : first}, ${to}, 1, { dtype })`;
    throw failure(TypeError, 'invalid-argument', op, way, { argument: ['stop', 'step'][early] });
  }
  // As in Python, a single number is the stop.
  const [from, to] = stop === undefined ? [0, first] : [first, finite(op, 'stop', stop)];
  const by = finite(op, 'step', step);
  const wanted = readTensorOptions(op, options);
  const count = by === 0 ? 0 : Math.max(Math.ceil((to - from) / by), 0); // Rust refuses a step of 0
  const { shape = addressable(op, [count]), dtype = DTYPE_OF.float32 } = wanted;
  return placed(op, wanted, shape, () => converted(op, temporary(made(op, rust.arange(from, to, by, dtype))), { shape: wanted.shape }));
}

/** Tensor.from_npy: the tensor in a .npy file. */
export function fromNpy(op, bytes, options) {
  const wanted = readTensorOptions(op, options); // before the file is read: a getter in the options may change its bytes
  const { shape, ...file } = readable(op, 'bytes', () => npy.parse(fileBytes(op, bytes)));
  const dtype = DTYPE_OF[file.dtype];
  const data = readData(op, new DataView(file.bytes.buffer, file.bytes.byteOffset, file.bytes.length), dtype);
  data.isBigEndian = file.isBigEndian;
  addressable(op, shape); // throws; a wanted shape was checked with the options
  return placed(op, wanted, wanted.shape ?? shape, () => converted(op, temporary(create(op, data, dtype, shape)), wanted));
}

/**
 * Tensor.from_image: the pixels of a picture as RGBA, by default a uint8 tensor [height, width, 4]. The parts include `colorSpace` if it is
 * not sRGB. A picture that is drawn, or copied on the GPU, becomes sRGB.
 */
export function fromImage(op, image, options) {
  const picture = readImage(op, image);
  const wanted = readTensorOptions(op, options);
  const shape = [picture.height, picture.width, 4];
  // For a tensor on the GPU, copy the picture there without a read-back, if the platform can.
  const isForGpu = picture.source && (wanted.device ?? defaultDevice()) === 'webgpu';
  const copied = isForGpu ? gpu.copyPicture(op, picture) : undefined;
  if (!copied) return { ...construct(op, picture.data ?? draw(op, picture), wanted, shape), colorSpace: picture.colorSpace };
  try {
    // The buffer itself has the facts for copyBuffer: size, usage and mapState.
    const copy = () => gpu.copyBuffer(op, copied, copied, DTYPE_OF.uint8, shape, 0, copied.size);
    return placed(op, wanted, wanted.shape ?? shape, () => converted(op, temporary(copy()), wanted));
  } finally {
    copied.destroy(); // the copy out of it was already submitted
  }
}

/** Tensor.from_gpu_buffer: a copy of the caller's GPUBuffer, or with the option `borrow` a tensor on that buffer itself. */
export function fromGpuBuffer(op, buffer, options) {
  requireStart(op);
  const facts = readable(op, 'buffer', () => gpu.readBuffer(op, buffer));
  if (options === undefined) throw wrongKind(op, 'options', 'an object with shape and dtype', options);
  const { offset, borrow, ...given } = readOptions(op, options, [...tensorOptions, 'offset', 'borrow']);
  const wanted = checkTensorOptions(op, given);
  const { dtype, shape } = wanted;
  if (shape === undefined) throw wrongKind(op, 'shape', 'an array of numbers', undefined);
  if (dtype === undefined) throw wrongKind(op, 'dtype', 'the name of a dtype', undefined);
  const start = gpu.readOffset(op, offset); // in bytes
  if (borrow !== undefined) flag(op, 'borrow', borrow);
  if (wanted.device === 'cpu') {
    throw failure(RuntimeError, 'wrong-device', op, "the copy stays on webgpu: leave device out, and await t.to('cpu') afterwards", { argument: 'device' });
  }
  const { name, lod } = labelsFor(op, wanted, shape);
  const length = elements(shape) * arrays[dtype].BYTES_PER_ELEMENT; // in bytes
  const take = borrow ? gpu.borrowBuffer : gpu.copyBuffer;
  return { handle: call(op, () => take(op, buffer, facts, dtype, shape, start, length)), name, lod };
}
