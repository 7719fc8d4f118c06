// Takes out of a compiled binary what nobody needs. tools/package.mjs runs this before wasm-opt, which then drops what only the removed
// code used.

import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { root, Trouble } from './shell.mjs';

/** Numbers of WebAssembly's sections; 0 is that of the ones for tools, such as the names of functions. */
export const IMPORT = 2;
const CODE = 10;
const DATA = 11;
/** The number of the names of functions in the section of names. */
const FUNCTION_NAMES = 1;

/** The module that a binary imports wasm-bindgen's glue from. */
const GLUE = './core_bg.js';

/**
 * The binary, smaller and doing the same:
 *
 * - The functions that a panic runs trap at once. They did in the end: WebAssembly has no stderr for the message.
 * - The texts of panics, and those that say where one came from, are blanked, as they are never printed. These held paths of the machine
 *   that compiled.
 */
export function shrink(binary) {
  const functions = functionNames(binary);
  const smaller = ({ id, body }) => ({ id, body: { [CODE]: () => trap(body, functions), [DATA]: () => blank(body) }[id]?.() ?? body });
  return joined(binary, split(binary).map(smaller));
}

/**
 * The flags of wasm-opt.
 * - A large function that is called once stays one. Inside its caller it would compress less well, and a kernel's loop would
 *   share its registers with all that is around it: it took up to twice as long.
 * - What comes to four instructions is no longer than the call of it.
 * - Functions in the order of their names have those that were made from one source side by side, and compress better. `ordered` makes names by
 *   which kernels of all families are side by side too.
 * - The sections for tools say which compiler it was and which features it used: an engine finds these out itself.
 * - No address that is used is below 1024 (the stack ends there), so constants may be added by the loads themselves.
 */
export const optimiser = [
  ...['-O3', '--one-caller-inline-max-function-size=30', '--always-inline-max-function-size=4'],
  ...['--reorder-functions-by-name', '--low-memory-unused', '--strip-producers', '--strip-target-features'],
];

/** What the names of functions that are alike have in common. Exports come last, whose names are no paths. */
const kinds = [/::kernels::/, /::gpu::/, /scatterwise::/, /::/, /^/];
/** The binary with names by whose order functions are sorted by `kinds`: gzip finds what is alike within 32 KB. */
export const ordered = (binary) => renamed(binary, (name) => `${kinds.findIndex((kind) => kind.test(name))} ${name}`);
/** The binary with the names that its functions had before `ordered`. */
export const withOwnNames = (binary) => renamed(binary, (name) => name.replace(/^\d /, ''));

/** The binary with other names of its functions. */
function renamed(binary, change) {
  return joined(binary, split(binary).map(({ id, body }) => {
    const reader = new Reader(body);
    if (id !== 0 || reader.name() !== 'name') return { id, body };
    const parts = [body.subarray(0, reader.at)];
    while (!reader.done) {
      const [kind, list] = [reader.byte(), new Reader(reader.take(reader.number()))];
      const names = () => Array.from({ length: list.number() }, () => [leb128(list.number()), text(change(list.name()))]).flat();
      const bytes = kind === FUNCTION_NAMES ? Buffer.concat([leb128(new Reader(list.bytes).number()), ...names()]) : list.bytes;
      parts.push(Buffer.of(kind), leb128(bytes.length), bytes);
    }
    return { id, body: Buffer.concat(parts) };
  }));
}

// ---------------------------------------------------------------- the format

/** Reads bytes, numbers and names one after another; `at` is the place of the next byte. */
export class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }
  byte() {
    return this.bytes[this.at++];
  }
  /** An unsigned LEB128, as all lengths and counts of the format are. */
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }
  /** The next `length` bytes, not copied. */
  take(length) {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
  /** Text, behind its length in bytes. */
  name() {
    return this.take(this.number()).toString();
  }
  get done() {
    return this.at >= this.bytes.length;
  }
}

/** The bytes of an unsigned LEB128. */
export function leb128(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.of(...bytes, value);
}

/** A name as the format has it, with its length before it. */
export const text = (name) => Buffer.concat([leb128(Buffer.byteLength(name)), Buffer.from(name)]);

/** The sections of a binary, behind its header of 8 bytes. */
export function split(binary) {
  const reader = new Reader(binary, 8);
  const sections = [];
  while (!reader.done) sections.push({ id: reader.byte(), body: reader.take(reader.number()) });
  return sections;
}

/** A binary of these sections, with the header of another: magic and version. */
export const joined = (binary, sections) => Buffer.concat([binary.subarray(0, 8), ...sections.map(section)]);
/** The bytes of a section. */
const section = ({ id, body }) => Buffer.concat([Buffer.of(id), leb128(body.length), body]);

/** The imports, in their order: module, name, kind (0 is a function), and the bytes of its type. */
function importsOf(body) {
  const reader = new Reader(body);
  return Array.from({ length: reader.number() }, () => {
    const [module, name, kind, start] = [reader.name(), reader.name(), reader.byte(), reader.at];
    if (kind === 1 || kind === 3) reader.byte(); // a table's or a global's type
    if (kind === 3) reader.byte();
    if (kind === 0) reader.number(); // a function's type
    // The limits of a table or a memory: the lowest bit says whether there are two.
    if (kind === 1 || kind === 2) for (let limits = 1 + (reader.number() & 1); limits > 0; limits--) reader.number();
    return { module, name, kind, type: body.subarray(start, reader.at) };
  });
}

/** In a function's name, what distinguishes versions of a crate, and instances of a generic function. */
const hash = /\[[0-9a-f]{16}\]|::h[0-9a-f]{16}$/g;

/** How many functions are imported: these have the first numbers, so that the code section's begin behind them. */
export const countImported = (sections) =>
  sections.filter(({ id }) => id === IMPORT).flatMap(({ body }) => importsOf(body)).filter(({ kind }) => kind === 0).length;

/** The names of the functions of the code section, in its order, without `hash`; undefined for one without a name. */
export function functionNames(binary) {
  const sections = split(binary);
  return namesOf(sections, 1).map((name) => name.replace(hash, '')).slice(countImported(sections));
}

/** The names of all functions (`wanted` is 1) or globals (7) by their numbers, from the section of names. One without a name is a hole. */
export function namesOf(sections, wanted) {
  const names = [];
  for (const { body } of sections.filter(({ id }) => id === 0)) {
    const reader = new Reader(body);
    if (reader.name() !== 'name') continue;
    while (!reader.done) {
      const [kind, part] = [reader.byte(), new Reader(reader.take(reader.number()))];
      if (kind !== wanted) continue;
      for (let count = part.number(); count > 0; count--) names[part.number()] = part.name();
    }
  }
  return names;
}

/**
 * A binary and wasm-bindgen's glue for it, in which the imports from the glue have short names. By themselves these are long, and end with
 * a hash, which no compression makes shorter.
 * @returns {{ binary: Buffer, glue: string }}
 */
export function shortenImports(binary, glue) {
  const names = split(binary).filter(({ id }) => id === IMPORT).flatMap(({ body }) => importsOf(body)).filter(({ module }) => module === GLUE).map(({ name }) => name);
  const short = new Map(names.sort().map((name, at) => [name, `i${at.toString(36)}`]));
  const rename = (body) => {
    const imports = importsOf(body).map((each) => [text(each.module), text((each.module === GLUE && short.get(each.name)) || each.name), Buffer.of(each.kind), each.type]);
    return Buffer.concat([leb128(imports.length), ...imports.flat()]);
  };
  let found = 0;
  const renamed = glue.replace(/^( {8})(\w+)(?=: function)/gm, (key, space, name) => {
    found += short.has(name) ? 1 : 0;
    return short.has(name) ? space + short.get(name) : key;
  });
  if (found !== short.size) throw new Trouble(`The glue has ${found} of ${short.size} imports of the binary.`);
  return { binary: joined(binary, split(binary).map(({ id, body }) => ({ id, body: id === IMPORT ? rename(body) : body }))), glue: renamed };
}

/** The binary without the section that names its functions. */
export function withoutNames(binary) {
  const kept = split(binary).filter(({ id, body }) => id !== 0 || new Reader(body).name() !== 'name');
  return joined(binary, kept);
}

/** The sizes in bytes of the functions, in the order of `functionNames`, and of the data. */
export function sizes(binary) {
  const bodies = (id) => split(binary).filter((section) => section.id === id).map(({ body }) => body);
  const functions = bodies(CODE).flatMap(functionBodies).map((code) => code.length);
  return { functions, data: bodies(DATA).reduce((sum, body) => sum + body.length, 0) };
}

/** The functions of the code section, as bytes: their locals and instructions. */
function functionBodies(body) {
  const reader = new Reader(body);
  return Array.from({ length: reader.number() }, () => reader.take(reader.number()));
}

// ---------------------------------------------------------------- making it smaller

/**
 * Functions that only prepare the message of a panic. They never return, but for those of the last four patterns, which nothing else calls.
 */
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

/** The code section, in which each function of `panics` only traps; `names` are those of its functions, in its order. */
function trap(body, names) {
  const trapping = Buffer.of(0, 0, 0x0b); // no locals, unreachable, end
  let found = 0;
  const all = functionBodies(body).map((code, at) => {
    if (!panics.test(names[at] ?? '')) return code;
    found++;
    return trapping;
  });
  if (found < 10) throw new Trouble(`Only ${found} functions of the binary are known as those of a panic: have names changed?`);
  return Buffer.concat([leb128(all.length), ...all.flatMap((code) => [leb128(code.length), code])]);
}

/** Texts that only panics of Rust's own libraries print. */
const panicTexts = [
  'a formatting trait implementation returned an error when the underlying stream did not',
  'a Display implementation returned an error unexpectedly',
  'cannot access a Thread Local Storage value during or after destruction: ',
  'attempt to join into collection with len > usize::MAX',
  'assertion failed: psize >= size + min_overhead',
  'assertion failed: psize <= size + max_overhead',
  'TargetAlignmentGreaterAndInputNotAligned',
  'OutputSliceWouldHaveSlop',
  'copy_from_slice: source slice length (',
  ') does not match destination slice length (',
];

/**
 * The data section with zeros in place of the texts of panics, of the paths of sources, and of what Rust says of the place of a panic: the
 * address and the length of a path, a line and a column, four words of 32 bits.
 */
function blank(body) {
  const bytes = Buffer.from(body);
  const home = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const escape = (path) => path.replaceAll('\\', '/').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const path = new RegExp(`(?:/rustc/[0-9a-f]{40}|/rust/deps|[\\w./:-]*/lib/rustlib/src/rust|${escape(home)}/registry/src)/[\\w./-]+?\\.rs|${ownSources().map(escape).join('|')}`, 'g');
  const segments = activeSegments(bytes);
  const paths = new Map(); // from the address of a path in memory to its length
  for (const { address, content } of segments) {
    for (const text of panicTexts) {
      const at = content.indexOf(text);
      if (at >= 0) content.fill(0, at, at + text.length);
    }
    for (const { 0: match, index } of content.toString('latin1').matchAll(path)) {
      paths.set(address + index, match.length);
      content.fill(0, index, index + match.length);
    }
  }
  for (const { address, content } of segments) {
    // Words are at multiples of four in memory: the first of a segment is -address & 3 bytes behind its beginning.
    for (let at = -address & 3; at + 16 <= content.length; at += 4) {
      if (paths.get(content.readUInt32LE(at)) === content.readUInt32LE(at + 4)) content.fill(0, at, at + 16);
    }
  }
  return bytes;
}

/** The paths of this crate's own sources, as a panic names them. */
function ownSources() {
  const all = existsSync(join(root, 'src')) ? readdirSync(join(root, 'src'), { recursive: true }) : [];
  // The longest first, so that none is found inside another.
  return all.map((file) => `src/${file.replaceAll('\\', '/')}`).filter((file) => file.endsWith('.rs')).sort((a, b) => b.length - a.length);
}

/** The segments of the data section: the address in memory that each is copied to, and its bytes, which are not copied here. */
function activeSegments(body) {
  const reader = new Reader(body);
  return Array.from({ length: reader.number() }, () => {
    // Kind 0 is data that is copied when an instance starts; 0x41 is i32.const, and 0x0b the end of the expression for the address.
    if (reader.number() !== 0 || reader.byte() !== 0x41) throw new Trouble('The binary has data of another kind.');
    const address = reader.number(); // it is written as a signed LEB128, which reads like an unsigned one where it is positive
    if (reader.byte() !== 0x0b) throw new Trouble('The binary has data of another kind.');
    return { address, content: reader.take(reader.number()) };
  });
}
