// What wasm-bindgen writes, made ready for the package. Every edit names the text that it expects and fails when
// wasm-bindgen, whose version is pinned, writes something else one day.

import { Trouble } from './shell.mjs';

/**
 * The JavaScript. Its variable `wasm` holds the exports of the binary and is undefined before the start, so that a call
 * made too early would fail with "Cannot read properties of undefined (reading 'tensor_new')". Here it begins as an
 * object that says what to do: that reaches functions, constructors and subclasses, and costs nothing afterwards.
 *
 * Files of ours are passed to the binary whole, unused functions included. Of these only what it imports is kept.
 */
export function editGlue(text, binary, unstarted) {
  if (/\bnew Function\b|\beval\(/.test(text)) throw new Trouble('The glue evaluates text, which a content security policy forbids.');
  if (/_bg\.wasm/.test(text)) throw new Trouble('The glue has a default path to a .wasm of its own: see omit-default-module-path in Cargo.toml.');
  const snippets = new Set(text.match(/\.\/snippets\/[^'"]+/g));
  if (snippets.size > 3) throw new Trouble(`The glue imports ${snippets.size} files of ours; src/js/values.js says why three are the most.`);
  const guarded = replace(text, 'let wasmModule, wasmInstance, wasm;', 'let wasmModule, wasmInstance, wasm = unstarted;', 1);
  const checked = replace(guarded, 'if (wasm !== undefined) return wasm;', 'if (wasm !== unstarted) return wasm;', 2);
  return `import { unstarted } from ${JSON.stringify(unstarted)};\n${nameImports(checked, binary)}`;
}

/** `import * as import1 from 'file'`, passed on as `'file': import1`, becomes `'file': { those, it, uses }`. */
function nameImports(text, binary) {
  const wanted = WebAssembly.Module.imports(new WebAssembly.Module(binary)).filter(({ module }) => module.startsWith('./snippets/'));
  const files = [...new Set(wanted.map(({ module }) => module))];
  const lines = files.map((file, at) => {
    const names = wanted.filter(({ module }) => module === file).map(({ name }) => name);
    return {
      from: `import { ${names.map((name) => `${name} as own${at}_${name}`).join(', ')} } from ${JSON.stringify(file)};`,
      pass: `        ${JSON.stringify(file)}: { __proto__: null, ${names.map((name) => `${name}: own${at}_${name}`).join(', ')} },`,
    };
  });
  const whole = /^import \* as (import\d+) from "\.\/snippets\/.*"\n/gm;
  const passed = /^ +"\.\/snippets\/.*": import\d+,\n/gm;
  if (text.match(whole)?.length !== text.match(passed)?.length) throw new Trouble('The glue passes on files of ours in another way.');
  const opening = '"./core_bg.js": import0,\n';
  const rest = replace(text.replace(whole, '').replace(passed, ''), opening, `${opening}${lines.map(({ pass }) => pass).join('\n')}\n`, 1);
  return `${lines.map(({ from }) => from).join('\n')}\n${rest}`;
}

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
