// What wasm-bindgen writes, made ready for the package. Every edit names the text that it expects and fails when
// wasm-bindgen, whose version is pinned, writes something else one day.

import { importModule } from './binary.mjs';
import { Trouble } from './shell.mjs';

/**
 * The JavaScript. Its variable `wasm` holds the exports of the binary and is undefined before the start, so that a call
 * made too early would fail with "Cannot read properties of undefined (reading 'tensor_new')". Here it begins as an
 * object that says what to do: that reaches functions, constructors and subclasses, and costs nothing afterwards.
 *
 * `names` are those of the imports: see tools/binary.mjs.
 */
export function editGlue(text, names, unstarted) {
  if (/\bnew Function\b|\beval\(/.test(text)) throw new Trouble('The glue evaluates text, which a content security policy forbids.');
  if (/_bg\.wasm/.test(text)) throw new Trouble('The glue has a default path to a .wasm of its own: see tools/package.mjs.');
  const snippets = new Set(text.match(/\.\/snippets\/[^'"]+/g));
  if (snippets.size > 3) throw new Trouble(`The glue imports ${snippets.size} files of ours; src/js/values.js says why three are the most.`);
  const guarded = replace(text, 'let wasmModule, wasmInstance, wasm;', 'let wasmModule, wasmInstance, wasm = unstarted;', 1);
  const checked = replace(guarded, 'if (wasm !== undefined) return wasm;', 'if (wasm !== unstarted) return wasm;', 2);
  return `import { unstarted } from ${JSON.stringify(unstarted)};\n${shorten(renameImports(checked, names))}`;
}

/**
 * Smaller and doing the same: imported functions become arrows, but for those with `arguments` of their own, and the names of
 * texture formats go: no texture is made.
 */
function shorten(text) {
  const arrows = text
    .replace(/^( {8}"?\w+"?: )function\(([^)]*)\) \{$/gm, '$1($2) => {')
    .replace(/handleError\(function \(([^)]*)\) \{/g, 'handleError(($1) => {');
  return arrows.replace(/^(const __wbindgen_enum_GpuTextureFormat = )\[.*\];$/m, '$1[];');
}

/**
 * The binary's imports get the names that tools/binary.mjs gives them, and all come from one module. Of our own files,
 * which the glue passes on as `'file': import1`, only the functions that the binary imports are left.
 */
function renameImports(text, names) {
  const own = /^import \* as import\d+ from "\.\/snippets\/.*"\n/gm;
  const modules = /^ +return \{\n +__proto__: null,\n(?: +".*": import\d+,\n)+ +\};\n/gm;
  const glue = [...names].filter(([key]) => key.startsWith('./core_bg.js '));
  const ours = [...names].filter(([key]) => !key.startsWith('./core_bg.js ')).map(([key, short]) => ({ key: key.split(' '), short }));
  let renamed = replace(text.replace(own, ''), text.match(modules)?.[0] ?? '', `    return { __proto__: null, ${importModule}: import0 };\n`, 1);
  for (const [key, short] of glue) renamed = replace(renamed, `        ${key.split(' ')[1]}: `, `        ${quote(short)}: `, 1);
  const passed = ours.map(({ short }) => `        ${quote(short)}: own_${short},\n`).join('');
  renamed = replace(renamed, 'const import0 = {\n        __proto__: null,\n', `const import0 = {\n        __proto__: null,\n${passed}`, 1);
  return ours.map(({ key: [file, name], short }) => `import { ${name} as own_${short} } from ${quote(file)};\n`).join('') + renamed;
}

const quote = JSON.stringify;

/** The types: those of the library, without the ones of the loader and of the error classes' aliases. */
export function editTypes(text) {
  const [library, loader] = text.split(/^export type InitInput\b/m);
  if (!loader) throw new Trouble('The types of the glue do not end with those of its loader.');
  const aliases = /^declare let (\w+): unknown;\nexport \{ \1 as __\1 \}\n+/gm;
  if (library.match(aliases)?.length !== 3) throw new Trouble('The types of the glue do not have the three error classes.');
  // Symbol.dispose is younger than the libraries that most projects compile against.
  return `/// <reference lib="esnext.disposable" />\n${library.replace(aliases, '').trimEnd()}\n`;
}

function replace(text, from, to, times) {
  const parts = text.split(from);
  if (parts.length !== times + 1) throw new Trouble(`The glue has ${parts.length - 1} times, not ${times} times: ${from}`);
  return parts.join(to);
}
