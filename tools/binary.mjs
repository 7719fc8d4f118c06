// What a compiled binary carries and nobody needs. tools/package.mjs lets this run before wasm-opt, which then drops what
// only the removed code used.

import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { importModule } from './imports.mjs';
import { root, Trouble } from './shell.mjs';

const IMPORT = 2;
const EXPORT = 7;
const ELEMENT = 9;
const CODE = 10;
const DATA = 11;

/**
 * The binary, smaller and doing the same:
 *
 * - The functions that a panic runs trap at once. They did in the end: WebAssembly has no stderr for the message.
 * - So nobody reads what a panic says, and where it came from: both are blanked. They held paths of the machine that compiled.
 * - The table of functions forgets those by which JavaScript calls closures, most of which are never made. They are there
 *   because they were described to wasm-bindgen, which calls those that are needed by an export.
 * - The imports and exports get short names: see tools/imports.mjs and `exportNames`.
 */
export function shrink(binary, imports) {
  const sections = split(binary);
  const functions = functionNames(binary);
  return Buffer.concat([
    binary.subarray(0, 8),
    ...sections.map(({ id, body }) => {
      const smaller = {
        [IMPORT]: () => renameImports(body, imports),
        [EXPORT]: () => renameExports(body, exportNames(binary)),
        [ELEMENT]: () => forget(body, functions, countImported(sections)),
        [CODE]: () => trap(body, functions),
        [DATA]: () => blank(body),
      }[id]?.() ?? body;
      return Buffer.concat([Buffer.of(id), number(smaller.length), smaller]);
    }),
  ]);
}

/** The imports, as `'module name'`: in the same order for every binary with the same ones. */
export function importKeys(binary) {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(binary));
  return [...new Set(imports.map(({ module, name }) => `${module} ${name}`))].sort();
}

/**
 * Short names for the exports, which esbuild gives to the properties of the same names. Only for names that are nothing
 * else's: `memory` and the names of functions that the package has too stay.
 */
export function exportNames(binary) {
  const exports = WebAssembly.Module.exports(new WebAssembly.Module(binary)).map(({ name }) => name);
  const own = exports.filter((name) => /^(__|tensor_|indexplan_|wasm_bindgen__)/.test(name)).sort();
  const letter = (at) => String.fromCharCode((at < 26 ? 97 : 65 - 26) + at);
  return Object.fromEntries(own.map((name, at) => [name, at < 52 ? letter(at) : letter(Math.floor(at / 52)) + letter(at % 52)]));
}

/**
 * The flags of wasm-opt.
 * - A large function that is called once stays one. Inside its caller it would compress less well, and a kernel's loop would
 *   share its registers with all that is around it: it took up to twice as long.
 * - What comes to four instructions is no longer than the call of it.
 * - Functions in the order of their names have those that were made from one source side by side, and compress better.
 * - No address that is used is below 1024 (the stack ends there), so constants may be added by the loads themselves.
 */
export const optimiser = [
  ...['-O3', '--converge', '--one-caller-inline-max-function-size=30', '--always-inline-max-function-size=4'],
  ...['--reorder-functions-by-name', '--low-memory-unused'],
];

// ---------------------------------------------------------------- the format

/** Reads numbers and names one after another. */
class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }
  byte() {
    return this.bytes[this.at++];
  }
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }
  take(length) {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
  name() {
    return this.take(this.number()).toString();
  }
  get done() {
    return this.at >= this.bytes.length;
  }
}

function number(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.of(...bytes, value);
}

const text = (value) => Buffer.concat([number(Buffer.byteLength(value)), Buffer.from(value)]);

function split(binary) {
  const reader = new Reader(binary, 8);
  const sections = [];
  while (!reader.done) sections.push({ id: reader.byte(), body: reader.take(reader.number()) });
  return sections;
}

/** What is imported: `{ module, name, kind, type }`, the type as bytes. */
function imports(body) {
  const reader = new Reader(body);
  return Array.from({ length: reader.number() }, () => {
    const [module, name, kind] = [reader.name(), reader.name(), reader.byte()];
    const start = reader.at;
    if (kind === 1 || kind === 3) reader.byte(); // a table's or a global's type
    if (kind === 3) reader.byte();
    if (kind === 0) reader.number();
    if (kind === 1 || kind === 2) for (let limits = 1 + (reader.number() & 1); limits > 0; limits--) reader.number();
    return { module, name, kind, type: body.subarray(start, reader.at) };
  });
}

/** What distinguishes versions of a crate, and instances of a generic function. */
const hash = /\[[0-9a-f]{16}\]|::h[0-9a-f]{16}$/g;

const countImported = (sections) =>
  sections.filter(({ id }) => id === IMPORT).flatMap(({ body }) => imports(body)).filter(({ kind }) => kind === 0).length;

/** The functions of the code section by name, or undefined where there is none, and the size of each. */
export function functionNames(binary) {
  const sections = split(binary);
  const names = [];
  for (const { body } of sections.filter(({ id }) => id === 0)) {
    const reader = new Reader(body);
    if (reader.name() !== 'name') continue;
    while (!reader.done) {
      const [kind, part] = [reader.byte(), new Reader(reader.take(reader.number()))];
      if (kind !== 1) continue;
      for (let count = part.number(); count > 0; count--) names[part.number()] = part.name().replace(hash, '');
    }
  }
  return names.slice(countImported(sections));
}

/** The sizes of the functions, in the order of `functionNames`, and of the data. */
export function sizes(binary) {
  const bodies = (id) => split(binary).filter((section) => section.id === id).map(({ body }) => body);
  return { functions: bodies(CODE).flatMap((body) => codes(body).map((code) => code.length)), data: bodies(DATA).reduce((sum, body) => sum + body.length, 0) };
}

function codes(body) {
  const reader = new Reader(body);
  return Array.from({ length: reader.number() }, () => reader.take(reader.number()));
}

// ---------------------------------------------------------------- what is made smaller

function renameImports(body, names) {
  const all = imports(body);
  const entries = all.map(({ module, name, kind, type }) => {
    const short = names.get(`${module} ${name}`);
    if (short === undefined) throw new Trouble(`The glue does not know the import ${name} of ${module}.`);
    return Buffer.concat([text(importModule), text(short), Buffer.of(kind), type]);
  });
  return Buffer.concat([number(entries.length), ...entries]);
}

function renameExports(body, names) {
  const reader = new Reader(body);
  const entries = Array.from({ length: reader.number() }, () => {
    const [name, kind, index] = [reader.name(), reader.byte(), reader.number()];
    return Buffer.concat([text(names[name] ?? name), Buffer.of(kind), number(index)]);
  });
  return Buffer.concat([number(entries.length), ...entries]);
}

const closureCalls = /^wasm_bindgen::convert::closures::.*invoke$/;

/** In their place stands a function that traps. */
function forget(body, names, imported) {
  const unreachable = imported + names.findIndex((name) => panics.test(name));
  const reader = new Reader(body);
  const segments = Array.from({ length: reader.number() }, () => {
    const start = reader.at;
    if (reader.number() !== 0 || reader.byte() !== 0x41) throw new Trouble('The binary has elements of another kind.');
    reader.number(); // where they go
    if (reader.byte() !== 0x0b) throw new Trouble('The binary has elements of another kind.');
    const head = body.subarray(start, reader.at);
    const functions = Array.from({ length: reader.number() }, () => reader.number());
    const kept = functions.map((index) => (closureCalls.test(names[index - imported] ?? '') ? unreachable : index));
    return Buffer.concat([head, number(kept.length), ...kept.map(number)]);
  });
  return Buffer.concat([number(segments.length), ...segments]);
}

/** Functions that never return: all of them only prepare the message of a panic, and trap. */
const panics = new RegExp(
  [
    /^core::panicking::/,
    /^core::(option|result)::(unwrap|expect)_failed/,
    /^core::cell::lazy::panic_poisoned/,
    /^alloc::raw_vec::handle_error/,
    /^alloc::alloc::handle_alloc_error/,
    /^std::alloc::rust_oom/,
    /^std::sys::backtrace::__rust_end_short_backtrace/,
    /^core::cell::panic_already_/,
    /^core::slice::index::slice_\w*(fail|rt)\w*/,
    /^core::slice::(copy_from_slice_impl|<impl \[T\]>::\w+)::(len_mismatch_fail|do_panic)/,
    /^core::str::slice_error_fail/,
    /^alloc::vec::Vec<.*>::\w+::(assert_failed|panic_bounds)/,
    /^std::panicking::/,
    /^__rustc::(rust_panic|rust_begin_unwind|__rust_start_panic|__rust_abort)/,
    /^std::thread::local::panic_access_error/,
    /^bytemuck::internal::something_went_wrong/,
    // What only the arguments of a panic name.
    /^<core::fmt::builders::PadAdapter as /,
    /^<wgpu_types::texture::format::TextureFormat as core::fmt::Debug>/,
    /^<<alloc::boxed::Box<dyn core::error::Error.*StringError as core::fmt::Debug>::fmt/,
    /^<char as core::fmt::Debug>::fmt/,
  ].map(({ source }) => source).join('|'),
);

function trap(body, names) {
  const none = Buffer.of(0, 0, 0x0b); // no locals, unreachable, end
  let found = 0;
  const all = codes(body).map((code, at) => {
    if (!panics.test(names[at] ?? '')) return code;
    found++;
    return none;
  });
  if (found < 10) throw new Trouble(`Only ${found} functions of the binary are known as those of a panic: have names changed?`);
  return Buffer.concat([number(all.length), ...all.flatMap((code) => [number(code.length), code])]);
}

/** What only a panic would say, as the compiler has it: in pieces, between the values. Anything else that is missed stays. */
const panicTexts = [
  /assertion failed: [\x20-\x7e]*/,
  /assertion `left | right` failed(?:: )?|  left: | right: /,
  /slice index starts at | but ends at |range (?:start|end) index | out of range for slice of length /,
  /begin > end \(|\) when slicing `|(?:start|end) byte index | is out of bounds of `/,
  / is not a char boundary; it is inside | \(bytes /,
  / index out of bounds: the len is | but the index is /,
  /min > max\. min = |, max = /,
  /cannot access a Thread Local Storage value during or after destruction: /,
  /copy_from_slice: source slice length \(|\) does not match destination slice length \(/,
  /called `(?:Result|Option)::unwrap\(\)` on an? `(?:Err|None)` value/,
  /a Display implementation returned an error unexpectedly/,
  /a formatting trait implementation returned an error when the underlying stream did not/,
  /attempt to (?:join into collection with len > usize::MAX|divide by zero)/,
  /(?:chunk|window) size must be non-zero|`async fn` resumed after completion|reentrant init|capacity overflow/,
  /RefCell already (?:mutably )?borrowed|TargetAlignmentGreaterAndInputNotAligned|OutputSliceWouldHaveSlop/,
  /tried to call get_mapped_range\(_mut\) on a range that is not entirely mapped\. Attempted to get range /,
  /, but the mapped range is | is out of range for buffer of size |not implemented: Format | has no WebGPU equivalent/,
].map(({ source }) => source).join('|');

/** Texts of panics and source paths in the data, and the places (address and length of a path, line, column) that name these. */
function blank(body) {
  const bytes = Buffer.from(body);
  const home = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const escape = (path) => path.replaceAll('\\', '/').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const path = new RegExp(`(?:/rustc/[0-9a-f]{40}|/rust/deps|[\\w./:-]*/lib/rustlib/src/rust|${escape(home)}/registry/src)/[\\w./-]+?\\.rs|${ownSources().map(escape).join('|')}`, 'g');
  const segments = activeSegments(bytes);
  const paths = new Map();
  for (const { address, content } of segments) {
    for (const { 0: match, index } of content.toString('latin1').matchAll(path)) {
      paths.set(address + index, match.length);
      content.fill(0, index, index + match.length);
    }
  }
  for (const { content } of segments) {
    for (const { 0: match, index } of content.toString('latin1').matchAll(new RegExp(panicTexts, 'g'))) {
      content.fill(0, index, index + match.length);
    }
  }
  for (const { address, content } of segments) {
    for (let at = -address & 3; at + 16 <= content.length; at += 4) {
      if (paths.get(content.readUInt32LE(at)) === content.readUInt32LE(at + 4)) content.fill(0, at, at + 16);
    }
  }
  return bytes;
}

function ownSources() {
  const all = existsSync(join(root, 'src')) ? readdirSync(join(root, 'src'), { recursive: true }) : [];
  // The longest first, so that none is found inside another.
  return all.map((file) => `src/${file.replaceAll('\\', '/')}`).filter((file) => file.endsWith('.rs')).sort((a, b) => b.length - a.length);
}

function activeSegments(body) {
  const reader = new Reader(body);
  return Array.from({ length: reader.number() }, () => {
    if (reader.number() !== 0 || reader.byte() !== 0x41) throw new Trouble('The binary has data of another kind.');
    const address = reader.number(); // i32.const: signed, and addresses are small enough to be written like unsigned ones
    if (reader.byte() !== 0x0b) throw new Trouble('The binary has data of another kind.');
    return { address, content: reader.take(reader.number()) };
  });
}
