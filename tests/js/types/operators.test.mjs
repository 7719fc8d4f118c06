// The types of every operator, by a program that is written from the table of operators and from the examples in types.d.ts: so the types of a
// new operator are tested without a line here. right.ts and wrong.ts have what a row does not say, such as the dtypes of results.
//
// A value of type `never` fits every argument. A symbol fits none: no operator takes one.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { operators, rowOf, twinOf } from '../../../src/js/arguments/operators.js';

const root = new URL('../../../', import.meta.url);
const folder = new URL('target/types/', root);
const types = readFileSync(new URL('src/js/types.d.ts', root), 'utf8');
const all = operators().flatMap((op) => [op, twinOf(op)].filter(Boolean));
const short = (op) => op.replace('Tensor.', '');
const isMethod = (op) => op !== short(op);

/** Options that a call cannot do without, beside the one that is tried. */
const NEEDED = { segment_reduce: 'lengths: n', flatnonzero: 'size: n' };
const exported = Array.from(types.matchAll(/^export (?:class|function|const) (\w+)/gm), ([, name]) => name);

/** Has TypeScript check a program of parts `{ of, code }`. Returns a line for each part with an error: `of`, and what is wrong. */
function errorsOf(name, parts) {
  const head = `import { ${[...new Set(exported)].join(', ')} } from 'scatterwise';
declare const n: never;
declare const s: unique symbol;
declare const t: Tensor<'float32'>;
declare const GPUBufferUsage: { STORAGE: number; COPY_SRC: number; COPY_DST: number };
/** The result of a call, which must have a type. */
const typed = <T>(_result: 0 extends 1 & T ? never : T) => {};
`.split('\n');
  const lines = [...head];
  const owners = [];
  for (const { of, code } of parts) {
    for (const line of code.split('\n')) {
      owners[lines.length + 1] = of;
      lines.push(line);
    }
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${name}.ts`, folder), `${lines.join('\n')}\n`);
  const config = { extends: '../../tests/js/types/tsconfig.bundler.json', files: [`${name}.ts`] };
  writeFileSync(new URL(`${name}.json`, folder), JSON.stringify(config));
  const tsc = fileURLToPath(new URL('node_modules/typescript-7/bin/tsc', root));
  const { stdout, stderr, status } = spawnSync(process.execPath, [tsc, '--pretty', 'false', '--project', fileURLToPath(new URL(`${name}.json`, folder))], { encoding: 'utf8' });
  const found = Array.from(stdout.matchAll(/^.*\((\d+),\d+\): (error .*)$/gm), ([, line, text]) => `${owners[line] ?? stdout}: ${text}: ${lines[line - 1]}`);
  assert.equal(status === 0, found.length === 0, `${stdout}\n${stderr}`);
  return found;
}

/** The call of an operator with these arguments, as text. */
const callOf = (op, args) => `${isMethod(op) ? `t.${short(op)}` : op}(${args.join(', ')});`;

/** The calls of an operator with arguments that fit, one for each option. */
function rightCalls(op) {
  const { args, options } = rowOf(op);
  const fits = args.map(() => 'n');
  const needed = NEEDED[op] ? `, ${NEEDED[op]}` : '';
  const result = callOf(op, fits.concat(options.length > 0 ? ['n'] : [])).slice(0, -1);
  return [`typed(${result});`, ...options.filter((name) => !needed.includes(`${name}:`) && name !== 'offsets').map((name) => callOf(op, [...fits, `{ ${name}: n${needed} }`]))];
}

/** Calls that must not compile: an argument of a wrong kind, an option of a wrong kind, an option that there is not, and too many arguments. */
function wrongCalls(op) {
  const { args, options } = rowOf(op);
  const fits = args.map(() => 'n');
  const needed = NEEDED[op] ? `, ${NEEDED[op]}` : '';
  return [
    ...args.map((_, at) => callOf(op, [...fits.with(at, 's'), ...(needed ? [`{ ${NEEDED[op]} }`] : [])])),
    ...options.map((name) => callOf(op, [...fits, `{ ${name}: s${needed.includes(`${name}:`) || name === 'offsets' ? '' : needed} }`])),
    callOf(op, [...fits, `{ no_such_option: n${needed} }`]),
    callOf(op, Array(9).fill('n')),
  ];
}

test('every operator takes the arguments and options of its row, and its result has a type', () => {
  assert.deepEqual(errorsOf('right', all.flatMap((of) => rightCalls(of).map((code) => ({ of, code })))), []);
});

test('no operator takes anything else', () => {
  assert.deepEqual(errorsOf('wrong', all.flatMap((of) => wrongCalls(of).map((code) => ({ of, code: `// @ts-expect-error\n${code}` })))), []);
});

test('the examples of types.d.ts compile, and one calls each operator', () => {
  const examples = Array.from(types.matchAll(/@example\n((?:^ +\*(?: .*)?\n)*?)^ +\*(?:\/| @)/gm), ([, text]) => text.replace(/^ +\* ?/gm, ''));
  const codes = examples.map((code) => code.split('\n').filter((line) => !/\/\/ throws|^import /.test(line)).join('\n'));
  const parts = codes.map((code) => ({ of: 'an example', code: `async () => {\n${code}};` }));
  assert.deepEqual(errorsOf('examples', parts), []);
  const missing = all.filter((op) => !codes.some((code) => new RegExp(`${isMethod(op) ? '\\.' : '(?<![.\\w])'}${short(op)}\\(`).test(code)));
  assert.deepEqual(missing, [], `no example of src/js/types.d.ts calls ${missing.join(', ')}`);
});

test('an option that is true or false may be a variable', () => {
  const flags = ['descending', 'density', 'include_self', 'keepdim', 'return_indices', 'right'];
  const calls = all.flatMap((of) => {
    const { args, options } = rowOf(of);
    const needed = NEEDED[of] ? `, ${NEEDED[of]}` : '';
    return options.filter((name) => flags.includes(name)).map((name) => ({ of, code: `typed(${callOf(of, [...args.map(() => 'n'), `{ ${name}: n as boolean${needed} }`]).slice(0, -1)});` }));
  });
  assert.ok(calls.length > 10);
  assert.deepEqual(errorsOf('flags', calls), []);
});

test('an error names the overload that the caller meant', () => {
  // What is wrong, and what TypeScript says of it: the form with a dim or with indices comes last, and so do options as an object.
  const wrong = {
    "t.scatter_reduce(0, s, t, 'max');": "'\"max\"' is not assignable to parameter of type 'Reduction'",
    "t.scatter_reduce_(0, s, t, 'max');": "'\"max\"' is not assignable to parameter of type 'Reduction'",
    "t.scatter_(0, s, t, { reduce: 'sum' });": "'\"sum\"' is not assignable to type '\"add\" | \"multiply\" | undefined'",
    "t.scatter(0, s, 'x');": "'\"x\"' is not assignable to parameter of type 'TensorLike'",
    "t.scatter_add(0, s, t, { sum: 'no' });": "'\"no\"' is not assignable to type '\"exact\" | \"ordered\" | undefined'",
    "t.scatter_nd(s, t, { reduce: 'max' });": "'\"max\"' is not assignable to type 'NdReduce | undefined'",
    "t.gather(0, s, { mode: 'no' });": "'\"no\"' is not assignable to type 'OutOfRange | undefined'",
    "t.index_select(0, s, { mode: 'no' });": "'\"no\"' is not assignable to type 'OutOfRange | undefined'",
    "t.gather_nd(s, { batch_dims: 'x' });": "'string' is not assignable to type 'number'",
    "new Tensor([1], { dtype: 'int' });": "Did you mean '\"int8\"'?",
    "new Parameter([1], { dtype: 'int' });": "Did you mean '\"int8\"'?",
    "elementwise_mul(t, t, { act: 'rel' });": "Did you mean '\"relu\"'?",
    "segment_reduce(t, 'max', { lengths: [1] });": "'\"max\"' is not assignable to parameter of type 'Reduction'",
    "new ExactSum([1]).add(0, s, t, { mode: 'no' });": "'\"no\"' is not assignable to type 'OutOfRange | undefined'",
  };
  const lines = Object.keys(wrong);
  const head = "import { elementwise_mul, ExactSum, Parameter, segment_reduce, Tensor } from 'scatterwise';\ndeclare const s: Int32Array;\nconst t = Tensor.zeros([3]);\n";
  writeFileSync(new URL('overloads.ts', folder), `${head}${lines.join('\n')}\n`);
  writeFileSync(new URL('overloads.json', folder), JSON.stringify({ extends: '../../tests/js/types/tsconfig.bundler.json', files: ['overloads.ts'] }));
  const tsc = fileURLToPath(new URL('node_modules/typescript-7/bin/tsc', root));
  const { stdout } = spawnSync(process.execPath, [tsc, '--pretty', 'false', '--project', fileURLToPath(new URL('overloads.json', folder))], { encoding: 'utf8' });
  const errors = stdout.split(/^(?=overloads|.*overloads\.ts\()/m);
  for (const [at, line] of lines.entries()) {
    const error = errors.find((text) => text.includes(`overloads.ts(${at + 4},`));
    assert.ok(error?.includes(wrong[line]), `${line} gave ${error}`);
  }
});
