// The part that measures sorts and groups on both devices: the workloads of page/groups.js, which have a page and raw results of their own.

import { groups } from '../page/groups.js';
import { openPages } from './driver.mjs';
import { adapterText, facts, machine, runAll, save } from './parts.mjs';
import { modeTable, rawResults, remarks, replaceSection, summaryTable, writePage } from './report.mjs';
import { cpuRivals, gpuRivals } from './rivals.mjs';

/** The rivals of this part on each device. */
const rivals = { cpu: cpuRivals.filter(({ threaded }) => !threaded), gpu: gpuRivals };
export const groupRivals = [...rivals.cpu, ...rivals.gpu];

/** Without the page of plain kernels, which has none for these workloads: it reports the adapter. */
const measuredOnGpu = gpuRivals.filter(({ yardstick }) => !yardstick);

/** The other ways that take turns with *resident*: compositions of our operators, a histogram, and a sort of the values alone. */
const others = ['composition', 'composition, exact', 'histogramdd, weights', 'TypedArray.sort'];

/** Measures the CPU at full size and WebGPU at 1/64 of it. Writes its page and a section of docs/PERFORMANCE.md, unless it is a quick run, which prints tables. */
export async function benchGroups({ quick, only, versions }) {
  const cpu = await measure({ rivals: rivals.cpu, only, sizes: ['full'], effort: quick ? { rounds: 5, sample_ms: 10 } : { rounds: 11, sample_ms: 14 } });
  const gpuEffort = quick ? { rounds: 3, sample_ms: 10, warm: 20 } : { rounds: 7, sample_ms: 15, warm: 40 };
  const gpu = await measure({ rivals: rivals.gpu, only, sizes: ['small'], webgpu: true, effort: { ...gpuEffort, patience: 2000 } });
  const blocks = [...tables(cpu, 'CPU', 'full'), adapterText(gpu.pages), ...tables(gpu, 'WebGPU', 'small')];
  if (quick) return console.log([...blocks, remarks(cpu.cases, rivals.cpu), remarks(gpu.cases, measuredOnGpu)].join('\n\n'));
  const measured = facts(cpu.pages, versions, groupRivals);
  await save('browser-groups', { ...machine(cpu.pages), versions, cases: rawResults(cpu.cases), webgpu: rawResults(gpu.cases) });
  await writePage('groups', { title: 'Sorts and groups, in Chromium', part: 'groups' }, [
    measured, ...blocks,
    '## What the other libraries lack or do differently',
    '### CPU', remarks(cpu.cases, rivals.cpu), '### WebGPU', remarks(gpu.cases, measuredOnGpu),
  ]);
  const summary = summaryTable(cpu.cases, rivals.cpu, { mode: 'resident', dtype: 'float32', size: 'full' });
  await replaceSection('groups', `${measured}\n\n${summary}`);
}

/** Opens the pages of one device and measures all workloads there. Resolves to { cases, pages, rivals }. */
async function measure({ rivals, only, sizes, webgpu, effort }) {
  const pages = await openPages(rivals, { webgpu });
  const cases = [];
  await runAll(pages, sizes, { ...effort, only, seen: (one) => cases.push(one) }, groups);
  await pages.close();
  return { cases, pages, rivals };
}

/** A table for each mode and dtype. */
function tables({ cases, rivals }, device, size) {
  const blocks = [];
  for (const mode of ['resident', 'end to end']) {
    for (const dtype of ['float32', 'int32']) {
      const text = modeTable(cases, rivals, { mode, dtype, size }, others);
      if (text) blocks.push(`## ${device}, ${mode}, ${dtype}${size === 'small' ? ', 1/64 of the size' : ''}\n\n${text}`);
    }
  }
  return blocks;
}
