import { geoAlbers } from 'd3-geo';
import { html, render, svg } from 'lit-html';
import { sameBits } from '../../shared/bits.js';
import { byId } from '../../shared/dom.js';
import { formatNumber, t } from '../../shared/messages.js';
import { loadRoutes } from '../routes/data.js';
import { alignPlaces } from './align.js';
import { RADIUS, lengthsOf } from './lengths.js';
import { Atlas, STEPS } from './train.js';

const WIDTH = 960; // units of the view box, as HEIGHT
const HEIGHT = 560;
const EARTH = 1060; // units of the picture for the radius of the Earth
const LABELS = 12; // airports with the most routes, which are named
const STEPS_A_FRAME = 2; // while the picture moves
const STEPS_A_PAUSE = 20; // while it does not: after so many the page may answer its visitor
const FIRST_SEED = 7;
const nextFrame = () => new Promise((done) => requestAnimationFrame(done));

/** A map of airports that is learned from nothing but the lengths of routes, drawn while it learns. */
export class AtlasPanel {
  #device; // none until the page has chosen: nothing is computed before
  #seed = FIRST_SEED;
  #latest = 0; // number of the newest run; older ones end
  #isMoving = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  #away = null; // while the demo rests: the promise `until` that holds up the run, and `wake`, which resolves it

  constructor() {
    byId('atlas-again').addEventListener('click', () => {
      this.#seed += 1;
      this.#start();
    });
  }

  /** Learns again on this device. */
  show(device) {
    this.#device = device;
    this.#start();
  }

  /** Out of sight: the run waits before its next step, unless it already compares with the CPU. */
  rest() {
    if (this.#away) return;
    let wake;
    const until = new Promise((done) => (wake = done));
    this.#away = { until, wake };
  }

  /** In sight again. */
  wake() {
    this.#away?.wake();
    this.#away = null;
  }

  /** Learns from the beginning, with the seed as it is now. A run that is under way ends before its next step. */
  async #start() {
    if (!this.#device) return;
    const ticket = (this.#latest += 1);
    const isLatest = () => ticket === this.#latest;
    byId('atlas').setAttribute('aria-busy', 'true');
    try {
      const routes = await loadRoutes();
      await this.#learn(lengthsOf(routes), pictureOf(routes), this.#device, isLatest);
    } catch (error) {
      if (isLatest()) byId('atlas-status').textContent = t('demo.stopped', { why: error.message });
    }
    if (isLatest()) byId('atlas').setAttribute('aria-busy', 'false');
  }

  /**
   * Learns, draws, and on a GPU learns once more on the CPU, to compare the bits.
   * @param {ReturnType<typeof lengthsOf>} graph @param {ReturnType<typeof pictureOf>} picture
   * @param {() => boolean} isLatest false as soon as another run has begun, which ends this one
   */
  async #learn(graph, picture, device, isLatest) {
    const seed = this.#seed;
    byId('atlas-routes').textContent = formatNumber(graph.lengths.length);
    byId('atlas-same').textContent = t(device === 'webgpu' ? 'club.none' : 'density.same.choose');
    byId('atlas-status').textContent = t('atlas.running');
    const atlas = new Atlas(graph, seed, device);
    let [computing, places] = [0, null]; // ms of all steps, and what the last one began from
    try {
      for (let step = 1; step <= STEPS; step += 1) {
        await this.#away?.until;
        if (!isLatest()) return;
        const begun = performance.now();
        const state = await atlas.step();
        computing += performance.now() - begun;
        places = state.places;
        const isDrawn = step === STEPS || (this.#isMoving && step % STEPS_A_FRAME === 0);
        if (!isDrawn && step % STEPS_A_PAUSE !== 0) continue;
        if (isDrawn) picture.draw(places);
        byId('atlas-step').textContent = formatNumber(step);
        byId('atlas-error').textContent = t('atlas.km', { km: formatNumber(1000 * state.error, { maximumFractionDigits: 0 }) });
        byId('atlas-time').textContent = t('density.ms', { ms: formatNumber(computing / step, { maximumSignificantDigits: 2 }) });
        await nextFrame();
      }
    } finally {
      atlas.dispose();
    }
    if (!isLatest()) return;
    byId('atlas-status').textContent = t('atlas.done', { steps: STEPS, device: t(`device.${device}`) });
    if (device !== 'webgpu') return;
    const onCpu = await learnOnCpu(graph, seed, isLatest);
    if (isLatest()) byId('atlas-same').textContent = t(sameBits(places, onCpu) ? 'atlas.same' : 'atlas.differ');
  }
}

/** The places that the CPU learns from the same seed, as they were before the last step. Ends early where another run begins. */
async function learnOnCpu(graph, seed, isLatest) {
  const atlas = new Atlas(graph, seed, 'cpu');
  try {
    let last;
    for (let step = 1; step <= STEPS && isLatest(); step += 1) {
      last = (await atlas.step()).places;
      if (step % STEPS_A_PAUSE === 0) await nextFrame();
    }
    return last;
  } finally {
    atlas.dispose();
  }
}

/**
 * The picture: a circle where each airport was learned to be, the larger the more routes it has, and a line from there to where it is.
 * Airports that lie outside of the picture are left out. `draw` takes the places as `Atlas` has them.
 * @param {import('../routes/data.js').Routes} routes @returns {{ draw(places: Float32Array): void }}
 */
function pictureOf({ airports, from, to }) {
  const project = geoAlbers().scale(EARTH).translate([WIDTH / 2, HEIGHT / 2 + 10]); // a little lower: Alaska is left out
  const truth = airports.map(({ place }) => project(place));
  const counted = [...truth.keys()].filter((at) => truth[at][0] > 0 && truth[at][0] < WIDTH && truth[at][1] > 0 && truth[at][1] < HEIGHT);
  const routesOf = new Uint16Array(airports.length);
  for (const end of [...from, ...to]) routesOf[end] += 1;
  const busiest = [...counted].sort((a, b) => routesOf[b] - routesOf[a]).slice(0, LABELS);
  const scale = EARTH / RADIUS; // units for a thousand kilometres
  const round = (number) => number.toFixed(1);
  const draw = (places) => {
    const found = alignPlaces(places, truth, counted, scale).map((place) => place.map(round));
    const each = (at) => svg`<line x1=${found[at][0]} y1=${found[at][1]} x2=${round(truth[at][0])} y2=${round(truth[at][1])}></line>
      <circle cx=${found[at][0]} cy=${found[at][1]} r=${round(2 + Math.sqrt(routesOf[at]) / 2)}><title>${airports[at].code}, ${airports[at].city}</title></circle>`;
    const label = (at) => svg`<text x=${found[at][0]} y=${Number(found[at][1]) + 4} text-anchor="middle">${airports[at].code}</text>`;
    render(
      html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${t('atlas.map')}>${counted.map(each)}${busiest.map(label)}</svg>`,
      byId('atlas-map'),
    );
  };
  return { draw };
}
