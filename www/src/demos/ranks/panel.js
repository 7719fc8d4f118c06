import { geoAlbers } from 'd3-geo';
import { html, render, svg } from 'lit-html';
import { sameBits } from '../../shared/bits.js';
import { byId } from '../../shared/dom.js';
import { formatNumber, t } from '../../shared/messages.js';
import { inTurn } from '../device.js';
import { loadRoutes } from '../routes/data.js';
import { sampleEdges } from './graph.js';
import { ROUNDS, rankNodes } from './rank.js';

const SIZES = [10_000, 100_000, 1_000_000, 3_000_000]; // edges
const WIDTH = 960; // units of the view box, as HEIGHT
const HEIGHT = 560;
const EARTH = 1060; // units of the view box for the radius of the Earth
const CIRCLE = 120; // units for the radius of a circle of rank 1
const TOP = 10; // airports that are named
/** A time in ms as text, with its unit. */
const msText = (value) => t('density.ms', { ms: formatNumber(value, { maximumSignificantDigits: 3 }) });

/** PageRank of the airports: each flight is an edge. Run with and without prepared indices, and timed. */
export class RanksPanel {
  #device; // none until the page has chosen: nothing is computed before
  #running = Promise.resolve(); // ends with the newest run
  #latest = 0; // number of the newest run that was asked for; older ones do not begin

  constructor() {
    const size = byId('ranks-size');
    size.max = String(SIZES.length - 1);
    const say = () => size.setAttribute('aria-valuetext', t('ranks.edges', { edges: formatNumber(SIZES[size.valueAsNumber]) }));
    size.addEventListener('input', say);
    say();
    size.addEventListener('change', () => this.#refresh());
    byId('ranks-again').addEventListener('click', () => this.#refresh());
  }

  /** Runs on this device. */
  show(device) {
    this.#device = device;
    this.#refresh();
  }

  /** Runs for the newest settings; runs follow one another, so that their times are their own. */
  #refresh() {
    const device = this.#device;
    if (!device) return;
    const ticket = (this.#latest += 1);
    byId('ranks').setAttribute('aria-busy', 'true');
    this.#running = this.#running
      .then(loadRoutes) // not in turn: others need not wait for the network
      .then(() => inTurn(() => ticket === this.#latest && this.#run(device)))
      .catch((error) => (byId('ranks-status').textContent = t('demo.stopped', { why: error.message })))
      .then(() => byId('ranks').setAttribute('aria-busy', String(ticket !== this.#latest)));
  }

  /** Ranks without and with plans, and on a GPU also on the CPU; then shows all of it. */
  async #run(device) {
    byId('ranks-status').textContent = t('ranks.running');
    const routes = await loadRoutes();
    const edges = SIZES[byId('ranks-size').valueAsNumber];
    const graph = sampleEdges(routes, edges);
    const plain = await rankNodes(graph, device, { isPlanned: false });
    const planned = await rankNodes(graph, device, { isPlanned: true });
    const same = sameBits(plain.ranks, planned.ranks);
    const onCpu = device === 'webgpu' ? await rankNodes(graph, 'cpu', { isPlanned: true }) : null;
    render(mapView(routes, planned.ranks), byId('ranks-map'));
    render(tableView(routes, planned.ranks), byId('ranks-table'));
    render(barsView(plain, planned), byId('ranks-bars'));
    byId('ranks-edges').textContent = formatNumber(edges);
    byId('ranks-prepare').textContent = msText(planned.prepared);
    byId('ranks-same').textContent = t(same ? 'ranks.same' : 'ranks.differ');
    byId('ranks-devices').textContent =
      onCpu === null ? t('density.same.choose') : t(sameBits(planned.ranks, onCpu.ranks) ? 'ranks.same' : 'ranks.differ');
    byId('ranks-status').textContent = t('ranks.done', { rounds: ROUNDS, device: t(`device.${device}`) });
  }
}

/**
 * A map with a circle for each airport, whose area is as its rank: `ranks[i]` is that of `airports[i]`, whose `place` is its longitude and latitude
 * in degrees. Smaller circles lie over larger ones, and the airports of the highest ranks are named.
 */
function mapView({ airports }, ranks) {
  const project = geoAlbers().scale(EARTH).translate([WIDTH / 2, HEIGHT / 2 + 10]); // a little lower: Alaska is left out
  const order = [...ranks.keys()].sort((a, b) => ranks[b] - ranks[a]);
  const places = airports.map(({ place }) => project(place));
  const circle = (at) => svg`<circle cx=${places[at][0]} cy=${places[at][1]} r=${Math.sqrt(ranks[at]) * CIRCLE}>
    <title>${airports[at].code}, ${airports[at].city}</title>
  </circle>`;
  const label = (at) => svg`<text x=${places[at][0]} y=${places[at][1] + 4} text-anchor="middle">${airports[at].code}</text>`;
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${t('ranks.map')}>
    ${order.map(circle)}${order.slice(0, TOP).map(label)}
  </svg>`;
}

/** The airports of the highest ranks. */
function tableView({ airports }, ranks) {
  const best = [...ranks.keys()].sort((a, b) => ranks[b] - ranks[a]).slice(0, TOP);
  return html`<table>
    <caption>${t('ranks.table')}</caption>
    <thead><tr><th scope="col">${t('ranks.airport')}</th><th scope="col">${t('ranks.rank')}</th></tr></thead>
    <tbody>
      ${best.map((at) => html`<tr><th scope="row">${airports[at].code} ${airports[at].city}</th><td>${ranks[at].toFixed(6)}</td></tr>`)}
    </tbody>
  </table>`;
}

/** The times of a round without and with plans, as bars. */
function barsView(plain, planned) {
  const most = Math.max(plain.ms, planned.ms);
  const bar = (label, value) => html`<div class="bar-row">
    <span>${label}</span><span class="bar-track"><span class="bar-fill" style=${`inline-size: ${(100 * value) / most}%`}></span></span><span>${msText(value)}</span>
  </div>`;
  return html`${bar(t('ranks.plain'), plain.ms)}${bar(t('ranks.planned'), planned.ms)}`;
}
