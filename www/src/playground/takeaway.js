import { readImport, statementsOf } from './imports.js';
import { edited, valuesIn } from './transform.js';

/**
 * The code of the playground in forms to take away. They go into files and reports, so they are in English. `known` are the names that
 * the entry exports.
 * @typedef {{ code: string, device: 'cpu' | 'webgpu' | 'auto', known: string[], entry?: 'scatterwise' | 'scatterwise/threads' }} Taken
 */

/** The code without its imports of the package, and these: one import of all names comes before the code instead. */
function withoutImports(code) {
  const found = statementsOf(code)
    .filter(({ name }) => name === 'ImportDeclaration')
    .map(({ from, to }) => ({ from, to, ...readImport(code.slice(from, to)) }))
    .filter(({ isOurs }) => isOurs);
  // From the last on, so that the offsets of the others stay valid.
  const own = found.reduceRight((rest, { from, to }) => rest.slice(0, from) + rest.slice(to).replace(/^;?\n?/, ''), code);
  return { own: own.trimEnd(), imports: found };
}

/** The code with `by` blanks before each line that is not empty. */
const indent = (code, by) => code.replace(/^(?=.)/gm, ' '.repeat(by));

/** Nodes of a statement whose names are not seen outside of them. */
const INNER_SCOPES = ['Block', 'ParamList', 'ClassBody', 'FunctionExpression', 'ClassExpression'];

/** The names that the code declares for all of it. */
function namesDeclared(code) {
  const found = new Set();
  for (const statement of statementsOf(code).filter(({ name }) => name.endsWith('Declaration'))) {
    statement.cursor().iterate(({ name, from, to }) => {
      if (name === 'VariableDefinition') found.add(code.slice(from, to));
      return !INNER_SCOPES.includes(name);
    });
  }
  return found;
}

/**
 * The imports of `own`, the code without its imports of the package: `needed`, which the start and `show` use; what else of the package it uses
 * and does not declare itself; what it has imported by other names; and each import of everything. `declared` are the names that the code
 * declares. A name counts as used also in a string or a comment: an import too many does no harm.
 * @param {(import('./imports.js').Import)[]} imports those of the package that the code had
 */
function importsFor(own, imports, { needed, declared, known, entry }) {
  const isUsed = (name) => !declared.has(name) && new RegExp(`\\b${name}\\b`).test(own);
  const used = [...needed, ...known.filter((name) => !needed.includes(name) && isUsed(name))];
  const renamed = imports.flatMap(({ names }) => names).map(([there, here]) => [there === 'default' ? 'init' : there, here]);
  const others = new Set(renamed.filter(([there, here]) => there !== here).map((pair) => pair.join(' as ')));
  const wholes = imports.filter(({ all }) => all).map(({ all }) => `import * as ${all} from '${entry}';\n`);
  return `import { ${[...used, ...others].join(', ')} } from '${entry}';\n${wholes.join('')}`;
}

/**
 * The function `show`, which the playground gives the code beside the package, as code: for a console, for a page, which first brings
 * a tensor to the CPU, as its text has values only there, and for a page of code that draws on canvases. `tensor` is the name that `Tensor`
 * is imported by.
 */
const showing = {
  console: (tensor) => `const show = async (...values) =>
  console.log(...(await Promise.all(values.map((value) => (value instanceof ${tensor} ? value.tolist() : value)))));
`,
  page: (tensor) => `const show = async (...values) => {
  const texts = values.map(async (value) => String(value instanceof ${tensor} ? await value.to('cpu') : value));
  const textContent = (await Promise.all(texts)).join(' ');
  document.body.append(Object.assign(document.createElement('pre'), { textContent }));
};
`,
  drawing: (tensor) => `const shown = new Map(); // the element of each canvas
const show = async (...values) => {
  const parts = values.map(async (value) => {
    if (!(value instanceof OffscreenCanvas)) return String(value instanceof ${tensor} ? await value.to('cpu') : value);
    const picture = Object.assign(document.createElement('canvas'), { width: value.width, height: value.height });
    picture.getContext('2d').drawImage(value, 0, 0);
    return picture;
  });
  const output = document.createElement('pre');
  output.append(...(await Promise.all(parts)));
  if (shown.has(values[0])) shown.get(values[0]).replaceWith(output);
  else document.body.append(output);
  if (values[0] instanceof OffscreenCanvas) shown.set(values[0], output);
};
`,
};

/** Code in which each value that the playground would show is shown by `show`, unless the code declares a name of its own by that. */
function withShown(code, declared) {
  if (declared.has('show')) return code;
  return edited(code, valuesIn(code).map(({ from, to }) => ({ from, to, by: `await show(${code.slice(from, to)})` })));
}

/** The code as a module that starts the library first, and shows its values where `way` says: a key of `showing`. @param {Taken} taken */
function script({ code, device, known, entry = 'scatterwise' }, way) {
  const { own, imports } = withoutImports(code);
  const declared = namesDeclared(own);
  const body = withShown(own, declared);
  const shows = /\bshow\(/.test(body) && !declared.has('show');
  // Names that the code declares for itself are imported by other names.
  const [init, tensor] = ['init', 'Tensor'].map((name) => (declared.has(name) ? `${name}OfScatterwise` : name));
  const needed = [init === 'init' ? init : `init as ${init}`, tensor === 'Tensor' ? tensor : `Tensor as ${tensor}`];
  const before = importsFor(own, imports, { needed, declared, known, entry });
  return `${before}\nawait ${init}({ device: '${device}' });\n${shows ? showing[way](tensor) : ''}${body}\n`;
}

/** A page of its own; the package lies beside it. @param {Taken} taken */
export function asHtml(taken) {
  return `<!doctype html>
<meta charset="utf-8" />
<title>Scatterwise</title>
<!-- The folder "scatterwise" is the unpacked npm package. Open this page through a web server. -->
<script type="importmap">
  { "imports": { "scatterwise": "./scatterwise/index.js", "scatterwise/threads": "./scatterwise/threads.js" } }
</script>
<script type="module">
${indent(script(taken, taken.code.includes('OffscreenCanvas') ? 'drawing' : 'page'), 2)}</script>
`;
}

/** A module for Node or a bundler. @param {Taken} taken */
export const asModule = (taken) => `// after npm install with the path of the package\n${script(taken, 'console')}`;

/** The text of a report: code, what came, and on what. @param {{ code: string, runs: import('./session.js').Run[], address: string }} report */
export function asIssue({ code, runs, address }) {
  return `## What happens

(what you expected, and what came)

## Code

\`\`\`js
${code}
\`\`\`

${runs.map(outcome).join('\n\n')}

Browser: ${navigator.userAgent}
Playground: ${address}
`;
}

/** How a run ended, and on what it ran, as a section of the report. */
function outcome({ device, ended, ms, failure, info }) {
  const { webgpu, ...rest } = info ?? {};
  const adapter = webgpu && {
    vendor: webgpu.vendor,
    architecture: webgpu.architecture,
    description: webgpu.description,
    software: webgpu.software,
  };
  const came = failure
    ? `${failure.name}: ${failure.message}`
    : `${ended}${ms === undefined ? '' : ` in ${ms.toFixed(2)} ms`}`;
  return `### ${device}\n\n${came}\n\n\`\`\`json\n${JSON.stringify({ ...rest, webgpu: adapter ?? null }, null, 1)}\n\`\`\``;
}
