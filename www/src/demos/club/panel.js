import { render, svg } from 'lit-html';
import { sameBits } from '../../shared/bits.js';
import { byId } from '../../shared/dom.js';
import { formatNumber, t } from '../../shared/messages.js';
import { inTurn } from '../device.js';
import { EDGES, INSTRUCTOR, PLACES, PRESIDENT, STAYED } from './data.js';
import { beginning, step } from './messages.js';

const members = [...PLACES.keys()];
const threeDecimals = (value) => formatNumber(value, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
/** The kind of message that the visitor has chosen, 'mean' or 'amax'. */
const kindOfMessage = () => byId('club-how').value;

/** Message passing on a graph of 34 people, step by step. */
export class ClubPanel {
  #device; // none until the page has chosen
  #values; // a number for each member
  #steps = 0; // how many were made since the beginning

  constructor() {
    byId('club-how').addEventListener('change', () => this.#restart());
    byId('club-again').addEventListener('click', () => this.#restart());
    byId('club-step').addEventListener('click', () => this.#go(1));
    byId('club-ten').addEventListener('click', () => this.#go(10));
    this.#restart();
  }

  /** From now on steps are made on this device. */
  show(device) {
    this.#device = device;
    byId('club-same').textContent = t('club.none');
    for (const name of ['step', 'ten']) byId(`club-${name}`).disabled = false;
    byId('club-status').textContent = '';
  }

  /** Begins again, with the numbers that this kind of message begins with. */
  #restart() {
    this.#values = beginning(kindOfMessage());
    this.#steps = 0;
    this.#draw();
  }

  /** Makes `steps` steps. Where the device is the GPU each is also made on the CPU, and the bits are compared. */
  #go(steps) {
    inTurn(async () => {
      for (let at = 0; at < steps; at += 1) {
        const before = this.#values;
        const after = await step(before, kindOfMessage(), this.#device);
        const onCpu = this.#device === 'webgpu' ? await step(before, kindOfMessage(), 'cpu') : null;
        if (this.#values !== before) return; // the visitor has begun again meanwhile
        this.#values = after;
        this.#steps += 1;
        byId('club-same').textContent = onCpu === null ? t('density.same.choose') : t(sameBits(after, onCpu) ? 'ranks.same' : 'ranks.differ');
      }
      this.#draw();
    }).catch((error) => (byId('club-status').textContent = t('demo.stopped', { why: error.message })));
  }

  /** Draws the graph and the numbers beside it: who was reached, and whose sign is that of the side that the member took. */
  #draw() {
    const values = this.#values;
    render(graphView(values), byId('club-graph'));
    const reached = members.filter((at) => values[at] !== 0).length;
    const right = members.filter((at) => values[at] !== 0 && values[at] > 0 === STAYED.has(at)).length;
    byId('club-steps').textContent = formatNumber(this.#steps);
    byId('club-reached').textContent = t('club.of', { count: formatNumber(reached), all: formatNumber(members.length) });
    byId('club-right').textContent = kindOfMessage() === 'mean' ? t('club.of', { count: formatNumber(right), all: formatNumber(members.length) }) : t('club.none');
  }
}

const nameOf = (at) => (at === INSTRUCTOR ? t('club.instructor') : at === PRESIDENT ? t('club.president') : t('club.member', { number: at + 1 }));

/**
 * The graph. A circle stands for a member who stayed with the instructor, a square for one who left; the colour has the sign of the
 * member's value, and is the stronger the larger it is.
 */
function graphView(values) {
  const line = ([one, other]) => svg`<line x1=${PLACES[one][0]} y1=${PLACES[one][1]} x2=${PLACES[other][0]} y2=${PLACES[other][1]} />`;
  const node = (at) => {
    const [x, y] = PLACES[at];
    const value = values[at];
    const side = value > 0 ? 'plus' : value < 0 ? 'minus' : 'nothing';
    const deep = value === 0 ? 0 : 0.25 + 0.75 * Math.abs(value); // a small value still has some colour
    return svg`<g class=${side} style=${`--deep: ${deep}`}>
      <rect x=${x - 14} y=${y - 14} width="28" height="28" rx=${STAYED.has(at) ? 14 : 3} /><text x=${x} y=${y + 5} text-anchor="middle">${at + 1}</text>
      <title>${t('club.value', { name: nameOf(at), value: threeDecimals(value) })}</title>
    </g>`;
  };
  return svg`${EDGES.map(line)}${members.map(node)}`;
}
