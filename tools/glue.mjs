// What wasm-bindgen writes, made ready for the package. Every edit names the text that it expects and fails when
// wasm-bindgen, whose version is pinned, writes something else one day.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { arrangeImports, replaceImports } from './imports.mjs';
import { Trouble } from './shell.mjs';

/**
 * The JavaScript. In the place of wasm-bindgen's helpers and loader it has src/js/runtime.js, in the folder `sources`.
 *
 * `imports` are those of the binary: see tools/binary.mjs.
 */
export function editGlue(text, imports, sources) {
  if (/\bnew Function\b|\beval\(/.test(text)) throw new Trouble('The glue evaluates text, which a content security policy forbids.');
  if (/_bg\.wasm/.test(text)) throw new Trouble('The glue has a default path to a .wasm of its own: see tools/package.mjs.');
  const snippets = new Set(text.match(/\.\/snippets\/[^'"]+/g));
  if (snippets.size > 3) throw new Trouble(`The glue imports ${snippets.size} files of ours; src/js/values.js says why three are the most.`);
  const { functions } = arrangeImports(imports, text);
  const [library, helpers] = splitHelpers(importOurs(replaceImports(text, functions), imports));
  const edited = shareExports(library);
  const used = [...helpers, ...shared].filter((name) => new RegExp(`\\b${name}\\b`).test(edited));
  return `import { ${used.join(', ')} } from ${quote(join(sources, 'runtime.js'))};\n${edited}`;
}

/**
 * The first 32 bits of the SHA-256 of each of wasm-bindgen's functions that src/js/runtime.js has anew. Where one is no longer
 * what it was, look whether ours still does the same.
 */
const known = {
  __wbg_finalize_init: 'ada97392',
  __wbg_init: 'd296e574',
  __wbg_init_once: '5353f5c2',
  __wbg_load: 'a5fc0b79',
  _assertClass: 'fd852daf',
  addToExternrefTable0: '01570b34',
  debugString: '95d3e83c',
  decodeText: 'bfa2e821',
  getArrayJsValueViewFromWasm0: '9a7ab09a',
  getArrayU32FromWasm0: '482fcc21',
  getArrayU8FromWasm0: 'bb47a84f',
  getDataViewMemory0: '4777d9b1',
  getStringFromWasm0: '0c079eb3',
  getUint32ArrayMemory0: 'd26fd346',
  getUint8ArrayMemory0: '8c8840a6',
  handleError: 'f0ef1909',
  initSync: '04eeebe8',
  isLikeNone: 'c12b63e9',
  makeMutClosure: '1317a617',
  passStringToWasm0: '03e72bfc',
  takeFromExternrefTable0: 'ed7867f5',
};

/** The text without wasm-bindgen's helpers and loader, which come last, and the names of these. */
function splitHelpers(text) {
  const [own, rest] = text.split(/^(?=const IndexPlanFinalization = )/m);
  if (!rest) throw new Trouble('The glue has no place where its helpers begin.');
  const all = rest.split(/^(?=(?:async )?(?:function|const|let) )/m);
  const kept = all.filter((each) => /^const \w+Finalization = /.test(each));
  const names = all.filter((each) => !kept.includes(each)).flatMap((each) => {
    const [, kind, name, others] = /^(?:async )?(function|const|let) (\w+)((?:, \w+)*)/.exec(each);
    const digest = createHash('sha256').update(each.trim()).digest('hex').slice(0, 8);
    if (kind === 'function' && known[name] !== digest) throw new Trouble(`src/js/runtime.js may not do what wasm-bindgen's ${name} does: ${digest}.`);
    return [name, ...others.split(', ').slice(1)];
  });
  return [`${own}export { __wbg_get_imports };\n${kept.join('')}`, names];
}

/** How a class makes its objects and lets go of them. */
const lifetime = `    static __wrap(ptr) {
        const obj = Object.create(Class.prototype);
        obj.__wbg_ptr = ptr;
        ClassFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        ClassFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.release(ptr, 0);
    }
`;
const construction = `        this.__wbg_ptr = ret[0];
        ClassFinalization.register(this, this.__wbg_ptr, this);
        return this;
`;
const finalization = `const ClassFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.release(ptr, 1));
`;

/** What src/js/runtime.js has beside that. */
const shared = ['checked', 'done', 'isA', 'keeper', 'optional', 'returnOptionalString', 'returnString', 'unused'];

/** What the library's classes and functions have in common goes to src/js/runtime.js. */
function shareExports(text) {
  let edited = text;
  for (const [Class, release] of [['Tensor', '__wbg_tensor_free'], ['IndexPlan', '__wbg_indexplan_free']]) {
    const edit = (from, to) => (edited = replace(edited, from.replaceAll('Class', Class).replaceAll('release', release), to, 1));
    edit(lifetime, `    free() { free${Class}(this); }\n`);
    edit(construction, `        return own${Class}(this, ret[0]);\n`);
    edit(finalization, `const { own: own${Class}, make: make${Class}, free: free${Class} } = keeper(() => ${Class}, (...all) => wasm.${release}(...all));\n`);
    edit('if (Symbol.dispose) Class.prototype[Symbol.dispose] = Class.prototype.free;\n', ''); // tensor.js has another
    edited = edited.replaceAll(`${Class}.__wrap(`, `make${Class}(`);
  }
  edited = replace(edited, '        _assertClass(index, Tensor);\n', '', 2).replace('        _assertClass(src, Tensor);\n', ''); // tensor.js does
  const call = ' +const ret = (wasm\\..*);\\n';
  edited = edited
    .replace(
      new RegExp(`^${call} +if \\(ret\\[2\\]\\) \\{\\n +throw takeFromExternrefTable0\\(ret\\[1\\]\\);\\n +\\}\\n +return (.*)\\bret\\[0\\](.*);$`, 'gm'),
      'return $2checked($1)$3;',
    )
    .replace(new RegExp(`^${call} +if \\(ret\\[1\\]\\) \\{\\n +throw takeFromExternrefTable0\\(ret\\[0\\]\\);\\n +\\}$`, 'gm'), 'done($1);');
  if (/\bret\[/.test(edited)) throw new Trouble('The glue takes errors from the binary in another way.');
  return shareClosures(edited);
}

/** Most of what calls a closure of Rust's only passes on its arguments, which makeMutClosure can do. */
function shareClosures(text) {
  const plain = /^function (wasm_bindgen__\w+)\(arg0, arg1, arg2\) \{\n *(?:done\()?wasm\.\1\(arg0, arg1, arg2\)\)?;\n\}\n\n?/gm;
  const names = [...text.matchAll(plain)].map(([, name]) => name);
  return names.reduce(
    (edited, name) => replace(edited, `makeMutClosure(arg0, arg1, ${name})`, `makeMutClosure(arg0, arg1, wasm.${name})`, 1),
    text.replace(plain, ''),
  );
}

/** Of our own files, which the glue imports whole, only the functions that the binary imports. */
function importOurs(text, imports) {
  const own = imports.map((key) => key.split(' ')).filter(([module]) => module !== './core_bg.js');
  const without = text.replace(/^import \* as import\d+ from "\.\/snippets\/.*"\n/gm, '');
  return own.map(([module, name]) => `import { ${name} as own_${name} } from ${quote(module)};\n`).join('') + without;
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
