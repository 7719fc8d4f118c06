// The steps of a day with a GPU, in the order in which they are worth having. A step is a program that exists; it prints what it found.

import { copyFile, mkdir } from 'node:fs/promises';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from '../../tools/machine.mjs';
import { ask, root, run, Trouble } from '../../tools/shell.mjs';

/** What has to be built for the steps lies here, so that a machine without Cargo can run them. */
const programs = join(root, 'target', 'gpu-day', 'programs');
const site = join(root, 'target', 'bench', 'site');

/** Suites of tests/rust/suites whose bits a driver could change, those that say most first. */
const suites = ['numerics', 'multiply_pass', 'exact_vectors', 'dims', 'strategies', 'lists', 'order_free', 'passes', 'dispatches', 'histogram', 'sort', 'spmm', 'lost_work'];
const quickSuites = ['numerics', 'multiply_pass'];
/** Workloads of the native benchmark. Each is done by every way to scatter, forced. */
const workloads = ['as many slots', 'at axis 1', 'multiply rows', 'at pairs', 'replace', 'gather'];

/**
 * All steps: { id, title, seconds, program, args, env }. `seconds` is the most that one may take. A step without a `program` cannot run
 * here: `lacks` says why.
 */
export function stepsOf({ quick }) {
  const [tests, gpu, counts] = ['tests', 'gpu', 'counts'].map((name) => ({ program: join(programs, name) }));
  const flags = quick ? ['--quick'] : [];
  const env = { SCATTERWISE_REQUIRE_WEBGPU: '1' };
  return [
    { id: 'constants', title: 'Constants, each forced', seconds: 40, ...gpu, args: [...flags, 'constants'] },
    ...(quick ? quickSuites : suites).map((suite) => ({ id: `suite-${suite}`, title: `Tests, ${suite}`, seconds: 60, ...tests, args: [`suites::${suite}::`], env })),
    // They are the same on every adapter, and a software one needs minutes.
    ...(quick ? [] : [{ id: 'counts', title: 'What calls record', seconds: 60, ...counts, args: [] }]),
    { id: 'forced', title: 'Every way to scatter', seconds: 120, ...gpu, args: ['--quick', ...(quick ? ['at axis 1'] : workloads)] },
    { id: 'browser', title: 'In Chromium, beside tfjs', seconds: 180, ...browser(quick) },
  ];
}

/** The part `gpu` of the benchmark, with tfjs alone. */
function browser(quick) {
  if (!findChromium()) return { lacks: 'there is no Chromium or Chrome' };
  if (!existsSync(join(site, 'rivals'))) return { lacks: 'its pages are not built' };
  const size = quick ? ['--only', 'activate'] : ['--size', 'full', '--minutes', '2'];
  const args = ['benches/browser/bench.mjs', 'gpu', '--no-set-up', '--quick', '--rivals', rivals, ...size];
  return { program: process.execPath, args, env: quick ? {} : { SCATTERWISE_ADAPTER: 'hardware' } };
}

const rivals = 'scatterwise,kernels,tfjs-webgpu';

/** Builds what the steps run. It takes minutes, and needs no GPU. With `pages`, also the pages of the browser's step. */
export async function prepare({ quick, pages }) {
  await mkdir(programs, { recursive: true });
  const profile = ['--profile', quick ? 'dev' : 'bench'];
  for (const [name, args] of [
    ['tests', ['test', '--test', 'main']],
    ['gpu', ['bench', '--package', 'scatterwise-bench', '--bench', 'gpu', ...profile]],
    ['counts', ['bench', '--package', 'scatterwise-bench', '--bench', 'counts', '--profile', 'dev']],
  ]) {
    const build = [...args, '--no-run'];
    await run('cargo', build); // with its output
    const built = executable(ask('cargo', ...build, '--message-format', 'json') ?? '');
    if (!built) throw new Trouble(`cargo ${build.join(' ')} names no program.`);
    await copyFile(built, join(programs, name));
  }
  if (pages && findChromium()) await run(process.execPath, ['benches/browser/bench.mjs', 'gpu', '--set-up', '--rivals', rivals]);
}

/** Whether everything that `prepare` builds is there, without the pages. */
export const isPrepared = () => ['tests', 'gpu', 'counts'].every((name) => existsSync(join(programs, name)) && statSync(join(programs, name)).size > 0);

/** The program that Cargo's messages name last. */
export function executable(messages) {
  const found = messages.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line).executable);
  return found.filter(Boolean).at(-1);
}
