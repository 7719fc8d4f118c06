// The table of operators (src/js/arguments/operators.js) and the places that it does not make: each has to know every operator, or say why it
// does not. A failure names the file and the operators that are missing there.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as library from 'scatterwise';
import { FUNCTIONS, METHODS, operators, rowOf, twinOf } from '../../../src/js/arguments/operators.js';
import { CALLS } from '../../../src/js/engine/wire.js';
import { Numbers } from '../../../src/js/verify/numbers.js';
import * as verify from '../../../src/js/verify/random.js';
import { WITHOUT_LAB, formOf, operators as inLabs } from '../../../www/src/lab/forms.js';
import * as calls from '../calls/random.js';
import { templates } from '../fuzz/templates.js';

const root = new URL('../../../', import.meta.url);
const read = (path) => readFileSync(fileURLToPath(new URL(path, root)), 'utf8');
const short = (op) => op.replace('Tensor.', '');
const isMethod = (op) => op !== short(op);

/** Every operator by the name that errors begin with, and every twin in place. */
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

everyOperator('src/plan/op.rs', 'name', all, (op) => op === 'Tensor.astype' || CALLS.indexOf(op) >= 0);

const readers = read('src/js/arguments/readers.js');
everyOperator('src/js/arguments/readers.js', 'reader', made.filter((op) => isMethod(op) && rowOf(op).run !== 'own'), (op) => new RegExp(`^  ${short(op)}\\(op, `, 'm').test(readers));

everyOperator('src/js/tensor/tensor.js', 'method', all.filter(isMethod), (op) => typeof library.Tensor.prototype[short(op)] === 'function');
everyOperator('src/js/entries/exports.js', 'export', all.filter((op) => !isMethod(op)), (op) => typeof library[op] === 'function');

test('methods and functions look as if they were written out', () => {
  for (const op of all) {
    const owner = isMethod(op) ? library.Tensor.prototype : library;
    const { value, enumerable } = Object.getOwnPropertyDescriptor(owner, short(op));
    if (rowOf(op).run !== 'own') assert.equal(value.name, short(op)); // esbuild may rename a function that Rust has as well
    if (!isMethod(op)) continue;
    assert.equal(enumerable, false, `${op} is enumerable`);
    assert.throws(() => new value(), TypeError, `${op} is a constructor`);
    if (['scatter', 'gather'].includes(rowOf(op).run)) assert.equal(value.length, rowOf(op).args.length + 1, `the length of ${op}`);
  }
});

const types = read('src/js/types.d.ts');
everyOperator('src/js/types.d.ts', 'type', all, (op) => new RegExp(isMethod(op) ? `^  ${short(op)}[(<]` : `^export function ${op}[(<]`, 'm').test(types));

// ---- what tries it

everyOperator('src/js/verify/random.js', 'random call', made, (op) => op in verify.NOT_DRAWN || typeof verify.formOf(op) === 'function');
everyReason('src/js/verify/random.js', Object.keys(verify.NOT_DRAWN), rowOf);

everyOperator('tests/js/calls/random.js', 'random call', all, (op) => op in calls.NOT_DRAWN || (calls.OPERATORS.includes(op) && calls.formOf(op, new Numbers(1)) !== undefined));
everyReason('tests/js/calls/random.js', Object.keys(calls.NOT_DRAWN), rowOf);

everyOperator('tests/js/fuzz/templates.js', 'template', all, (op) => Object.hasOwn(templates, short(op)));

const compiled = read('tests/js/web/warm_up.js');
everyOperator('tests/js/web/warm_up.js', 'call', made.filter((op) => ['own', 'product'].includes(rowOf(op).run)), (op) => new RegExp(`^  ${short(op)}(: |\\()`, 'm').test(compiled));

const compiling = read('tests/js/types/right.ts');
everyOperator('tests/js/types/right.ts', 'call', all, (op) => new RegExp(`\\b${short(op)}\\b`).test(compiling));

// ---- what tells of it

/** The rows of the operators' overview that have a page: pairs of the text of the row and the name of the page. */
const overview = [];
for (const line of read('docs/operators/README.md').split('\n')) {
  if (!line.startsWith('| ')) continue;
  const [, page] = /\]\(([\w.]+\.md)\)/.exec(line) ?? [undefined, overview.at(-1)?.page]; // a row without a page continues the one before
  if (page) overview.push({ line, page });
}
everyOperator('docs/operators/README.md', 'row', all.filter((op) => op !== 'Tensor.astype'), (op) => {
  const named = new RegExp(`\\b${short(op).replace(/_$/, '')}_?[\\x60(]`); // the name, and behind it a backtick or an argument
  const pages = overview.filter(({ line }) => named.test(line)).map(({ page }) => `docs/operators/${page}`);
  return pages.some((page) => existsSync(new URL(page, root)) && read(page).includes(short(op)));
});

/** Whether a form has all arguments of an operator: one without a role in forms.js would be left out. */
function hasAll(op) {
  const { args, isWord } = formOf({ op: short(op), dim: 0 });
  return args.length + Number(isWord) === rowOf(op).args.length - Number(!isMethod(op));
}
const withoutLab = (op) => short(op).replace(/_$/, '') in WITHOUT_LAB[isMethod(op) ? 'METHODS' : 'FUNCTIONS'];
everyOperator('www/src/lab/forms.js', 'form', all, (op) => withoutLab(op) || (inLabs.includes(short(op)) && hasAll(op)));
everyReason('www/src/lab/forms.js', [...Object.keys(WITHOUT_LAB.METHODS).filter((name) => !(name in METHODS)), ...Object.keys(WITHOUT_LAB.FUNCTIONS).filter((name) => !(name in FUNCTIONS))], () => false);
