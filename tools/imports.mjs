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
  ...['set_access', 'set_device', 'set_external_texture', 'set_format', 'set_multisampled', 'set_sample_type', 'set_sampler'],
  ...['set_storage_texture', 'set_texture', 'set_view_dimension', 'getContext', 'configure', 'unconfigure'],
];

const string = String.raw`passStringToWasm0\(ret, wasm\.__wbindgen_malloc, wasm\.__wbindgen_realloc\)`;

/** What returns a string: `ret` becomes an address and a length, which are written to where Rust wants them. */
const returned = (declare, passed) =>
  new RegExp(String.raw`const ret = (.*);\n +${declare} ptr1 = ${passed};\n +${declare} len1 = WASM_VECTOR_LEN;\n.*len1, true\);\n.*ptr1, true\);$`, 'gm');

/** What becomes of the text of imports, one after another. All have to be found, in the library with GPU code at least. */
const edits = [
  ...unused.map((name) => [new RegExp(`^( {8}__wbg_${name}_[0-9a-f]{16}: )[^]*?^ {8}\\}.*,\\n`, 'gm'), '$1unused,\n']),
  [/^( {8}\w+: )function\(arg0, arg1\) \{\n.*GpuSamplerBindingType.*\n {8}\},\n/gm, '$1unused,\n'],
  [/^ +const ret = new OffscreenCanvas\(.*$/gm, '            const ret = unused();'],
  // Arrows. None but those that can throw has `arguments`.
  [/^( {8}"?\w+"?: )function\(([^)]*)\) \{$/gm, '$1($2) => {'],
  [/\bfunction\(\) \{ return handleError\(function \(([^)]*)\) \{$/gm, 'handleError(($1) => {'],
  [/\}, arguments\); \},$/gm, '}),'],
  // No second name for an argument.
  [/^ +\/\/ .*\n/gm, ''],
  [/^ +const (v|val|obj) = (arg\d);\n([^]*?)(?=^ {8}\})/gm, (_, name, arg, rest) => rest.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), arg)],
  // A promise calls its executor once and at once: nothing has to keep that from a second call.
  [
    /try \{\n +var state0 = \{a: arg0, b: arg1\};\n[^]*?return (\w+)\(a, state0\.b, arg0, arg1\);\n[^]*?state0\.a = 0;\n +\}\n/g,
    'return new Promise((...both) => $1(arg0, arg1, ...both));\n',
  ],
  // A value of a type, or that it is none.
  [
    /const ret = typeof\(arg1\) === '(\w+)' \? arg1 : undefined;\n(.*)\(\(arg0 >>> 0\) \+ 8 \* 1, isLikeNone\(ret\) \? (.*) : ret, true\);\n(.*)\(\(arg0 >>> 0\) \+ 4 \* 0, !isLikeNone\(ret\), true\);/g,
    "const is = typeof(arg1) === '$1';\n$2((arg0 >>> 0) + 8, is ? arg1 : $3, true);\n$4(arg0 >>> 0, is, true);",
  ],
  [
    /const ret = typeof\(arg0\) === 'boolean' \? arg0 : undefined;\n +return isLikeNone\(ret\) \? 0xFFFFFF : ret \? 1 : 0;$/gm,
    "return typeof(arg0) === 'boolean' ? arg0 : 0xFFFFFF;",
  ],
  [/typeof (\w+) === 'undefined' \? undefined : \1;/g, 'globalThis.$1;'],
  [/const ret = (.*);\n +return isLikeNone\(ret\) \? 0 : addToExternrefTable0\(ret\);$/gm, 'return optional($1);'],
  [
    /^ +let result;\n +try \{\n +result = arg0 instanceof (\w+);\n +\} catch \(_\) \{\n +result = false;\n +\}\n +const ret = result;\n/gm,
    "            const ret = isA('$1', arg0);\n",
  ],
  [returned('const', string), 'returnString(arg0, $1);'],
  [returned('var', `isLikeNone\\(ret\\) \\? 0 : ${string}`), 'returnOptionalString(arg0, $1);'],
  // The rest is only shorter.
  [/\b\w+Array\.prototype\.set\.call\((.*\)), arg2\)/g, '$1.set(arg2)'],
  [/\bnew Object\(\)/g, '{}'],
  [/\bnew Array\(\)/g, '[]'],
  [/^( +)const ret = (.*);\n +return ret;$/gm, '$1return $2;'],
  [/ => \{\n +((?:arg\d|getArray\w+\(\w+, \w+\))(?:\.|\[).*);\n +\}/g, ' => ($1)'],
];

/** Every import as an arrow, in few words. */
function simplify(text) {
  const hasGpu = text.includes('GpuBuffer');
  const short = edits.reduce((edited, [from, to]) => {
    if (hasGpu && edited.search(from) < 0) throw new Trouble(`The glue writes its imports in another way: it lacks ${from}`);
    return edited.replace(from, to);
  }, text);
  if (/\barguments\);|WASM_VECTOR_LEN;/.test(list.exec(short)?.[0])) throw new Trouble('The glue writes an import in another way.');
  return short;
}
