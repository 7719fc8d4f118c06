import { html, render, svg } from 'lit-html';
import { assetAddress } from '../../shared/address.js';
import { byId } from '../../shared/dom.js';
import { fetched } from '../../shared/load.js';
import { formatNumber, t } from '../../shared/messages.js';
import { inTurn } from '../device.js';
import { LEVELS, develop } from './compute.js';
import { modes } from './gains.js';
import { drawPicture, readPicture } from './picture.js';

const levers = [0, 1, 2];
const lever = (at) => byId(`image-lever-${at}`);
/** What the levers are for in each mode, as keys of the messages; null: hidden. */
const names = { channel: ['red', 'green', 'blue'], row: ['top', null, 'bottom'], column: ['left', null, 'right'] };

/** A picture, a gain along one of its axes, and the histogram of the result. */
export class ImagePanel {
  #device; // none until the page has chosen: nothing is computed before
  #picture;
  #asked = 0; // pictures asked for
  #read = 0; // which of them is shown
  #problem = ''; // why the newest one cannot be
  #running = false;
  #stale = false; // the settings have changed since the newest run began

  constructor() {
    byId('image-mode').addEventListener('change', () => this.#refresh());
    for (const at of levers) lever(at).addEventListener('input', () => this.#refresh());
    byId('image-file').addEventListener('change', ({ target }) => {
      if (target.files[0]) this.#open(target.files[0], () => t('image.unreadable'));
    });
    byId('image-reset').addEventListener('click', () => {
      for (const at of levers) lever(at).value = '1';
      this.#refresh();
    });
    const cat = fetched(assetAddress('pictures/cat.webp')).then((response) => response.blob());
    this.#open(cat, (error) => t('image.missing', { why: error.message }));
  }

  /** Computes on this device from now on. */
  show(device) {
    this.#device = device;
    this.#refresh();
  }

  /**
   * Shows a picture, unless one asked for later was read before it.
   * @param {Blob | Promise<Blob>} coming @param {(error: Error) => string} failed says why it failed
   */
  async #open(coming, failed) {
    const ticket = (this.#asked += 1);
    let picture = null;
    let problem = '';
    try {
      picture = await readPicture(await coming);
    } catch (error) {
      problem = failed(error);
    }
    if (ticket < this.#read) return;
    if (ticket === this.#asked) {
      this.#problem = problem;
      byId('image-status').textContent = problem;
    }
    if (!picture) return;
    [this.#picture, this.#read] = [picture, ticket];
    this.#refresh();
  }

  /** Runs with the settings as they are. While a run is under way another is only noted, and follows it. */
  async #refresh() {
    this.#stale = true;
    if (this.#running || !this.#picture || !this.#device) return;
    this.#running = true;
    try {
      while (this.#stale) {
        this.#stale = false;
        await inTurn(() => this.#run());
      }
    } catch (error) {
      byId('image-status').textContent = t('demo.stopped', { why: error.message });
    } finally {
      this.#running = false;
    }
  }

  /** Multiplies the picture, and shows it with its histogram and the call. */
  async #run() {
    const mode = byId('image-mode').value;
    this.#label(mode);
    const gains = levers.map((at) => lever(at).valueAsNumber);
    const { values, counts } = await develop(this.#picture, mode, gains, this.#device);
    drawPicture(byId('image-canvas'), values, this.#picture);
    render(curves(counts), byId('image-histogram'));
    const { height, width } = this.#picture;
    const { axis, shape } = modes[mode];
    byId('image-call').textContent = `elementwise_mul(x, y, { axis: ${axis} })   // x (3, ${height}, ${width}), y (${shape(this.#picture)[0]},)`;
    const white = [0, 1, 2].reduce((sum, channel) => sum + counts[channel * LEVELS + LEVELS - 1], 0);
    byId('image-readout').textContent = t('image.readout', { values: formatNumber(3 * height * width), white: formatNumber(white) });
    byId('image-status').textContent = this.#problem; // no longer that a run failed
  }

  /** Names the sliders for a mode, and hides one that it does not use. */
  #label(mode) {
    for (const at of levers) {
      const name = names[mode][at];
      lever(at).closest('.lever').hidden = name === null;
      if (name) byId(`image-lever-${at}-name`).textContent = `${t(`image.${name}`)} × ${formatNumber(lever(at).valueAsNumber, { minimumFractionDigits: 2 })}`;
    }
  }
}

/**
 * Three curves over the levels. The highest count sets the scale, but for those of black and white: white has all that is too bright, and
 * the curves are cut off there.
 */
function curves(counts) {
  const most = Math.max(1, ...counts.filter((_count, at) => at % LEVELS !== LEVELS - 1 && at % LEVELS !== 0));
  const line = (channel) =>
    Array.from({ length: LEVELS }, (_each, level) => {
      const height = Math.min(1, counts[channel * LEVELS + level] / most);
      return `${level},${(100 * (1 - height)).toFixed(1)}`;
    }).join(' ');
  const one = (name, channel) => svg`<polyline class=${`curve ${name}`} points=${line(channel)}></polyline>`;
  return html`<svg viewBox="0 0 255 100" preserveAspectRatio="none" role="img" aria-label=${t('image.histogram')}>
    ${names.channel.map(one)}
  </svg>`;
}
