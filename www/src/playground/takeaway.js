/** The code of the playground in forms to take away. They go into files and reports, so they are in English. */

const withoutImports = (code) => code.replace(/^import .*'scatterwise';?\n?/gm, '').trimEnd();
const indent = (code, by) => code.replace(/^(?=.)/gm, ' '.repeat(by));

/** The names of the package that the code uses. */
const namesIn = (code, known) => [
  'init',
  'Tensor',
  ...known.filter((name) => !['init', 'Tensor'].includes(name) && new RegExp(`\\b${name}\\b`).test(code)),
];

/** What the playground gives the code beside the package. */
const showing = `const show = async (...values) =>
  console.log(...(await Promise.all(values.map((value) => (value instanceof Tensor ? value.tolist() : value)))));
`;

function script({ code, device, known }) {
  const show = /\bshow\(/.test(code) ? showing : '';
  return `import { ${namesIn(code, known).join(', ')} } from 'scatterwise';\n\nawait init({ device: '${device}' });\n${show}${withoutImports(code)}\n`;
}

/** A page of its own; the package lies beside it. */
export function asHtml(taken) {
  return `<!doctype html>
<meta charset="utf-8" />
<title>Scatterwise</title>
<!-- The folder "scatterwise" is the unpacked npm package. Open this page through a web server. -->
<script type="importmap">
  { "imports": { "scatterwise": "./scatterwise/index.js" } }
</script>
<script type="module">
${indent(script(taken), 2)}</script>
`;
}

/** A module for Node or a bundler. */
export const asModule = (taken) => `// npm install scatterwise\n${script(taken)}`;

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
