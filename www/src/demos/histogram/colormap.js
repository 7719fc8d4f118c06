/**
 * Colours for quantities, from pale to deep: lightness runs in a straight line in OKLCH, so equal steps of the value
 * look like equal steps of colour, and the picture survives greyscale. Hue and chroma only add distinction.
 */
const STOPS = [
  // lightness, chroma, hue
  [0.955, 0.035, 110],
  [0.785, 0.115, 160],
  [0.615, 0.105, 200],
  [0.445, 0.105, 250],
  [0.275, 0.085, 285],
];

const SIZE = 256;

/**
 * 256 colours for small to large quantities, each as the bytes red, green, blue and alpha. On a dark page small is dark and large is light.
 * @param {'light' | 'dark'} theme @returns {Uint8ClampedArray} 1024 bytes
 */
export function palette(theme) {
  const colours = new Uint8ClampedArray(SIZE * 4);
  for (let i = 0; i < SIZE; i += 1) {
    const t = theme === 'dark' ? 1 - i / (SIZE - 1) : i / (SIZE - 1);
    colours.set([...toSrgb(...mix(t)), 255], i * 4);
  }
  return colours;
}

/** Lightness, chroma and hue at `t` from 0 to 1, between the stops on either side of it. */
function mix(t) {
  const place = t * (STOPS.length - 1);
  const left = Math.min(Math.floor(place), STOPS.length - 2);
  return STOPS[left].map((value, part) => value + (STOPS[left + 1][part] - value) * (place - left));
}

/** OKLCH, with the hue in degrees, to sRGB from 0 to 255, not rounded (Björn Ottosson's matrices). */
function toSrgb(lightness, chroma, hue) {
  const angle = (hue * Math.PI) / 180;
  const a = chroma * Math.cos(angle);
  const b = chroma * Math.sin(angle);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return linear.map((value) => 255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055));
}
