// A day with a GPU: `node benches/gpu-day/run.mjs` runs the suites and benchmarks that only a physical GPU can answer, in at most eight minutes,
// and writes target/gpu-day/day.json. It does not ask for a quiet machine, but no other work should use the GPU.
//   --prepare   only builds what the steps run: it takes minutes, and the machine needs no GPU. Then target/ can be carried to one that has
//   --quick     few and small steps: to see that everything runs, on a software adapter too
//   --fresh     runs all steps again; otherwise those that are done are left out
//   --minutes 5 for all steps together
//   --no-pages  builds no pages for the browser
// `node benches/gpu-day/report.mjs` turns the result into a page.

import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ask, main, root } from '../../tools/shell.mjs';
import { isPrepared, prepare, stepsOf } from './steps.mjs';

const file = join(root, 'target', 'gpu-day', 'day.json');
/** Characters of what a step prints that are kept: its end. */
const kept = 60_000;

await main(async () => {
  const flag = { type: 'boolean', default: false };
  const { values } = parseArgs({ options: { prepare: flag, quick: flag, fresh: flag, 'no-pages': flag, minutes: { type: 'string', default: '8' } } });
  const pages = !values['no-pages'];
  if (values.prepare || !isPrepared()) await prepare({ quick: values.quick, pages });
  if (values.prepare) return;

  const day = await begin(values);
  const until = Date.now() + Number(values.minutes) * 60_000;
  for (const step of stepsOf(values)) {
    if (day.steps[step.id]?.state === 'done') continue;
    const left = Math.floor((until - Date.now()) / 1000);
    day.steps[step.id] = step.lacks ? { title: step.title, state: 'left out', why: step.lacks } : await runStep(step, left);
    await writeFile(file, `${JSON.stringify(day, null, 1)}\n`);
    const { state, seconds, why } = day.steps[step.id];
    console.log(`${step.title}: ${state}${seconds === undefined ? '' : `, ${seconds} s`}${why ? `: ${why}` : ''}`);
  }
  console.log(`\n${file}\nSteps that are not done run at the next start. \`node benches/gpu-day/report.mjs\` makes a page of it.`);
});

/** The result so far, of the same commit and kind of run; else an empty one. */
async function begin({ quick, fresh }) {
  const commit = ask('git', 'rev-parse', '--short=8', 'HEAD') ?? 'unknown';
  await mkdir(dirname(file), { recursive: true });
  const before = fresh ? undefined : await readFile(file, 'utf8').then(JSON.parse, () => undefined);
  if (before?.format === 1 && before.commit === commit && before.quick === quick) return before;
  const machine = { cpu: os.cpus()[0]?.model, cores: os.cpus().length, system: `${os.platform()} ${os.release()}` };
  return { format: 1, date: new Date().toISOString().slice(0, 10), commit, quick, machine, steps: {} };
}

/** Runs a step for at most so many seconds. Resolves to what is written of it. */
function runStep({ title, program, args, env, seconds }, left) {
  const most = Math.min(seconds, left);
  if (most < 5) return { title, state: 'left out', why: 'the time is over' };
  return new Promise((resolve) => {
    const started = Date.now();
    let [output, isCut] = ['', false];
    const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    // Both streams: the tests' results are on the first, a driver's complaints on the second.
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output = (output + text).slice(-kept)));
    const timer = setTimeout(() => {
      isCut = true;
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), 5000).unref();
    }, most * 1000);
    const finish = (state, more) => {
      clearTimeout(timer);
      resolve({ title, state, seconds: Math.round((Date.now() - started) / 1000), ...more, output });
    };
    child.on('error', (error) => finish('failed', { why: error.message }));
    child.on('close', (code) => finish(isCut ? 'cut' : code === 0 ? 'done' : 'failed', isCut || code === 0 ? {} : { why: `exit code ${code}` }));
  });
}
