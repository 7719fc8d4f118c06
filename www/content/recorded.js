import { readFileSync } from 'node:fs';
import { escape } from '../build/html.js';

const read = (name) => JSON.parse(readFileSync(new URL(`../../docs/performance/browser-${name}.json`, import.meta.url), 'utf8'));

/**
 * The runs of docs/performance that the page shows: which cases, by id, and which libraries. `size` is that of the cases, and the words of a
 * run are `recorded.<name>`.
 */
const runs = [
  {
    name: 'cpu',
    size: 'full',
    cases: ['replace-axis1', 'add-spread', 'add-16', 'count-256', 'rows-add', 'gather-axis1', 'multiply-same', 'histogram'],
    libraries: { javascript: 'JavaScript loop', plain: 'Rust loop', 'tfjs-cpu': 'tfjs cpu', 'tfjs-wasm': 'tfjs wasm', 'jax-wasm': 'jax-js wasm', 'onnx-1': 'onnxruntime-web', burn: 'Burn' },
  },
  {
    name: 'threads',
    size: 'full',
    cases: ['multiply-same', 'multiply-axis1', 'multiply-row', 'gather-axis1', 'replace-axis1', 'multiply-axis0', 'add-plan', 'exact-65536'],
    libraries: { 'scatterwise-2': 'scatterwise, 2', 'onnx-1': 'onnxruntime-web, 1', 'onnx-2': 'onnxruntime-web, 2', 'jax-wasm-1': 'jax-js wasm, 1', 'jax-wasm-2': 'jax-js wasm, 2' },
  },
  {
    name: 'webgpu',
    size: 'full',
    cases: ['gather-axis1', 'multiply-same', 'replace-axis1', 'add-spread', 'rows-add', 'maximum'],
    libraries: { 'tfjs-webgpu': 'tfjs webgpu', 'jax-webgpu': 'jax-js webgpu', 'onnx-webgpu': 'onnxruntime-web' },
  },
];

/** A number with three digits. @param {{ code: string }} language */
const format = (value, { code }) => value.toLocaleString(code, { maximumSignificantDigits: 3 });

/** What the project measured, as tables that need no script. @param {import('../build/page.js').Context} context */
export const recordedHtml = (context) => runs.map((run) => tableHtml(run, context)).join('\n');

function tableHtml({ name, size, cases, libraries }, { t, link, language }) {
  const record = read(name);
  const resident = ({ rows }, library) => rows.find(([who, how]) => who === library && how === 'resident');
  const isOurs = (each) => each.size === size && each.dtype === 'float32' && resident(each, 'scatterwise'); // some take too long to be measured
  const found = cases.flatMap((id) => record.cases.find((each) => each.id === id && isOurs(each)) ?? []);
  const row = (one) => {
    const [, , ours] = resident(one, 'scatterwise');
    const cells = Object.keys(libraries).map((library) => cellHtml(resident(one, library), ours, language));
    return `<tr><th scope="row" lang="en">${escape(one.title)}</th><td>${format(ours, language)} ms</td>${cells.join('')}</tr>`;
  };
  const heads = ['scatterwise', ...Object.values(libraries)].map((title) => `<th scope="col">${title}</th>`);
  const all = `<a href="${link(`performance-${name}`)}">${t('recorded.all')}</a>`;
  return `<figure class="recorded">
        <figcaption class="quiet">${t(`recorded.${name}`)} ${record.date}, ${record.cpu}, ${record.browser}. ${all}</figcaption>
        <div class="scroll" tabindex="0" role="region" aria-label="${t(`recorded.${name}`)}">
          <table>
            <thead><tr><td></td>${heads.join('')}</tr></thead>
            <tbody>${found.map(row).join('')}</tbody>
          </table>
        </div>
      </figure>`;
}

/** A time as a multiple of ours; bold if it is ahead, ≈ if the sums were rounded otherwise. – where there is none, or it is of a wrong result. */
function cellHtml(row, ours, language) {
  const [, , time, verdict] = row ?? [];
  if (!time || !['exact', 'rounded'].includes(verdict)) return '<td>–</td>';
  const text = `×${format(time / ours, language)}`;
  return `<td>${verdict === 'rounded' ? '≈ ' : ''}${time < ours ? `<b>${text}</b>` : text}</td>`;
}
