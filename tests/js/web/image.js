// Pictures, in the page that imports this. Each function resolves to data that can be sent to Node.

import { Tensor } from '../../../target/npm/scatterwise/index.js';

/** A picture of 3 × 2 opaque pixels. */
const pixels = Uint8ClampedArray.of(
  ...[255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255],
  ...[255, 255, 0, 255, 0, 255, 255, 255, 17, 34, 51, 255],
);
const imageData = () => new ImageData(pixels, 3, 2);

/** A canvas with a picture on it; `canvas` is changed to its size. */
function canvasOf(image = imageData(), canvas = document.createElement('canvas')) {
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext('2d').putImageData(image, 0, 0);
  return canvas;
}

/** An <img> that shows a canvas, and is loaded. */
async function elementOf(canvas) {
  const image = new Image();
  image.src = canvas.toDataURL('image/png');
  await image.decode();
  return image;
}

/** A video that shows a canvas. */
async function videoOf(canvas) {
  const video = document.createElement('video');
  video.muted = true;
  video.srcObject = canvas.captureStream(30);
  const loaded = new Promise((resolve, reject) => {
    video.onloadeddata = resolve;
    video.onerror = () => reject(video.error);
  });
  // A stream has a frame only when something is drawn on the canvas.
  const drawing = setInterval(() => canvas.getContext('2d').putImageData(imageData(), 0, 0), 20);
  await Promise.all([video.play(), loaded]);
  clearInterval(drawing);
  return video;
}

/** A picture's tensor: its facts and values. */
async function described(image) {
  const t = Tensor.from_image(image);
  return { device: t.device, dtype: t.dtype, shape: t.shape, values: [...(await t.data())] };
}

/** One picture from everything that has one. */
export async function sources() {
  const canvas = canvasOf();
  const frame = new VideoFrame(canvas, { timestamp: 0 });
  const inside = document.body.appendChild(document.createElement('iframe'));
  const found = {
    ImageData: await described(imageData()),
    ImageBitmap: await described(await createImageBitmap(canvas)),
    HTMLCanvasElement: await described(canvas),
    OffscreenCanvas: await described(canvasOf(imageData(), new OffscreenCanvas(1, 1))),
    HTMLImageElement: await described(await elementOf(canvas)),
    VideoFrame: await described(frame),
    HTMLVideoElement: await described(await videoOf(canvasOf())),
    'of a frame': await described(canvasOf(imageData(), inside.contentDocument.createElement('canvas'))),
  };
  frame.close();
  inside.remove();
  return found;
}

/** Pixels of ImageData that are nearly or wholly invisible: in the tensor, in the picture made of it, and by way of a canvas. */
export async function translucent() {
  const image = new ImageData(Uint8ClampedArray.of(200, 100, 50, 1, 10, 20, 30, 0), 2, 1);
  const t = Tensor.from_image(image);
  const back = await t.to_image();
  return { there: [...(await t.data())], back: [...back.data], constructor: back.constructor.name, drawn: (await described(canvasOf(image))).values };
}

/** The colour spaces of an ImageData for wide screens by way of a tensor, of one that is asked for, and what a canvas for wide screens shows of the first. */
export async function wide() {
  const image = new ImageData(Uint8ClampedArray.of(200, 100, 50, 255), 1, 1, { colorSpace: 'display-p3' });
  const t = Tensor.from_image(image);
  const back = await t.to_image();
  const context = new OffscreenCanvas(1, 1).getContext('2d', { colorSpace: 'display-p3' });
  context.putImageData(back, 0, 0);
  const shown = context.getImageData(0, 0, 1, 1, { colorSpace: 'display-p3' });
  const asked = (await t.to_image({ colorSpace: 'srgb' })).colorSpace;
  return { original: image.colorSpace, back: back.colorSpace, values: [...back.data], shown: [...shown.data], asked };
}

/** The result of `run`, and how often it reads pixels of a canvas, instead of having the platform copy them. */
async function readsOf(run) {
  const { prototype } = OffscreenCanvasRenderingContext2D;
  const { getImageData } = prototype;
  let reads = 0;
  prototype.getImageData = function (...args) {
    reads += 1;
    return getImageData.apply(this, args);
  };
  try {
    return { value: await run(), reads };
  } finally {
    prototype.getImageData = getImageData;
  }
}

/**
 * Canvases whose rows of pixels are multiples of 256 bytes, and others: a tensor has the pixels from the time of the call, however they change after
 * it. Also one with options, and one that is too wide for the platform to copy.
 */
export async function copies() {
  /** An opaque picture whose bytes look random (Knuth's multiplicative hash), so that none can stand for another. */
  const noise = (width, height) => new ImageData(Uint8ClampedArray.from({ length: 4 * width * height }, (_, at) => (at % 4 === 3 ? 255 : (at * 2654435761) >>> 24)), width, height);
  const found = [];
  for (const [width, height] of [[64, 5], [128, 64], [63, 7], [1, 300], [300, 1]]) {
    const image = noise(width, height);
    const canvas = canvasOf(image);
    const { value: t, reads } = await readsOf(() => Tensor.from_image(canvas));
    canvas.getContext('2d').clearRect(0, 0, width, height);
    const values = await t.data();
    found.push({ name: `${width} × ${height}`, reads, shape: t.shape, isSame: values.every((value, at) => value === image.data[at]) });
    t.dispose();
  }
  const small = canvasOf();
  const named = Tensor.from_image(small, { dtype: 'float32', shape: [6, 4], name: 'picture' });
  const wide = canvasOf(new ImageData(20_000, 1));
  const { value: long, reads } = await readsOf(() => Tensor.from_image(wide));
  const described = { dtype: named.dtype, shape: named.shape, name: named.name, values: [...(await named.data())] };
  return { found, named: described, pixels: [...pixels], long: { shape: long.shape, reads } };
}

/** The error of a picture that is refused, or the shape of its tensor where it is not. */
function refusal(image) {
  try {
    return { gave: Tensor.from_image(image).shape };
  } catch ({ name, code, op, argument, message }) {
    return { error: { name, code, op, argument, message } };
  }
}

/** Pictures that have no pixels to give. `elsewhere` is the URL of another origin, which does not let this page read its pictures. */
export async function refused(elsewhere) {
  const canvas = canvasOf();
  const [closed, transferred] = await Promise.all([createImageBitmap(canvas), createImageBitmap(canvas)]);
  closed.close();
  structuredClone(transferred, { transfer: [transferred] });
  const frame = new VideoFrame(canvas, { timestamp: 0 });
  frame.close();
  const empty = canvasOf();
  empty.width = 0;
  empty.height = 150;
  const offscreen = new OffscreenCanvas(2, 2);
  new MessageChannel().port1.postMessage(offscreen, [offscreen]);
  const broken = new Image();
  broken.src = 'data:image/png;base64,AAAA';
  await broken.decode().catch(() => {});
  const tainted = new Image();
  tainted.src = `${elsewhere}tests/js/web/pixel.png`;
  await tainted.decode();
  const stained = document.createElement('canvas');
  stained.getContext('2d').drawImage(tainted, 0, 0);
  const unloaded = new Image();
  unloaded.src = `${elsewhere}tests/js/web/pixel.png?${crypto.randomUUID()}`; // one that the browser has is loaded at once
  const images = {
    'closed bitmap': closed,
    'transferred bitmap': transferred,
    'closed frame': frame,
    'canvas without width': empty,
    'transferred canvas': offscreen,
    'image that is not loaded': unloaded,
    'broken image': broken,
    'video that is not loaded': document.createElement('video'),
    'tainted image': tainted,
    'tainted canvas': stained,
  };
  return Object.fromEntries(Object.entries(images).map(([name, image]) => [name, refusal(image)]));
}
