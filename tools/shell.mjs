// How the scripts run other programs, and how they fail.

import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The repository: every program is started there. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** npm itself, as the program and first argument to start it with (on Windows it is no executable). */
const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];

/** An error whose message is all that the reader needs. */
export class Trouble extends Error {}

/** Runs a script's body; what goes wrong is printed and makes the exit code 1. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    console.error(error instanceof Trouble ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}

/** What a program prints on stdout, trimmed; undefined where it is not there or fails. */
export function ask(program, ...args) {
  const { status, stdout } = spawnSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return status === 0 ? stdout.trim() : undefined;
}

/** Runs a program that has to succeed, its output going straight to the terminal. */
export async function run(program, args, { env, cwd = root } = {}) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] });
  const code = await exit(child);
  if (code !== 0) throw new Trouble(`failed (exit code ${code}): ${[program, ...args].join(' ')}`);
}

export const runNpm = (...args) => run(npm[0], [...npm.slice(1), ...args]);

/** Runs a program and shows its output, and returns it too: `{ code, output }`. */
export async function watch(program, args, { env } = {}) {
  const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const [from, to] of [[child.stdout, process.stdout], [child.stderr, process.stderr]]) {
    from.setEncoding('utf8');
    from.on('data', (text) => {
      output += text;
      to.write(text);
    });
  }
  return { code: await exit(child), output };
}

function exit(child) {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Trouble(`cannot run ${child.spawnfile}: ${error.message}`)));
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
}
