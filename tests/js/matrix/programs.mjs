// Other runtimes than Node, where npm has one for this platform, and a driver for WebGPU that computes on the CPU.

import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findLavapipe, findSwiftshader } from '../../../tools/machine.mjs';

const installed = fileURLToPath(new URL('node_modules', import.meta.url));
/**
 * A program at `path` in the package below `scope` that is for this platform, the only one that npm installs; undefined where there is
 * none.
 */
function program(scope, path) {
  const folder = join(installed, scope);
  const packages = existsSync(folder) ? readdirSync(folder) : [];
  return packages.map((name) => join(folder, name, path)).find(existsSync);
}

export const bun = program('@oven', 'bin/bun');
export const deno = program('@deno', 'deno');
/** Dawn, which is Chromium's WebGPU, for Node. */
export const dawn = [join(installed, 'webgpu/index.js')].find(existsSync);

/** Why a test has to be skipped; false where it has not. */
export const noBun = !bun && 'npm has no Bun for this platform';
export const noDeno = !deno && 'npm has no Deno for this platform';
export const noDawn = !dawn && "npm has not installed the package 'webgpu'";

/** Software drivers. */
const drivers = [findSwiftshader(), findLavapipe()].filter(Boolean);
/**
 * Variables of the environment by which Vulkan's loader takes these drivers alone, where there are some; Dawn passes over those that do not
 * suffice for it. A driver may complain where XDG_RUNTIME_DIR is not set.
 */
export const vulkan = { ...(drivers.length > 0 && { VK_DRIVER_FILES: drivers.join(':') }), XDG_RUNTIME_DIR: process.env.XDG_RUNTIME_DIR ?? tmpdir() };

/** Runs a script in Deno, which keeps its cache in the folder, and resolves to its output. */
export async function inDeno(folder, name) {
  const env = { ...process.env, ...vulkan, DENO_DIR: join(folder, '.deno'), DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' };
  return (await promisify(execFile)(deno, ['run', '--allow-all', name], { cwd: folder, env })).stdout;
}
