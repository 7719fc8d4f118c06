import { html, nothing } from 'lit-html';
import { coordinates, isPicture, offsetOf } from '../../shared/picture.js';
import { t } from '../../shared/messages.js';
import { formOf } from '../forms.js';
import { valuesAfter, writesByPlace } from '../history.js';
import { dtypeOf, readValue, withValue } from '../operand.js';
import { markField } from './fields.js';
import { gridView } from './grid.js';

/**
 * What is drawn. `at` steps are made, and step `at` − 1 is shown. `editing` is the cell that is a field now, `opened` the element of the result
 * whose origin is shown; its `writes` finds the steps of that element among all. `axes` and `slice` are what the visitor chose above rank 3:
 * the two axes to draw, and the coordinates of the slice, of which those on the two axes do not count.
 * @typedef {{ model: import('../code.js').Model, words: import('./player.js').Words, steps: import('../history.js').Step[],
 *   factors?: import('../../engine/client.js').Factors | null, at: number, result?: import('../../shared/picture.js').Picture | null,
 *   failure: import('../../engine/client.js').Failure | null, editing: { role: string, offset: number } | null, opened: Opened | null,
 *   axes: [number, number] | null, slice: number[] | null }} State
 * @typedef {{ offset: number, position: number[], writes(steps: object[]): object[] }} Opened
 * @typedef {{ change(model: import('../code.js').Model): void, setEditing(cell: State['editing']): void, open(element: Opened | null): void,
 *   setAxes(axes: [number, number]): void, setSlice(at: number[]): void }} Actions
 */

/** The tensors of a call: self, index and src to edit, and the result after the step that is shown. @param {State} state @param {Actions} actions */
export function tensorsView(state, actions) {
  const { model, steps, result } = state;
  const form = formOf(model);
  const roles = ['self', ...form.args.filter((role) => role !== 'dim' && model[role].kind !== 'scalar')];
  const history = writesByPlace(steps, targetOf(state).shape);
  const isAboveRank3 = roles.some((role) => model[role].shape.length > 3);
  return html`${isAboveRank3 ? axesView(state, actions) : nothing}
    <div class="tensors">
      ${roles.map((role) => operandView(role, state, actions))}
      ${model.src?.kind === 'scalar' ? scalarView(state, actions) : nothing}
      ${steps.length > 0 || isPicture(result) ? html`<div class="after"><span class="arrow" aria-hidden="true">→</span>${resultView(state, actions, history)}</div>` : nothing}
      ${steps.length > 0 ? html`<svg class="arrows" aria-hidden="true"></svg>` : nothing}
    </div>`;
}

/** What the steps write to: self, or the result of a gather, which has no values (null) before them. @param {State} state */
function targetOf({ model: { self }, words, result }) {
  if (!words.reads || !isPicture(result)) return { shape: self.shape, values: self.values };
  return { shape: result.shape, values: result.values.map(() => null) };
}

/**
 * Which slice of a tensor above rank 3 is drawn: at the coordinates that the visitor set, else at the element that the shown step touches, or at 0.
 * @param {string} role @param {number[]} shape @param {State} state @returns {import('./grid.js').View}
 */
function viewOf(role, shape, { steps, at, axes, slice, words }) {
  const step = steps[at - 1];
  const self = words.reads ? step?.source : step?.destination;
  const coordinatesOf = { index: step?.index, src: step?.source, self, result: step?.destination };
  const rank = shape.length;
  // The axes were chosen for the largest rank of the call: here they may not exist, or be the same.
  const drawn = (axes ?? [rank - 2, rank - 1]).map((axis) => Math.min(axis, rank - 1));
  const different = drawn[0] === drawn[1] ? [rank - 2, rank - 1] : drawn;
  return { axes: different, at: slice ?? coordinatesOf[role] ?? Array(rank).fill(0) };
}

/** An operand, whose values a visitor can edit; the values of an index can also be pushed. */
function operandView(role, state, actions) {
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
  return gridView({
    role,
    label: words.names[role],
    shape: operand.shape,
    dtype: dtypeOf(operand) || (isIndex ? 'int32' : words.dtype),
    values: operand.values,
    marks: (offset) => markOperand(role, offset, state),
    view: viewOf(role, operand.shape, state),
    actions: {
      edit,
      nudge: isIndex ? (offset, by) => moveEntry(state, offset, by, actions, 1) : undefined,
      drag: isIndex ? (offset, by) => moveEntry(state, offset, by, actions, 0) : undefined,
      along: isIndex ? (offset) => direction(state, offset) : undefined,
      editing: editing?.role === role ? editing.offset : null,
      setEditing: (offset) => actions.setEditing(offset === null ? null : { role, offset }),
    },
  });
}

/** The dimension of self in which the index value at this offset counts. In tuples each number has its own. @param {State} state */
function axisOf({ model }, offset) {
  const { self, index, dim } = model;
  if (dim !== undefined) return dim < 0 ? dim + self.shape.length : dim;
  return formOf(model).rule === 'tuples' ? offset % index.shape.at(-1) : 0;
}

/** Where that dimension runs in the picture: the last one to the right, 'x', the others down, 'y'. */
const direction = (state, offset) => (axisOf(state, offset) === state.model.self.shape.length - 1 ? 'x' : 'y');

/**
 * Moves an index entry by some places along its axis. A drag ends where the axis does, and keeps the sign. Keys lead through all values that
 * are allowed and `beyond` them, so that they show the error too. A drag counts from where it began, so it may come back to the entry that
 * `model` has: that is a change too.
 * @param {State} state @param {number} offset of the entry @param {number} by @param {Actions} actions @param {0 | 1} beyond
 */
function moveEntry(state, offset, by, actions, beyond) {
  const { model } = state;
  const { self, index } = model;
  const size = self.shape[axisOf(state, offset)] ?? 0;
  if (size === 0) return; // no entry is in range
  const old = index.values[offset];
  const least = beyond || Number(old) < 0 ? -size - beyond : 0;
  const next = Math.min(size - 1 + beyond, Math.max(least, Number(old) + by));
  actions.change({ ...model, index: withValue(index, offset, typeof old === 'bigint' ? BigInt(next) : next) });
}

/** How a cell of an operand is marked: by the step that is shown, by the opened element of the result, and by the error. @returns {import('./grid.js').Mark} */
function markOperand(role, offset, { model, words, steps, factors, at, failure, opened }) {
  const [classes, notes] = [[], []];
  const shape = model[role].shape;
  const step = steps[at - 1];
  const isAt = (position) => position && offsetOf(position, shape) === offset && position.length === shape.length;
  /** Whether the cell is a number of the index tuple at this position. */
  const isInTuple = (entry) =>
    entry &&
    formOf(model).rule === 'tuples' &&
    Math.floor(offset / (shape.at(-1) || 1)) === offsetOf(entry, shape.slice(0, -1));
  if (role === 'index' && step && (isAt(step.index) || isInTuple(step.index))) add('now', t('mark.index'));
  if (role === 'src' && step && isAt(step.source)) add('now', t('mark.source'));
  if (role === 'self' && step && words.reads && isAt(step.source)) add('now read', t('mark.source'));
  if (role === 'self' && step && !words.reads && isAt(step.destination)) add('now', t('mark.destination'));
  const writers = opened ? opened.writes(steps) : [];
  if (
    writers.some(
      ({ index, source }) =>
        (role === 'index' && (isAt(index) || isInTuple(index))) || (role === (words.reads ? 'self' : 'src') && isAt(source)),
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

/**
 * The result. Where there are steps it is the target after those that were made. Where there are none it is what the library gave: of a
 * product, of a call that writes nothing or has too many steps, and while the steps of another kind of call are awaited. A click on an
 * element opens its origin, or closes it, where there are steps or factors.
 * @param {Map<number, import('../history.js').Step[]>} history the steps by the offset of the element that they write
 */
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

/** The field of a source that is one number. */
function scalarView({ model, words }, actions) {
  const commit = (event) => {
    const value = readValue(event.target.value, model.src);
    markField(event.target, value === null);
    if (value !== null && !Object.is(value, model.src.values[0]))
      actions.change({ ...model, src: withValue(model.src, 0, value) });
  };
  return html`<label class="scalar">${words.names.src}<input class="value" value=${String(model.src.values[0])} .value=${String(model.src.values[0])} autocomplete="off" size="4" @change=${commit} /></label>`;
}

/**
 * Above rank 3: fields for the two axes to draw, and for the coordinates of the slice on the others. The slice follows the steps until a field
 * is changed, and again from the next step on. To choose one axis twice swaps the two.
 */
function axesView(state, actions) {
  const { model, axes } = state;
  const rank = Math.max(model.self.shape.length, model.index?.shape.length ?? 0);
  const [row, column] = axes ?? [rank - 2, rank - 1];
  const all = Array.from({ length: rank }, (_, axis) => axis);
  const choice = (label, value, change) => html`<label class="choice">${label}
    <select @change=${(event) => change(Number(event.target.value))}>${all.map((axis) => html`<option value=${axis} .selected=${axis === value}>${axis}</option>`)}</select></label>`;
  const others = all.filter((axis) => axis !== row && axis !== column);
  const { at } = viewOf('self', model.self.shape, state);
  const coordinateView = (axis) => html`<label class="choice">${t('axes.at', { axis })}
    <input type="number" min="0" max=${Math.max(0, (model.self.shape[axis] ?? 1) - 1)} .value=${String(at[axis] ?? 0)} @input=${(event) => actions.setSlice(coordinatesIn(event))} data-axis=${axis} /></label>`;
  /** The coordinates in all fields, with 0 on the axes that are drawn. */
  const coordinatesIn = (event) => {
    const fields = [...event.target.closest('.axes').querySelectorAll('input[data-axis]')];
    const at = Array(rank).fill(0);
    for (const field of fields) at[Number(field.dataset.axis)] = Math.trunc(Number(field.value)) || 0;
    return at;
  };
  return html`<div class="controls axes">
    ${choice(t('axes.rows'), row, (next) => actions.setAxes([next, next === column ? row : column]))}
    ${choice(t('axes.columns'), column, (next) => actions.setAxes([next === row ? column : row, next]))}
    ${others.map(coordinateView)}
  </div>`;
}
