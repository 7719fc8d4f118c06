import { errorIn } from './imports.js';
import { openSandbox } from './sandbox.js';
import { transform } from './transform.js';

/**
 * What a run did. `ended` is null while it runs, and 'late' where the limit ended it; `left` outputs came after those that are kept; `ms` is what
 * the code took, `again` what it took the second time, if it ran twice, `failure` the error that ended it, `line` the line where it was thrown or parsing ended (0 if unknown), and `info` what the library's `backend()` said at the start.
 * @typedef {{ device: string, outputs: Output[], left: number, ended: null | 'done' | 'failed' | 'stopped' | 'late', ms?: number, again?: number, failure?: object, line?: number, info?: object }} Run
 * @typedef {{ kind: string, line: number, values: Value[] }} Output `kind` is 'value', 'show', 'log',
 *   'warn' or 'error'; `line` is 0 where none is known
 * @typedef {import('./describe.js').Described & { canvas?: HTMLCanvasElement }} Value a drawing is on `canvas`
 */

const MOST_OUTPUTS = 500;

/**
 * Runs code on one device in a sandbox of its own, which is closed `limit` ms after the library has started in it, if the code has not ended
 * by then. With `isTwice` the code runs a second time, for its time alone: what it shows then is left out. `changed` is called with the run whenever there is more of it.
 * @param {{ code: string, device: 'cpu' | 'webgpu', limit: number, isTwice?: boolean, hasThreads?: boolean }} job @param {(run: Run) => void} changed
 * @returns {{ finished: Promise<Run>, stop(): void }} `finished` resolves however the run ends
 */
export function startRun({ code, device, limit, isTwice = false, hasThreads = false }, changed) {
  /** @type {Run} */
  const run = { device, outputs: [], left: 0, ended: null };
  let timer = 0;
  let finish;
  const finished = new Promise((resolve) => (finish = resolve));
  /** Ends the run, unless it has ended. */
  const end = (how, more = {}) => {
    if (run.ended) return;
    clearTimeout(timer);
    close();
    Object.assign(run, more, { ended: how });
    changed(run);
    finish(run);
  };
  /** Takes a message of the worker. */
  const hear = ({ type, ...data }) => {
    if (type === 'ready') {
      run.info = data.info;
      timer = setTimeout(() => end('late'), limit); // the start of the library does not count
    } else if (type === 'output') {
      const earlier = earlierDrawing(run, data);
      if (earlier) redraw(earlier, data);
      else if (run.outputs.length === MOST_OUTPUTS) {
        run.left += 1; // said when the run ends: code can log more often than a page can draw
        return;
      } else run.outputs.push({ ...data, values: data.values.map(drawn) });
      changed(run);
    } else if (type === 'done') end('done', { ms: data.ms, again: data.again });
    else if (type === 'failed') end('failed', { failure: data.failure, line: lineOf(code, data.failure) || data.line });
  };
  changed(run);
  const close = openSandbox({ code: transform(code), device, isTwice, hasThreads }, hear);
  return { finished, stop: () => end('stopped') };
}

/** Whether a value is a drawing. Code that is not ours can post anything. */
const isDrawing = (value) => value?.drawing?.bitmap instanceof ImageBitmap;

/** The earlier output of the canvas that a new one begins with. The new one takes its place: so code can animate. */
const earlierDrawing = ({ outputs }, { values: [first] }) =>
  isDrawing(first) && outputs.find(({ values }) => values[0]?.canvas && values[0].drawing.id === first.drawing.id);

/** Puts a drawing on a canvas of the page, which gets its size. */
function paint(canvas, { bitmap }) {
  const { width, height } = bitmap;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  canvas.getContext('bitmaprenderer').transferFromImageBitmap(bitmap);
}

/** A value; a drawing with a canvas of its own. */
function drawn(value) {
  if (!isDrawing(value)) return value;
  const canvas = document.createElement('canvas');
  paint(canvas, value.drawing);
  return { ...value, canvas };
}

/** Puts a new drawing on the canvas of the earlier output, and the other values in the place of those there. */
function redraw(earlier, { values: [{ drawing }, ...others] }) {
  const [first] = earlier.values;
  paint(first.canvas, drawing);
  earlier.values = [first, ...others.map(drawn)];
}

/** The line of code that does not parse, for the error of running it; 0 for any other error. */
function lineOf(code, { name }) {
  const at = name === 'SyntaxError' ? errorIn(code) : -1;
  return at < 0 ? 0 : code.slice(0, at).split('\n').length;
}

/**
 * Whether two runs of the same code gave the same bits: how many tensors were compared, and the first difference, or null. It has the two values,
 * unless shapes or dtypes differ or one run showed more tensors. Its line is 0 where none is known: what `show()` shows has none, nor has a
 * tensor that only one run showed.
 * @param {Run} a @param {Run} b
 * @returns {{ count: number, difference: { line: number, values?: [number | bigint, number | bigint] } | null }}
 */
export function compareRuns(a, b) {
  const [mine, theirs] = [tensorsOf(a), tensorsOf(b)];
  const count = Math.min(mine.length, theirs.length);
  for (let at = 0; at < count; at += 1) {
    const [one, other] = [mine[at], theirs[at]];
    if (one.shape.join() !== other.shape.join() || one.dtype !== other.dtype)
      return { count, difference: { line: one.line } };
    const place = one.values.findIndex((value, i) => !Object.is(value, other.values[i]));
    if (place >= 0) return { count, difference: { line: one.line, values: [one.values[place], other.values[place]] } };
  }
  return { count, difference: mine.length === theirs.length ? null : { line: 0 } };
}

/** All tensors that a run showed, each with the line that showed it. */
const tensorsOf = ({ outputs }) =>
  outputs.flatMap(({ values, line }) =>
    values.filter(({ tensor }) => tensor).map(({ tensor }) => ({ ...tensor, line })),
  );
