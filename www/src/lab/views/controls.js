import { html, nothing } from 'lit-html';
import { t } from '../../shared/messages.js';
import { formOf, signOf } from '../forms.js';
import { dtypeOf, toScalar, toTensor } from '../operand.js';

/** Those of Paddle's activations that are offered. */
const activations = ['relu', 'relu6', 'abs', 'square', 'sigmoid', 'tanh', 'round', 'gelu'];

/**
 * The controls that change a call, apart from its numbers.
 * @param {{ id: string, model: import('../code.js').Model }} state `id` begins the ids of the fields
 * @param {(model: import('../code.js').Model) => void} change gets the call as a visitor changed it
 */
export function controlsView({ id, model }, change) {
  const form = formOf(model);
  return html`<div class="controls">
    ${form.args.includes('dim') ? dimView(id, model, change) : nothing}
    ${form.words ? reduceView(id, model, change) : nothing}
    ${form.options.includes('sum') && (signOf(model) === '+' || model.sum) ? sumView(id, model, change) : nothing}
    ${form.options.includes('axis') ? axisView(id, model, change) : nothing}
    ${form.options.includes('rounding') ? roundingView(id, model, change) : nothing}
    ${form.options.includes('act') ? actView(id, model, change) : nothing}
    ${model.src && ['axis', 'tuples', 'rows'].includes(form.rule) ? sourceView(model, change) : nothing}
  </div>`;
}

function dimView(id, model, change) {
  const rank = model.self.shape.length;
  const axis = model.dim < 0 ? model.dim + rank : model.dim;
  const option = (dim) =>
    html`<label><input type="radio" name=${`${id}-dim`} value=${dim} .checked=${dim === axis} @change=${() => change({ ...model, dim })} /><span>${dim}</span></label>`;
  return html`<fieldset class="switch"><legend>dim</legend>${Array.from({ length: rank }, (_, dim) => option(dim))}</fieldset>`;
}

/**
 * A choice of one word. An unknown value is offered first, so that the field always shows the call's value.
 * @param {[value: string, text: string][]} known @param {(value: string) => void} change
 */
function select(id, label, known, value, change) {
  const options = known.some(([key]) => key === value) ? known : [[value, value], ...known];
  return html`<label class="choice" for=${id}>${label}
    <select id=${id} @change=${(event) => change(event.target.value)}>
      ${options.map(([key, text]) => html`<option value=${key} .selected=${key === value}>${text}</option>`)}
    </select>
  </label>`;
}

/** The words of `reduce`. Where it is an option, '' is for none of them, which replaces. */
function reduceView(id, model, change) {
  const { words, isWord } = formOf(model);
  const options = [...(isWord ? [] : [['', t('controls.replace')]]), ...words.map((word) => [word, word])];
  return select(`${id}-reduce`, 'reduce', options, model.reduce ?? '', (value) =>
    change({ ...model, reduce: value || null }),
  );
}

/** The two definitions of a sum. 'ordered' is the default, and not written. */
function sumView(id, model, change) {
  const options = ['ordered', 'exact'].map((word) => [word, word]);
  return select(`${id}-sum`, 'sum', options, model.sum ?? 'ordered', (value) => change({ ...model, sum: value === 'ordered' ? null : value }));
}

/** The axes that are allowed. −1, the default, aligns y at the right. */
function axisView(id, model, change) {
  const options = [-1, ...model.self.shape.keys()].map((axis) => [String(axis), String(axis)]);
  return select(`${id}-axis`, 'axis', options, String(model.axis ?? -1), (value) =>
    change({ ...model, axis: Number(value) }),
  );
}

/** How quotients are rounded to whole numbers; '' is for not at all. */
function roundingView(id, model, change) {
  const options = [['', t('controls.no-act')], ...['trunc', 'floor'].map((word) => [word, word])];
  return select(`${id}-rounding`, 'rounding', options, model.rounding ?? '', (value) => change({ ...model, rounding: value || null }));
}

/** The activations; '' is for none. */
function actView(id, model, change) {
  const options = [['', t('controls.no-act')], ...activations.map((name) => [name, name])];
  return select(`${id}-act`, 'act', options, model.act ?? '', (value) => change({ ...model, act: value || null }));
}

/** A tick that turns src into one number, or the number into a tensor of the shape that the operator's rule asks for. */
function sourceView(model, change) {
  const isScalar = model.src.kind === 'scalar';
  const { names, rule } = formOf(model);
  const shape = {
    axis: model.index.shape,
    tuples: [...model.index.shape.slice(0, -1), ...model.self.shape.slice(model.index.shape.at(-1))],
    rows: [...model.index.shape, ...model.self.shape.slice(1)],
  }[rule];
  // The tensor has self's dtype where self names one.
  const turn = () =>
    change({
      ...model,
      src: isScalar
        ? { ...toTensor(model.src, shape, model.self.dtype && dtypeOf(model.self)), name: names.src }
        : toScalar(model.src),
    });
  return html`<label class="tick"><input type="checkbox" .checked=${isScalar} @change=${turn} /> ${t('controls.scalar', { name: names.src })}</label>`;
}
