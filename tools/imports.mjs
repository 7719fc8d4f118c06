// The functions of JavaScript that the binary imports: wasm-bindgen's, shorter, and each only once.

import { Trouble } from './shell.mjs';

/** The module that all of them are from. Inside, they have numbers: they are an array. */
export const importModule = 'a';

/**
 * Which function each import is, `'module name'` → its place as text, and their code in that order. `keys` are the imports of
 * the binary, `text` is the glue. Imports that do the same share a function.
 */
export function arrangeImports(keys, text) {
  const glue = codes(simplify(text));
  const code = (key) => {
    const [module, name] = key.split(' ');
    if (module !== './core_bg.js') return `own_${name}`;
    if (!glue.has(name)) throw new Trouble(`The glue has no import ${name}.`);
    return glue.get(name);
  };
  const functions = [...new Set(keys.map(code))].sort(); // similar ones side by side compress better
  return { functions, names: new Map(keys.map((key) => [key, String(functions.indexOf(code(key)))])) };
}

/** `    const import0 = {`, and what follows it up to the end of the function. */
const list = /^ {4}const import0 = \{\n {8}__proto__: null,\n([^]*?)^ {4}\};\n {4}return \{\n(?: +__proto__: null,\n)(?: +".*": import\d+,\n)+ {4}\};\n/m;

/** The glue with these functions as its imports. */
export function replaceImports(text, functions) {
  if (!list.test(text)) throw new Trouble('The glue lists its imports in another way.');
  return text.replace(list, () => `    return { ${importModule}: [\n${functions.map((code) => `        ${code},\n`).join('')}    ] };\n`);
}

function codes(text) {
  const [, entries] = list.exec(text) ?? [];
  const found = [...(entries ?? '').matchAll(/^ {8}"?(\w+)"?: ([^]*?),\n(?= {8}"?\w+"?: |$(?![^]))/gm)];
  if (found.map(([all]) => all).join('') !== entries) throw new Trouble('The glue lists its imports in another way.');
  return new Map(found.map(([, name, code]) => [name, code]));
}

/**
 * What runs only for what this library never makes: textures, samplers and canvases. wgpu tries a canvas at every start, to
 * learn of a format: it goes on without where there is none.
 */
const unused = [
  ...['access', 'external_texture', 'multisampled', 'sample_type', 'sampler', 'storage_texture', 'texture', 'view_dimension'],
  ...['device', 'format'],
].map((name) => `set_${name}`).concat('getContext', 'configure', 'unconfigure');

/** A promise calls its executor once and at once, so nothing has to keep that from a second call. */
const promise = /try \{\n +var state0 = \{a: arg0, b: arg1\};\n[^]*?return (\w+)\(a, state0\.b, arg0, arg1\);\n[^]*?state0\.a = 0;\n +\}\n/g;

/** A number or a bigint, or that it is none. */
const option = /const ret = typeof\(arg1\) === '(\w+)' \? arg1 : undefined;\n(.*)\(\(arg0 >>> 0\) \+ 8 \* 1, isLikeNone\(ret\) \? (.*) : ret, true\);\n(.*)\(\(arg0 >>> 0\) \+ 4 \* 0, !isLikeNone\(ret\), true\);/g;

/** Every import as an arrow, in few words. Whatever is not found stays as it is, and works. */
function simplify(text) {
  const dropped = new RegExp(`^( {8}__wbg_(?:${unused.join('|')})_[0-9a-f]{16}: )[^]*?^ {8}\\}.*,\\n`, 'gm');
  const short = text
    .replace(dropped, '$1unused,\n')
    .replace(/^( {8}\w+: )function\(arg0, arg1\) \{\n.*GpuSamplerBindingType.*\n {8}\},\n/gm, '$1unused,\n')
    .replace(/^ +const ret = new OffscreenCanvas\(.*$/gm, '            const ret = unused();')
    .replace(/^( {8}"?\w+"?: )function\(([^)]*)\) \{$/gm, '$1($2) => {')
    .replace(/\bfunction\(\) \{ return handleError\(function \(([^)]*)\) \{$/gm, 'handleError(($1) => {')
    .replace(/\}, arguments\); \},$/gm, '}),')
    .replace(/^ +\/\/ .*\n/gm, '')
    .replace(/^ +const (v|val|obj) = (arg\d);\n([^]*?)(?=^ {8}\})/gm, (_, name, arg, rest) => rest.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), arg))
    .replace(promise, 'return new Promise((...both) => $1(arg0, arg1, ...both));\n')
    .replace(option, "const is = typeof(arg1) === '$1';\n$2((arg0 >>> 0) + 8, is ? arg1 : $3, true);\n$4(arg0 >>> 0, is, true);")
    .replace(/const ret = typeof\(arg0\) === 'boolean' \? arg0 : undefined;\n.*$/gm, "return typeof(arg0) === 'boolean' ? arg0 : 0xFFFFFF;")
    .replace(/\b\w+Array\.prototype\.set\.call\((.*\)), arg2\)/g, '$1.set(arg2)')
    .replace(/\bnew Object\(\)/g, '{}')
    .replace(/\bnew Array\(\)/g, '[]')
    .replace(/typeof (\w+) === 'undefined' \? undefined : \1;/g, 'globalThis.$1;')
    .replace(/^ +let result;\n +try \{\n +result = arg0 instanceof (\w+);\n +\} catch \(_\) \{\n +result = false;\n +\}\n +const ret = result;\n/gm, "            const ret = isA('$1', arg0);\n")
    .replace(/^( +)const ret = (.*);\n +return ret;$/gm, '$1return $2;')
    .replace(/ => \{\n +((?:arg\d|getArray\w+\(\w+, \w+\))(?:\.|\[).*);\n +\}/g, ' => ($1)');
  if (/\barguments\);/.test(short)) throw new Trouble('The glue writes imports that can throw in another way.');
  return shareReturns(short);
}

/** What returns a string or an array writes its address and length where Rust wants them. */
function shareReturns(text) {
  const pass = (declare, name) => `const ret = (.*);\\n +${declare} ptr1 = ${name};\\n +${declare} len1 = WASM_VECTOR_LEN;\\n.*len1, true\\);\\n.*ptr1, true\\);$`;
  const string = 'passStringToWasm0\\(ret, wasm\\.__wbindgen_malloc, wasm\\.__wbindgen_realloc\\)';
  const shared = text
    .replace(new RegExp(pass('const', string), 'gm'), 'returnString(arg0, $1);')
    .replace(new RegExp(pass('var', `isLikeNone\\(ret\\) \\? 0 : ${string}`), 'gm'), 'returnOptionalString(arg0, $1);')
    .replace(new RegExp(pass('const', 'passArrayJsValueToWasm0\\(ret, wasm\\.__wbindgen_malloc\\)'), 'gm'), 'returnArray(arg0, $1);')
    .replace(/const ret = (.*);\n +return isLikeNone\(ret\) \? 0 : addToExternrefTable0\(ret\);$/gm, 'return optional($1);');
  if (/WASM_VECTOR_LEN/.test(list.exec(shared)?.[0])) throw new Trouble('The glue returns strings or arrays in another way.');
  return shared;
}
