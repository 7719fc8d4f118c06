const LARGEST = 640; // pixels of the longer side: what a phone still computes at once

/**
 * A picture as numbers from 0 to 255, by channel (red, green, blue), row and column.
 * @typedef {{ values: Float32Array, height: number, width: number }} Picture
 */

/** Reads a picture, made smaller if its longer side has more than LARGEST pixels. Alpha is dropped. @param {ImageBitmapSource} source @returns {Promise<Picture>} */
export async function readPicture(source) {
  const bitmap = await createImageBitmap(source);
  const scale = Math.min(1, LARGEST / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [bitmap.width, bitmap.height].map((size) => Math.max(1, Math.round(size * scale)));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const { data } = context.getImageData(0, 0, width, height);
  const pixels = width * height;
  const values = new Float32Array(3 * pixels);
  for (let at = 0; at < pixels; at += 1) {
    for (let channel = 0; channel < 3; channel += 1) values[channel * pixels + at] = data[4 * at + channel];
  }
  return { values, height, width };
}

/**
 * Draws values, which are rounded and cut off to 0 … 255 as they enter the image.
 * @param {HTMLCanvasElement} canvas @param {Float32Array} values by channel, row and column @param {{ height: number, width: number }} size
 */
export function drawPicture(canvas, values, { height, width }) {
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  const image = context.createImageData(width, height);
  const pixels = width * height;
  for (let at = 0; at < pixels; at += 1) {
    for (let channel = 0; channel < 3; channel += 1) image.data[4 * at + channel] = values[channel * pixels + at];
    image.data[4 * at + 3] = 255;
  }
  context.putImageData(image, 0, 0);
}
