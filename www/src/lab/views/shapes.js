import { html, nothing } from 'lit-html';
import { t } from '../../shared/messages.js';
import { sizeOf } from '../operand.js';
import { markField } from './fields.js';

const marks = { ok: '✓', bad: '✗', free: '∗', stretch: '↔', ignored: '1', none: '' };
const MOST_ELEMENTS = 600; // of a tensor, by a field here: as many as a grid draws
const MOST_DIMENSIONS = 8; // as many as the operators take

/**
 * The shapes of a call, dimension by dimension, with a field to change each.
 * @param {{ id: string, model: import('../code.js').Model, chart: import('../shapes.js').Chart, names: Record<string, string>, isOpen: boolean }} state
 * @param {(role: string, shape: number[]) => void} change @param {(isOpen: boolean) => void} toggled hears when a visitor opens or closes it
 */
export function shapesView({ id, model, chart, names, isOpen }, change, toggled) {
  const { heads, rows, rules, fits } = chart;
  const body = rows.map(
    ({ role, cells }) => html`<tr>
    <th scope="row">${names[role] ?? t('grid.result')}</th>
    ${cells.map(({ size, state }) => html`<td class=${`size ${state}`}>${size ?? (state === 'none' ? '' : state === 'stretch' ? '·' : '–')}<span class="sign" aria-hidden="true">${marks[state]}</span>${state === 'none' ? nothing : html`<span class="hidden">${t(`shapes.${state}`)}</span>`}</td>`)}
  </tr>`,
  );
  const fields = rows.filter(({ role }) => model[role] && model[role].kind !== 'scalar');
  return html`<details class="shapes" ?open=${isOpen} @toggle=${(event) => toggled(event.target.open)}>
    <summary>${t('shapes.title')} <span class=${fits ? 'fits' : 'clash'}>${fits ? `✓ ${t('shapes.fit')}` : `✗ ${t('shapes.clash')}`}</span></summary>
    <div class="shape-fields">${fields.map(({ role }) => fieldView(`${id}-${role}-shape`, names[role], model[role].shape, (shape) => change(role, shape)))}</div>
    <div class="scroll" tabindex="0" role="region" aria-label=${t('shapes.title')}>
      <table class="chart">
        <thead><tr><td></td>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
        <tbody>${body}</tbody>
      </table>
    </div>
    ${rules.map((rule) => html`<p class="rule">${t(rule)}</p>`)}
  </details>`;
}

/** The field of a shape. It takes whole numbers with commas, blanks or crosses between them; another text is marked as refused. */
function fieldView(id, name, shape, change) {
  // Only a shape that is typed to its end counts: those on the way to it would drop numbers.
  const commit = (event) => {
    const sizes = event.target.value
      .split(/[\s,×x]+/)
      .filter(Boolean)
      .map(Number);
    const isShape =
      sizes.every((size) => Number.isInteger(size) && size >= 0) && sizes.length <= MOST_DIMENSIONS && sizeOf(sizes) <= MOST_ELEMENTS;
    markField(event.target, !isShape);
    if (isShape) change(sizes);
  };
  return html`<label for=${id}>${t('shapes.field', { name })}
    <input id=${id} class="shape" value=${shape.join(', ')} .value=${shape.join(', ')} inputmode="numeric" autocomplete="off" size="10" @change=${commit} />
  </label>`;
}
