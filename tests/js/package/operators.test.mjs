// The table of operators (src/js/arguments/operators.js) and the places that it does not make: each has to know every operator, or say why it
// does not. A failure names the file and the operators that are missing there. With SCATTERWISE_WRITE=1 it writes the table of calls in
// docs/operators/README.md.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as library from 'scatterwise';
import { FUNCTIONS, METHODS, operators, operatorsWhere, rowOf, twinOf } from '../../../src/js/arguments/operators.js';
import { ARGUMENTS, CALLS, REDUCES } from '../../../src/js/engine/wire.js';
import { Numbers } from '../../../src/js/verify/numbers.js';
import * as verify from '../../../src/js/verify/random.js';
import { WITHOUT_LAB, formOf, operators as inLabs } from '../../../www/src/lab/forms.js';
import { hasDraw } from '../calls/drawn.js';
import * as own from '../calls/own.js';
import { isDefined } from '../calls/own.oracle.js';
import * as calls from '../calls/random.js';
import { templates } from '../fuzz/templates.js';

const root = new URL('../../../', import.meta.url);
const read = (path) => readFileSync(fileURLToPath(new URL(path, root)), 'utf8');
const short = (op) => op.replace('Tensor.', '');
const isMethod = (op) => op !== short(op);

/** Every operator by the name that errors begin with, and every in-place variant. */
const all = operators().flatMap((op) => [op, twinOf(op)].filter(Boolean));
/** Those that a reader, a runner or a function is made for by its name. */
const made = operators();

/** Declares a test that a file knows each of `list`. `isKnown` gets the name of an operator. */
function everyOperator(path, what, list, isKnown) {
  test(`${path} has ${what} of every operator`, () => {
    const missing = list.filter((op) => !isKnown(op));
    assert.deepEqual(missing, [], `${path} has no ${what} of ${missing.join(', ')}`);
  });
}

/** Declares a test that the reasons in a file, by the names of operators, are about operators. */
function everyReason(path, names, isOperator) {
  test(`${path} gives reasons for operators alone`, () => {
    const strangers = names.filter((name) => !isOperator(name));
    assert.deepEqual(strangers, [], `${path} says why it leaves out ${strangers.join(', ')}, which the table does not have`);
  });
}

// ---- the library

everyOperator('src/js/engine/wire.js (from src/plan/op.rs)', 'name', all, (op) => CALLS.includes(op));

/** The text of every module of src/js, by its path. */
const modules = new Map(readdirSync(new URL('src/js/', root), { recursive: true }).filter((name) => name.endsWith('.js')).map((name) => [`src/js/${name.replaceAll('\\', '/')}`, read(`src/js/${name}`)]));
const everything = [...modules.values()].join('\n');

// WebAssembly takes undefined for 0, the number of another operator or argument.
test('every operator and argument that a module names has a number in wire.js', () => {
  for (const [path, text] of modules) {
    const namesOf = (pattern) => Array.from(text.matchAll(pattern), ([, name]) => name);
    const unknown = [
      ...namesOf(/\bCALL(?:\.|\[')([\w.]+)/g).filter((name) => !CALLS.includes(name)),
      ...namesOf(/\b(?:ARGUMENT\.|\w+Handle\(op, '|read(?:Operand|Value)\(op, ')(\w+)/g).filter((name) => !ARGUMENTS.includes(name)),
    ];
    assert.deepEqual(unknown, [], `${path} names ${unknown.join(', ')}, which src/js/engine/wire.js (from src/plan/op.rs and src/boundary/wire.rs) does not have`);
  }
});

const readers = read('src/js/arguments/readers.js');
const hasReader = (name) => new RegExp(`^  ${name}\\(op, `, 'm').test(readers);
everyOperator('src/js/arguments/readers.js', 'reader', made.filter((op) => isMethod(op) && /scatter|gather/.test(rowOf(op).run)), (op) => hasReader(short(op)));

everyOperator('src/js/tensor/', 'function with the arguments of the row', made.filter((op) => rowOf(op).run === 'own'), (op) => {
  // Without options it takes them too, to refuse them.
  return everything.includes(`${isMethod(op) ? '  ' : 'export function '}${short(op)}(${[...rowOf(op).args, 'options'].join(', ')}) {`);
});

const kinds = read('src/js/arguments/kinds.js');
const hasKind = (name) => new RegExp(`[ {]${name}(: |,$)`, 'm').test(kinds);
everyOperator('src/js/arguments/kinds.js', 'kind for each argument', made.filter((op) => ['own', 'dims'].includes(rowOf(op).run) && !['activate', 'Tensor.astype'].includes(op)), (op) => {
  const { args, options, kinds = {} } = rowOf(op);
  return [...args, ...options].every((name) => hasKind(kinds[name] ?? name));
});

const warming = read('src/js/tensor/warm_up.js');
everyOperator('src/js/arguments/operators.js', 'work that src/js/tensor/warm_up.js knows', made, (op) => {
  const { run, work, words, update } = rowOf(op);
  const isKnown = (word) => REDUCES.includes(word.replace(/^pair /, '')) || new RegExp(`^  (${word}|'${word}')(: |\\()`, 'm').test(warming);
  return work ? work.every(isKnown) : Boolean(words || update || run === 'gather');
});

everyOperator('src/js/tensor/', 'method', all.filter(isMethod), (op) => typeof library.Tensor.prototype[short(op)] === 'function');
everyOperator('src/js/entries/exports.js', 'export', all.filter((op) => !isMethod(op)), (op) => typeof library[op] === 'function');

test('methods and functions look as if they were written out', () => {
  for (const op of all) {
    const owner = isMethod(op) ? library.Tensor.prototype : library;
    const found = Object.getOwnPropertyDescriptor(owner, short(op));
    if (!found) continue; // the tests above name it
    const { value, enumerable } = found;
    if (rowOf(op).run !== 'own') assert.equal(value.name, short(op)); // esbuild may rename a function that Rust has as well
    if (!isMethod(op)) continue;
    assert.equal(enumerable, false, `${op} is enumerable`);
    assert.throws(() => new value(), TypeError, `${op} is a constructor`);
    if (['scatter', 'gather', 'pair', 'dims'].includes(rowOf(op).run)) assert.equal(value.length, rowOf(op).args.length + 1, `the length of ${op}`);
  }
});

const types = read('src/js/types.d.ts');
/** Whether the types declare an operator whose first parameters are those of its row. */
function hasType(op) {
  const declarations = types.matchAll(new RegExp(isMethod(op) ? `^  ${short(op)}[(<]` : `^export function ${op}[(<]`, 'gm'));
  return Array.from(declarations).some(({ index }) => {
    const [text] = types.slice(index).split(/;\n\n|;\n  \/\*\*|;\nexport/);
    const names = Array.from(text.matchAll(/(?:\(|, |^ +)(\w+)\??: /gm), ([, name]) => name);
    return rowOf(op).args.every((name, at) => names[at] === name);
  });
}
everyOperator('src/js/types.d.ts', 'type with the arguments of the row', all, hasType);

// exports.js takes all that a file of operators exports.
test('the package exports what src/js/types.d.ts declares, and nothing else', () => {
  const declared = Array.from(types.matchAll(/^export (?:declare )?(?:class|function|const) (\w+)/gm), ([, name]) => name);
  assert.deepEqual(Object.keys(library).sort(), [...new Set([...declared, 'default'])].sort());
});

test('src/js/types.d.ts has a line in Gradients of every operator with a gradient', () => {
  const [, lines] = types.match(/^interface Gradients \{\n(.*?)^\}/ms);
  const named = Array.from(lines.matchAll(/^  (\w+): /gm), ([, name]) => name);
  assert.deepEqual(named.sort(), Object.keys(operatorsWhere(({ hasGradient }) => hasGradient)).sort());
});

// ---- what tries it

everyOperator('src/js/verify/random.js', 'random call', made, (op) => op in verify.NOT_DRAWN || typeof verify.formOf(op) === 'function');
everyReason('src/js/verify/random.js', Object.keys(verify.NOT_DRAWN), rowOf);

everyOperator('tests/js/calls/random.js', 'random call', all.filter(calls.isDrawn), (op) => calls.OPERATORS.includes(op) && calls.formOf(op, new Numbers(1)) !== undefined);
everyOperator('tests/js/calls/own.js', 'random call', made.filter((op) => !calls.isDrawn(op) || op in own.NOT_DRAWN), (op) => own.OWN.includes(op) || op in own.NOT_DRAWN);
everyReason('tests/js/calls/own.js', Object.keys(own.NOT_DRAWN), rowOf);

everyOperator('tests/js/fuzz/templates.js', 'template', all, (op) => Object.hasOwn(templates, short(op)));

everyOperator('tests/js/calls/own.oracle.js', 'definition', own.OWN.map((op) => op.replace(/_$/, '')), isDefined);

const compiled = read('tests/js/web/warm_up.js');
everyOperator('tests/js/web/warm_up.js', 'call', made.filter((op) => rowOf(op).run === 'own'), (op) => hasDraw(op) || new RegExp(`^  ${short(op)}(: |\\()`, 'm').test(compiled));

// ---- what tells of it

/** The rows of tables that have a page: pairs of the text of the row and the name of the page. */
function rowsIn(text) {
  const rows = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith('| ')) continue;
    const [, page] = /\]\(([\w.]+\.md)\)/.exec(line) ?? [undefined, rows.at(-1)?.page]; // a row without a page continues the one before
    if (page) rows.push({ line, page });
  }
  return rows;
}
/** Those of the overview of pages, and those of the table of all calls behind it, which this test writes. */
const [overview, calling] = read('docs/operators/README.md').split('## Every call').map(rowsIn);

/** An operator as a call of it begins. */
const callee = (op) => op.replace('Tensor.', 't.');
/** In which line of the first block of code a page calls an operator; -1 for none. */
function lineOf(op, page) {
  const [, block = ''] = /```\w*\n(.*?)```/s.exec(read(`docs/operators/${page}`)) ?? [];
  return block.split('\n').findIndex((line) => new RegExp(`(?<![.\\w])${callee(op)}\\(`).test(line));
}
/** The page of an operator: that of a row of the overview which names it, else the one whose first block of code calls it, the earlier the better. */
function pageOf(op) {
  const isNamed = new RegExp(`[\\x60 ]${callee(op)}[\\x60(]`);
  const named = overview.find(({ line }) => isNamed.test(line.replace(/\bx\./g, 't.')));
  const calls = [...new Set(overview.map(({ page }) => page))].filter((page) => lineOf(op, page) >= 0);
  return named?.page ?? calls.sort((a, b) => lineOf(op, a) - lineOf(op, b))[0];
}

/** Those that have a page. astype is described with the class. */
const documented = all.filter((op) => op !== 'Tensor.astype');

/** The table of all calls: each operator as its row in operators.js says, and its page. A line of code and a link needs no translation. */
function callsTable() {
  const lines = documented.filter((op) => made.includes(op)).map((op) => {
    const { args, options } = rowOf(op);
    const call = `\`${callee(op)}(${[...args, ...(options.length > 0 ? [`{ ${options.join(', ')} }`] : [])].join(', ')})\``;
    const page = pageOf(op) ?? 'none.md';
    return `| ${call}${twinOf(op) ? `, \`${callee(twinOf(op))}\`` : ''} | [${page.replace('.md', '')}](${page}) |`;
  });
  return `| call | page |\n| --- | --- |\n${lines.join('\n')}\n`;
}

test('docs/operators/README.md has the table of all calls', () => {
  const path = 'docs/operators/README.md';
  const [, before, table, after] = /^(.*## Every call\n\n)(.*?\n)(\n## .*)$/s.exec(read(path));
  if (process.env.SCATTERWISE_WRITE) writeFileSync(new URL(path, root), before + callsTable() + after);
  else assert.equal(table, callsTable(), `run this test with SCATTERWISE_WRITE=1, which writes ${path}`);
});

everyOperator('docs/operators/', 'page whose first block of code calls it, or row in the overview,', documented.filter((op) => made.includes(op)), (op) => pageOf(op) !== undefined);

everyOperator('docs/operators/README.md', 'row', documented, (op) => {
  const named = new RegExp(`\\b${short(op).replace(/_$/, '')}_?[\\x60(]`); // the name, and behind it a backtick or an argument
  const pages = [...overview, ...calling].filter(({ line }) => named.test(line)).map(({ page }) => `docs/operators/${page}`);
  return pages.some((page) => existsSync(new URL(page, root)) && read(page).includes(short(op)));
});

test('docs/operators/README.md has a row of every page', () => {
  const files = readdirSync(new URL('docs/operators/', root)).filter((name) => name.endsWith('.md') && name !== 'README.md');
  const missing = files.filter((name) => !overview.some(({ page }) => page === name));
  assert.deepEqual(missing, [], `docs/operators/README.md has no row of ${missing.join(', ')}`);
});

const traced = operatorsWhere(({ run }) => ['scatter', 'gather', 'rows'].includes(run));
/** Whether `trace` knows the operator of a form, which has all arguments: one without a role in forms.js would be left out. */
function hasAll(op) {
  const { args, isWord, trace } = formOf({ op: short(op), dim: 0 });
  if (trace !== null && !(trace in traced)) return false;
  return args.length + Number(isWord) === rowOf(op).args.length - Number(!isMethod(op));
}
const withoutLab = (op) => short(op).replace(/_$/, '') in WITHOUT_LAB[isMethod(op) ? 'METHODS' : 'FUNCTIONS'];
everyOperator('www/src/lab/forms.js', 'form', all.filter((op) => rowOf(op).run !== 'own'), (op) => withoutLab(op) || (inLabs.includes(short(op)) && hasAll(op)));
everyReason('www/src/lab/forms.js', [...Object.keys(WITHOUT_LAB.METHODS).filter((name) => !(name in METHODS)), ...Object.keys(WITHOUT_LAB.FUNCTIONS).filter((name) => !(name in FUNCTIONS))], () => false);
