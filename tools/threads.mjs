// Makes two binaries for the entry `scatterwise/threads` from the ordinary one. tools/package.mjs runs this after wasm-opt.
//
// - The main one imports its memory, which is shared.
// - A worker's has the same functions and the same table on the same memory, but nothing that starts an instance: no start function and no
//   data, which would overwrite the memory of the running library. It keeps what kernels can call, and exports `run_chunk` and its own
//   stack pointer.
//
// A function has the same place in the table of both, so a pointer of the main instance is valid in a worker.

import { countImported, functionNames, IMPORT, joined, leb128, namesOf, Reader, split, text } from './binary.mjs';
import { Trouble } from './shell.mjs';

/** Numbers of WebAssembly's sections. */
const [MEMORY, EXPORT, START, ELEMENT, DATA, DATA_COUNT] = [5, 7, 8, 9, 11, 12];
/** Kinds of exports. */
const [FUNCTION, GLOBAL] = [0, 3];
/** The most pages that WebAssembly has. */
const MOST_PAGES = 65_536;

/** Functions that kernels call by pointers; `tests/js/package/kernels.test.mjs` has the same list. */
const byPointer = /^(<?scatterwise::(\w+::)+(kernels|threads)::|libm::)/;

/** The features of both, for wasm-opt, which cannot read them from a binary without its sections for tools. */
export const features = ['threads', 'simd', 'bulk-memory', 'mutable-globals', 'nontrapping-float-to-int', 'sign-ext', 'reference-types', 'multivalue'].map((name) => `--enable-${name}`);

/** The main binary, with or without names, and the number of its pages at the start. */
export function sharedMain(binary) {
  const sections = split(binary);
  const pages = pagesOf(sections);
  return { pages, bytes: joined(binary, importMemory(sections, pages).filter(({ id }) => id !== MEMORY)) };
}

/** The binary of a worker, from the one with names. Nothing was removed that it does not need: wasm-opt does that. */
export function sharedWorker(named) {
  const sections = split(named);
  const names = functionNames(named);
  const imported = countImported(sections);
  const nameOf = (number) => names[number - imported] ?? '';
  const runChunk = names.indexOf('run_chunk') + imported;
  if (runChunk < imported) throw new Trouble('The binary has no function run_chunk.');
  const kept = importMemory(sections, pagesOf(sections)).filter(({ id }) => ![MEMORY, START, DATA, DATA_COUNT].includes(id));
  const exported = Buffer.concat([leb128(2), exportOf('run_chunk', FUNCTION, runChunk), exportOf('stack', GLOBAL, stackPointer(sections))]);
  return joined(named, kept.map(({ id, body }) => {
    if (id === EXPORT) return { id, body: exported };
    return id === ELEMENT ? { id, body: withoutOthers(body, (number) => byPointer.test(nameOf(number)), runChunk) } : { id, body };
  }));
}

/** The pages of the memory at the start. */
function pagesOf(sections) {
  const reader = new Reader(sections.find(({ id }) => id === MEMORY).body);
  if (reader.number() !== 1) throw new Trouble('The binary should have one memory.');
  reader.number(); // whether there is a maximum
  return reader.number();
}

/** The sections with an import of a shared memory. Functions keep their numbers, which imports of functions alone change. */
function importMemory(sections, pages) {
  const memory = Buffer.concat([text('env'), text('memory'), Buffer.of(2, 3), leb128(pages), leb128(MOST_PAGES)]);
  return sections.map(({ id, body }) => {
    if (id !== IMPORT) return { id, body };
    const reader = new Reader(body);
    const count = reader.number();
    return { id, body: Buffer.concat([leb128(count + 1), body.subarray(reader.at), memory]) };
  });
}

/** An entry of the section of exports. */
const exportOf = (name, kind, number) => Buffer.concat([text(name), Buffer.of(kind), leb128(number)]);

/** The number of the global with the name `__stack_pointer`. */
function stackPointer(sections) {
  const number = namesOf(sections, 7).indexOf('__stack_pointer');
  if (number < 0) throw new Trouble('The binary has no global __stack_pointer.');
  return number;
}

/** The section of the table's elements, in which functions that are not `wanted` are the function `instead`. A call of one traps then. */
function withoutOthers(body, wanted, instead) {
  const reader = new Reader(body);
  const segments = Array.from({ length: reader.number() }, () => {
    const start = reader.at;
    const kind = reader.number();
    if (kind !== 0) throw new Trouble(`The binary has a segment of elements of kind ${kind}.`);
    if (reader.byte() !== 0x41) throw new Trouble('The binary has a segment of elements at an address that is no constant.');
    reader.number();
    if (reader.byte() !== 0x0b) throw new Trouble('The binary has a segment of elements at an address that is no constant.');
    const head = body.subarray(start, reader.at);
    const functions = Array.from({ length: reader.number() }, () => reader.number());
    return Buffer.concat([head, leb128(functions.length), ...functions.map((number) => leb128(wanted(number) ? number : instead))]);
  });
  return Buffer.concat([leb128(segments.length), ...segments]);
}
