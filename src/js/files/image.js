// Pictures, in and out: RGBA of 8 bits, not premultiplied by alpha, like ImageData.
//
// Errors begin with `op`, the name of the method. A picture that was read is `{ width, height, data }` or `{ width, height, source }`, in
// pixels. `data` is its bytes; `source` is an object that must be drawn or copied to get them. `colorSpace` is undefined for sRGB.

import { readOptions, shapeText } from '../arguments/arguments.js';
import { lengthOf, typedDtype } from '../engine/arrays.js';
import { describe, failure, outOfMemory, readable, RuntimeError, ValueError, wrongKind } from '../engine/errors.js';
import { DTYPES } from '../engine/wire.js';

const UINT8 = /* @__PURE__ */ DTYPES.indexOf('uint8');

/** The colour spaces of ImageData; the second is that of wide screens. */
const WIDE = 'display-p3';
const SPACES = ['srgb', WIDE];
/** The colour space of each tensor made from a picture, if it is not sRGB. */
const spaces = new WeakMap();

/** Notes the colour space of a new tensor made from a picture, and returns the tensor. */
export function keepColorSpace(tensor, colorSpace) {
  if (colorSpace !== undefined) spaces.set(tensor, colorSpace);
  return tensor;
}

/** The colour space of a picture made from a tensor: that of `options`, or of the picture that the tensor was made from. */
export function readColorSpace(op, tensor, options) {
  const { colorSpace = spaces.get(tensor) ?? SPACES[0] } = options === undefined ? {} : readOptions(op, options, ['colorSpace']);
  if (SPACES.includes(colorSpace)) return colorSpace;
  throw wrongKind(op, 'colorSpace', "'srgb' or 'display-p3'", colorSpace);
}

const WANTED = 'an ImageData, ImageBitmap, HTMLImageElement, HTMLCanvasElement, OffscreenCanvas, HTMLVideoElement or VideoFrame, or an object with data (a Uint8ClampedArray or Uint8Array of RGBA), width and height';

/** The advice, in errors, for an image element without pixels. */
const NOT_YET = 'it is not loaded: await image.decode() first';
/**
 * The classes of drawable objects: the properties with width and height in pixels, whether an object has something to draw yet (a video
 * from readyState 2 on, HAVE_CURRENT_DATA), and the error text if it has not, or has no size.
 */
const drawables = {
  ImageBitmap: ['width', 'height', () => true, 'it was closed or transferred'],
  HTMLImageElement: ['naturalWidth', 'naturalHeight', ({ complete }) => complete, NOT_YET],
  HTMLCanvasElement: ['width', 'height', () => true, 'it is empty'],
  OffscreenCanvas: ['width', 'height', () => true, 'it is empty, or was transferred'],
  HTMLVideoElement: ['videoWidth', 'videoHeight', ({ readyState }) => readyState >= 2, "it has no picture yet: wait for its event 'loadeddata'"],
  VideoFrame: ['displayWidth', 'displayHeight', () => true, 'it was closed'],
};

/** Throws the error for an unusable image of a right kind; `text` follows the word `image`. */
const refuse = (op, text, cause) => {
  throw failure(ValueError, 'invalid-image', op, `image ${text}`, { argument: 'image', cause });
};

export function readImage(op, image) {
  return readable(op, 'image', () => {
    if (typeof image !== 'object' || image === null) throw wrongKind(op, 'image', WANTED, image);
    // By the tag and not by instanceof: it may be an element of another window.
    const drawable = drawables[Object.prototype.toString.call(image).slice(8, -1)];
    return drawable ? readDrawable(op, image, drawable) : readData(op, image);
  });
}

/** The picture of an object like ImageData, with `data`. */
function readData(op, image) {
  const { data, width, height, colorSpace } = image;
  if (typedDtype(data) !== UINT8) {
    if (data === undefined) throw wrongKind(op, 'image', WANTED, image);
    throw failure(TypeError, 'invalid-argument', op, `image.data must be a Uint8ClampedArray or a Uint8Array, not ${describe(data)}`, { argument: 'image' });
  }
  if (![width, height].every((size) => Number.isInteger(size) && size > 0)) refuse(op, `is ${describe(width)} × ${describe(height)} pixels: both must be positive integers`);
  const length = lengthOf(op, 'image.data', data);
  if (length !== 4 * width * height) refuse(op, `has ${length} bytes of data, and ${width} × ${height} pixels of RGBA take ${4 * width * height}`);
  return { data, width, height, colorSpace: colorSpace === WIDE ? WIDE : undefined };
}

/** The picture of a drawable object, with `source`; the list is its entry in `drawables`. */
function readDrawable(op, image, [widthName, heightName, isReady, why]) {
  const [width, height] = [image[widthName], image[heightName]];
  const isSized = [width, height].every((size) => typeof size === 'number' && size > 0);
  if (!isSized || !isReady(image)) refuse(op, `has no pixels (${describe(width)} × ${describe(height)}): ${why}`);
  return { source: image, width, height };
}

/** Draws a picture to a 2D canvas and returns its bytes. */
export function draw(op, { source, width, height }) {
  try {
    const canvas = globalThis.OffscreenCanvas ? new OffscreenCanvas(width, height) : Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(source, 0, 0, width, height);
    return context.getImageData(0, 0, width, height).data;
  } catch (cause) {
    const isTainted = cause?.name === 'SecurityError';
    return refuse(op, isTainted ? "has pixels of another origin, which the platform does not show: load it with crossOrigin = 'anonymous' from a server that allows it" : `of ${width} × ${height} pixels cannot be drawn: ${cause?.message}`, cause);
  }
}

/** Width and height in pixels, and bytes of a pixel (`channels`), of a tensor that is a picture. Throws for any other tensor. */
export function pictureOf(op, { dtype, shape }) {
  const [height, width, channels = 1] = shape;
  if (dtype !== 'uint8') throw failure(TypeError, 'dtype-mismatch', op, `pictures are uint8, and this tensor is ${dtype}: use astype('uint8') first`);
  const isPicture = (shape.length === 2 || shape.length === 3) && [1, 3, 4].includes(channels) && height > 0 && width > 0;
  if (isPicture) return { width, height, channels };
  const forms = '[h, w, 4] (RGBA), [h, w, 3] (RGB), [h, w, 1] or [h, w] (grey), with at least one pixel';
  throw failure(ValueError, 'invalid-shape', op, `the shape of a picture is ${forms}; this one is ${shapeText(shape)}`, { shapes: { self: shape } });
}

/** An ImageData of a tensor's values in a fresh array, or an object with the same fields if the platform has no ImageData. */
export function imageOf(op, values, { width, height, channels }, colorSpace) {
  let image;
  try {
    const data = channels === 4 ? new Uint8ClampedArray(values.buffer) : widened(values, channels);
    image = typeof globalThis.ImageData === 'function' ? new ImageData(data, width, height, { colorSpace }) : { data, width, height, colorSpace };
  } catch {
    throw outOfMemory(op, 4 * width * height);
  }
  // Older engines ignore the option: their pictures are in sRGB.
  if (colorSpace === WIDE && image.colorSpace !== WIDE) throw failure(RuntimeError, 'engine-too-old', op, `this engine has pictures in sRGB only: say { colorSpace: 'srgb' }, which changes the colours`);
  return image;
}

/** The pixels of RGB (3 channels) or grey (1) as RGBA, opaque. */
function widened(values, channels) {
  const data = new Uint8ClampedArray((values.length / channels) * 4).fill(255);
  const step = channels === 3 ? 1 : 0; // grey: the same byte three times
  for (let from = 0, to = 0; from < values.length; from += channels, to += 4) {
    for (let channel = 0; channel < 3; channel++) data[to + channel] = values[from + channel * step];
  }
  return data;
}
