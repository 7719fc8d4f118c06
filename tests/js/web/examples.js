// The examples in the documentation: finds them, runs them in the page or worker that imports this, and compares what
// their comments say with what they do. docs/operators/README.md explains the comments to writers of examples.

import * as files from '../../../target/npm/scatterwise/files.js';
import * as library from '../../../target/npm/scatterwise/index.js';

const scatterwise = { ...library, ...files };
const { Tensor, backend, sync } = scatterwise;
const all = Object.keys(scatterwise).filter((name) => name !== 'default');
const AsyncFunction = (async () => {}).constructor;
/** The words that end a comment where an error has to come, on WebGPU, when something is read, and not at once. */
const LATER = ', on WebGPU at the next read';

/**
 * Runs every example of a page. A promise is a comment's claim about its statement. Resolves to the number of promises (`ran`) and of kept
 * ones (`passed`), the faults (`faults`, each with `line`, `expected` and `got`), and the line of each example that is for another device
 * (`skipped`). `names` are those of the library that the examples may use, as the page's import line has them; `given` are further ones.
 */
export async function runExamples(markdown, given = {}, names = all) {
  const outcome = { ran: 0, passed: 0, faults: [], skipped: [] };
  for (const { line, device, statements } of examplesOf(markdown)) {
    if (device && device !== backend().device) outcome.skipped.push(line);
    else await runExample(line, statements, given, names, outcome);
  }
  return outcome;
}

/**
 * Runs one example, whose code begins at `line` of its page, and adds to the outcome. Its statements are compiled into one function, which
 * calls the `tools`: `$at` before each statement, from which on `line` is that of the statement, and `$value` or `$throws` where one
 * promises something.
 */
async function runExample(line, statements, given, names, outcome) {
  const promised = statements.filter(({ mark }) => mark).map((statement) => statement.line);
  const kept = new Set();
  const before = outcome.faults.length;
  const fault = (expected, got) => outcome.faults.push({ line, expected, got });
  const tools = {
    ...given,
    $at: (next) => (line = next),
    $value: async (expected, read, tolerance) => {
      const problem = await difference(expected, read, tolerance).catch(described);
      if (problem) fault(expected, problem);
      kept.add(line);
    },
    $throws: async (expected, call) => {
      const problem = await refusal(expected, call);
      if (problem) fault(`throws ${expected}`, problem);
      kept.add(line);
    },
  };
  try {
    const run = new AsyncFunction(...names, ...Object.keys(tools), statements.map(compile).join('\n'));
    await run(...names.map((name) => scatterwise[name]), ...Object.values(tools));
    await sync(); // an error that nobody asked for is an error of the example
  } catch (error) {
    fault('no error here', described(error));
    kept.add(line);
    await sync().catch(() => {}); // what else went wrong must not be the next example's fault
  }
  for (line of promised) if (!kept.has(line)) fault('to be run', 'an earlier line of the example stopped it');
  const wrong = new Set(outcome.faults.slice(before).map((each) => each.line));
  // An example that promises nothing still has to run.
  const lines = promised.length > 0 ? promised : [line];
  outcome.passed += lines.filter((each) => !wrong.has(each)).length;
  outcome.ran += new Set([...lines, ...wrong]).size;
}

// ---- finding

/**
 * The fenced `js` blocks, `{ line, device, statements }`: the line that opens one, and the device that it asks for by `js webgpu` or `js
 * cpu`.
 */
function examplesOf(markdown) {
  const examples = [];
  let open = null;
  markdown.split('\n').forEach((text, at) => {
    const fence = text.match(/^```(\w*)(?: (cpu|webgpu))?/);
    if (fence && !open) open = { line: at + 1, device: fence[2], lines: [], isOurs: fence[1] === 'js' };
    else if (fence) {
      if (open.isOurs) examples.push({ ...open, statements: statementsOf(open.lines, open.line + 1) });
      open = null;
    } else open?.lines.push(text);
  });
  return examples;
}

/**
 * Comments that promise a value (→, or ≈ for nearly it) or an error, by its class and facts (throws) or by its text; and the text that is
 * printed.
 */
const MARK = /\/\/ (?:(→|≈|throws) (.*)|((?:Index|Runtime|Value|Type)Error): (.*))$/;
const PRINTED = /^console\.log\([\s\S]*\);\s*\/\/ (.*)$/;

/**
 * The lines of an example as statements, `{ line, code, mark, expected }`: the number of its last line, its code without the comment behind
 * it, and what that, or one on the next line, promises: see `promiseOf`. A statement ends with the first line that ends in ; or } and up to
 * which the code can be parsed.
 */
function statementsOf(lines, firstLine) {
  const statements = [];
  let chunk = '';
  lines.forEach((text, at) => {
    const last = statements.at(-1);
    const comment = text.match(/^\s*\/\/ ?(.*)$/)?.[1];
    // A comment on a line of its own belongs to the statement before it: it is its promise, or goes on with that.
    if (!chunk && comment !== undefined) {
      if (!last) return;
      if (MARK.test(text)) Object.assign(last, promiseOf(text));
      else if (last.mark && isUnfinished(last)) last.expected += ` ${comment.trim()}`;
      return;
    }
    if (/^import .* from 'scatterwise(\/(files|threads))?';$/.test(text)) return; // every name is there already
    chunk += `${chunk && '\n'}${text}`;
    const code = chunk.replace(/\s*\/\/[^\n]*$/, '');
    if (!code.trim()) chunk = '';
    else if (/[;}]$/.test(code) && parses(code)) {
      statements.push({ line: firstLine + at, code, ...promiseOf(chunk) });
      chunk = '';
    }
  });
  if (chunk.trim()) statements.push({ line: firstLine + lines.length - 1, code: chunk });
  return statements;
}

/** The promise of a line's comment: `{ mark, expected }`, where mark is '→', '≈', 'throws' or 'says'; both undefined if it promises nothing. */
function promiseOf(text) {
  const [, mark, expected, error, said] = text.match(MARK) ?? [];
  if (mark) return { mark, expected };
  if (error) return { mark: 'says', expected: `${error}: ${said}` };
  const printed = text.match(PRINTED)?.[1];
  return printed && { mark: '→', expected: printed };
}

/** Whether a promise goes on in the next comment. */
const isUnfinished = ({ mark, expected }) => mark === 'says' || (mark !== 'throws' && !parses(`(${expected})`));

/** Whether code can be parsed, as the body of an async function. */
function parses(code) {
  try {
    return Boolean(new AsyncFunction(code));
  } catch {
    return false;
  }
}

// ---- running

/** A statement as code that calls the tools of `runExample`. Its value is what it declares, prints or computes. */
function compile({ line, code, mark, expected }) {
  const here = `$at(${line});`;
  if (!mark) return `${here} ${code}`;
  const [, name, right] = code.match(/^(?:const|let) (\w+) = ([\s\S]*);$/) ?? [];
  const [, printed] = code.match(/^console\.log\(([\s\S]*)\);$/) ?? [];
  const expression = right ?? printed ?? code.replace(/;$/, '');
  const promised = JSON.stringify(expected);
  if (mark === 'throws' || mark === 'says') {
    const kind = /\bawait\b/.test(expression) ? 'async ' : '';
    return `${here} await $throws(${promised}, ${kind}() => (${expression}\n));`;
  }
  const tolerance = mark === '≈' ? 2e-6 : 0; // relative: about six digits
  const [before, value] = name ? [code, name] : ['', expression];
  return `${here} ${before}\nawait $value(${promised}, async () => (${value}\n), ${tolerance});`;
}

/** The fault of a value: its text, or '' if it equals `expected`, an expression. `tolerance` is relative. */
async function difference(expected, read, tolerance) {
  const wanted = new Function(`return (${expected});`)();
  const actual = await read();
  const isFloat32 = actual instanceof Tensor && actual.dtype === 'float32';
  const got = await plain(actual);
  return isSame(wanted, got, { tolerance, round: isFloat32 ? Math.fround : (number) => number }) ? '' : text(got);
}

/** A value as it can be compared: tensors as nested arrays, typed arrays as arrays. */
async function plain(value) {
  if (value instanceof Tensor) return value.tolist();
  if (ArrayBuffer.isView(value)) return Array.from(value);
  return value;
}

/** Whether a value is the one wanted, in arrays and objects too: as `how.round` rounds it, or off by `how.tolerance` of it at most. */
function isSame(wanted, got, how) {
  if (Array.isArray(wanted)) {
    return Array.isArray(got) && got.length === wanted.length && wanted.every((each, at) => isSame(each, got[at], how));
  }
  if (wanted !== null && typeof wanted === 'object') {
    const keys = Object.keys(wanted);
    if (got === null || typeof got !== 'object' || Object.keys(got).length !== keys.length) return false;
    return keys.every((key) => isSame(wanted[key], got[key], how));
  }
  if (typeof wanted !== 'number' || typeof got !== 'number') return Object.is(wanted, got);
  if (Object.is(how.round(wanted), got)) return true;
  return how.tolerance > 0 && Math.abs(wanted - got) <= how.tolerance * Math.abs(wanted);
}

/**
 * The fault of a refusal: another class, code or facts than promised, or at another time; '' where
 * nothing is.
 */
async function refusal(promised, call) {
  const isLater = promised.endsWith(LATER);
  const expected = isLater ? promised.slice(0, -LATER.length) : promised;
  const { error, when } = await errorOf(call);
  if (!error) return 'no error';
  const due = isLater && backend().device === 'webgpu' ? 'at the next read' : 'at once';
  if (when !== due) return `${described(error)} ${when}, not ${due}`;
  // A promise by text: 'IndexError: part of its message'.
  const [, name, said] = expected.match(/^(\w+): (.*)$/) ?? [];
  if (name) return error.name === name && error.message.includes(said) ? '' : described(error);

  // A promise by facts: 'IndexError index-out-of-range position [0] value 1'.
  const [, className, code, list] = expected.match(/^(\w+) ([a-z-]+)(.*)$/) ?? [];
  const facts = [...(list ?? '').matchAll(/ (argument|dim|position|value|allowed|op) ('[^']*'|\[[^\]]*\]|[^\s]+)/g)];
  if (!className || facts.map(([fact]) => fact).join('') !== list) return 'a comment that cannot be read';
  const exactly = { tolerance: 0, round: (number) => number };
  const isFact = ([, fact, value]) => isSame(new Function(`return ${value};`)(), error[fact], exactly);
  return error.name === className && error.code === code && facts.every(isFact) ? '' : described(error);
}

/**
 * `{ error, when }` of a call: whether it came 'at once', from the call or its promise, or 'at the next read'. Empty without an error.
 */
async function errorOf(call) {
  let result;
  try {
    result = await call();
  } catch (error) {
    return { error, when: 'at once' };
  }
  try {
    await (result instanceof Tensor ? result.data() : sync());
  } catch (error) {
    return { error, when: 'at the next read' };
  }
  return {};
}

/** An error with its code and its facts, as text. */
function described(error) {
  const facts = ['op', 'argument', 'dim', 'position', 'value', 'allowed'].filter((fact) => error?.[fact] !== undefined);
  const listed = facts.map((fact) => `${fact} ${text(error[fact])}`);
  return [error?.name, error?.code, ...listed, `(${error?.message})`].filter(Boolean).join(' ');
}

/** A value as JavaScript writes it. */
function text(value) {
  if (Array.isArray(value)) return `[${value.map(text).join(', ')}]`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return `'${value}'`;
  if (Object.is(value, -0)) return '-0';
  if (value === null || typeof value !== 'object') return String(value);
  return `{ ${Object.entries(value).map(([key, each]) => `${key}: ${text(each)}`).join(', ')} }`;
}
