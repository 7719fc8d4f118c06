import { html, nothing } from 'lit-html';
import { coordinates, isPicture, offsetOf } from '../../shared/picture.js';
import { t } from '../../shared/messages.js';
import { formOf } from '../forms.js';
import { valuesAfter, writesByPlace } from '../history.js';
import { dtypeOf, readValue, withValue } from '../operand.js';
import { markField } from './fields.js';
import { gridView } from './grid.js';

/** The tensors of a call: self, index and src to edit, and the result at the step that is shown. */
export function tensorsView(state, actions) {
  const { model, steps, result } = state;
  const form = formOf(model);
  const roles = ['self', ...form.args.filter((role) => role !== 'dim' && model[role].kind !== 'scalar')];
  const history = writesByPlace(steps, targetOf(state).shape);
  const isDeep = roles.some((role) => model[role].shape.length > 3);
  return html`${isDeep ? axesView(state, actions) : nothing}
    <div class="tensors">
      ${roles.map((role) => operandView(role, state, actions, history))}
      ${model.src?.kind === 'scalar' ? scalarView(state, actions) : nothing}
      ${steps.length > 0 || isPicture(result) ? html`<div class="after"><span class="arrow" aria-hidden="true">→</span>${resultView(state, actions, history)}</div>` : nothing}
      ${steps.length > 0 ? html`<svg class="arrows" aria-hidden="true"></svg>` : nothing}
    </div>`;
}

/** What the steps write to: self, or the result of a gather, which has no values before. */
function targetOf({ model: { self }, words, result }) {
  if (!words.reads || !isPicture(result)) return { shape: self.shape, values: self.values };
  return { shape: result.shape, values: result.values.map(() => null) };
}

/** Where the axes that are not drawn stand: with the step that is shown, else where the visitor put them. */
function viewOf(role, shape, { steps, at, axes, stands, words }) {
  const step = steps[at - 1];
  const self = words.reads ? step?.source : step?.destination;
  const coordinatesOf = { index: step?.index, src: step?.source, self, result: step?.destination };
  const rank = shape.length;
  const drawn = (axes ?? [rank - 2, rank - 1]).map((axis) => Math.min(axis, rank - 1));
  const different = drawn[0] === drawn[1] ? [rank - 2, rank - 1] : drawn;
  return { axes: different, at: stands ?? coordinatesOf[role] ?? Array(rank).fill(0) };
}

function operandView(role, state, actions, history) {
  const { model, words, editing } = state;
  const operand = model[role];
  const isIndex = role === 'index';
  const edit = (offset, text) => {
    const value = readValue(text, operand);
    if (value === null) return false;
    const next = withValue(operand, offset, value);
    if (!Object.is(next.values[offset], operand.values[offset])) actions.change({ ...model, [role]: next });
    return true;
  };
  const nudge = (offset, by) => nudged(state, offset, by, actions);
  return gridView({
    role,
    label: words.names[role],
    shape: operand.shape,
    dtype: dtypeOf(operand) || (isIndex ? 'int32' : words.dtype),
    values: operand.values,
    marks: (offset) => markOperand(role, offset, state, history),
    view: viewOf(role, operand.shape, state),
    actions: {
      edit,
      nudge: isIndex ? nudge : undefined,
      along: isIndex ? (offset) => direction(state, offset) : undefined,
      editing: editing?.role === role ? editing.offset : null,
      setEditing: (offset) => actions.setEditing(offset === null ? null : { role, offset }),
    },
  });
}

/** The dimension of self in which an index value counts: of tuples, each number has its own. */
function axisOf({ model }, offset) {
  const { self, index, dim } = model;
  if (dim !== undefined) return dim < 0 ? dim + self.shape.length : dim;
  return formOf(model).rule === 'tuples' ? offset % index.shape.at(-1) : 0;
}

/** Where that dimension runs in the picture: the last one to the right, the others down. */
const direction = (state, offset) => (axisOf(state, offset) === state.model.self.shape.length - 1 ? 'x' : 'y');

/**
 * An index entry some places further along its axis; at the ends it stays. A drag counts from where it began, so it may come back
 * to the entry that `model` has: that is a change too.
 */
function nudged(state, offset, by, actions) {
  const { model } = state;
  const { self, index } = model;
  const size = self.shape[axisOf(state, offset)] ?? 0;
  const old = index.values[offset];
  const next = Math.min(size - 1, Math.max(Number(old) < 0 ? -size : 0, Number(old) + by));
  actions.change({ ...model, index: withValue(index, offset, typeof old === 'bigint' ? BigInt(next) : next) });
}

/** What the current step, the opened place and the error say about a cell of an operand. */
function markOperand(role, offset, { model, words, steps, factors, at, failure, opened }) {
  const [classes, notes] = [[], []];
  const shape = model[role].shape;
  const step = steps[at - 1];
  const isAt = (position) => position && offsetOf(position, shape) === offset && position.length === shape.length;
  const tuple = (entry) =>
    entry &&
    formOf(model).rule === 'tuples' &&
    Math.floor(offset / (shape.at(-1) || 1)) === offsetOf(entry, shape.slice(0, -1));
  if (role === 'index' && step && (isAt(step.index) || tuple(step.index))) add('now', t('mark.index'));
  if (role === 'src' && step && isAt(step.source)) add('now', t('mark.source'));
  if (role === 'self' && step && words.reads && isAt(step.source)) add('now read', t('mark.source'));
  if (role === 'self' && step && !words.reads && isAt(step.destination)) add('now', t('mark.destination'));
  const writers = opened ? opened.writes(steps) : [];
  if (
    writers.some(
      ({ index, source }) =>
        (role === 'index' && (isAt(index) || tuple(index))) || (role === (words.reads ? 'self' : 'src') && isAt(source)),
    ) ||
    (opened && factors?.[role]?.places[opened.offset] === offset)
  )
    add('traced', t('mark.traced'));
  const { argument, position } = failure?.facts ?? {};
  if (position && isAt(position) && (argument === role || argument === formOf(model).names[role]))
    add('bad', t('mark.bad'));
  return { classes, notes };

  function add(name, note) {
    classes.push(name);
    notes.push(note);
  }
}

function resultView(state, actions, history) {
  const { model, steps, factors, at, result, words, opened } = state;
  const hasSteps = steps.length > 0;
  const target = targetOf(state);
  const shape = hasSteps ? target.shape : result.shape;
  const values = hasSteps ? valuesAfter(target.values, steps, at, shape) : result.values;
  const step = steps[at - 1];
  const marks = (offset) => {
    if (!hasSteps) return opened?.offset === offset ? { classes: ['traced'], notes: [] } : null;
    const writes = (history.get(offset) ?? []).filter(({ k }) => k < at);
    const isNow = step && offsetOf(step.destination, shape) === offset;
    const classes = [
      isNow && 'now',
      writes.length > 0 && 'written',
      writes.length > 1 && 'met',
      opened?.offset === offset && 'traced',
    ].filter(Boolean);
    const notes = [
      isNow && t('mark.destination'),
      writes.length > 0 && t('mark.writes', { count: writes.length }),
    ].filter(Boolean);
    return { classes, notes, badge: writes.length > 1 ? `×${writes.length}` : undefined };
  };
  const open = (offset) =>
    actions.open(
      opened?.offset === offset
        ? null
        : {
            offset,
            position: coordinates(offset, shape),
            writes: (all) => writesByPlace(all, shape).get(offset) ?? [],
          },
    );
  const label = formOf(model).writes ? t('grid.after', { name: words.names.self }) : t('grid.result');
  return gridView({
    role: 'result',
    label,
    shape,
    dtype: hasSteps ? words.dtype : result.dtype,
    values,
    marks,
    view: viewOf('result', shape, state),
    actions: hasSteps || factors ? { open, editing: null, setEditing: () => {} } : undefined,
  });
}

function scalarView({ model, words }, actions) {
  const commit = (event) => {
    const value = readValue(event.target.value, model.src);
    markField(event.target, value === null);
    if (value !== null && !Object.is(value, model.src.values[0]))
      actions.change({ ...model, src: withValue(model.src, 0, value) });
  };
  return html`<label class="scalar">${words.names.src}<input class="value" value=${String(model.src.values[0])} .value=${String(model.src.values[0])} autocomplete="off" size="4" @change=${commit} /></label>`;
}

/** Above rank 3: which two axes are drawn, and where the others stand: where the step is, or, once a field was changed, there until the next step. */
function axesView({ model, axes }, actions) {
  const rank = Math.max(model.self.shape.length, model.index?.shape.length ?? 0);
  const [row, column] = axes ?? [rank - 2, rank - 1];
  const all = Array.from({ length: rank }, (_, axis) => axis);
  const choice = (label, value, change) => html`<label class="choice">${label}
    <select @change=${(event) => change(Number(event.target.value))}>${all.map((axis) => html`<option value=${axis} .selected=${axis === value}>${axis}</option>`)}</select></label>`;
  const others = all.filter((axis) => axis !== row && axis !== column);
  const stand = (axis) => html`<label class="choice">${t('axes.at', { axis })}
    <input type="number" min="0" max=${Math.max(0, (model.self.shape[axis] ?? 1) - 1)} value="0" @input=${(event) => actions.setStands(standWith(event))} data-axis=${axis} /></label>`;
  const standWith = (event) => {
    const fields = [...event.target.closest('.axes').querySelectorAll('input[data-axis]')];
    const at = Array(rank).fill(0);
    for (const field of fields) at[Number(field.dataset.axis)] = Math.trunc(Number(field.value)) || 0;
    return at;
  };
  return html`<div class="controls axes">
    ${choice(t('axes.rows'), row, (next) => actions.setAxes([next, next === column ? row : column]))}
    ${choice(t('axes.columns'), column, (next) => actions.setAxes([next === row ? column : row, next]))}
    ${others.map(stand)}
  </div>`;
}
