// How the scripts run other programs, and how they fail.

import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The repository: every program is started there. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** npm itself, as the program and first argument to start it with (on Windows it is no executable). */
const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];

/** An error whose message is all that the reader needs. */
export class Trouble extends Error {}

/** Runs a script's body. An error is printed and makes the exit code 1. */
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

/** What Cargo has said, once it was asked. */
let known;

/** What Cargo says of the workspace: its packages, and where it builds. */
export function metadata() {
  known ??= JSON.parse(ask('cargo', 'metadata', '--no-deps', '--format-version', '1'));
  return known;
}

/** The list of texts that `together` holds back for the code that runs in it; empty for all other code. */
const held = new AsyncLocalStorage();

/**
 * Runs `body`, and prints its output (see `show`) as a whole at the end, because others print beside it. Resolves to its
 * result.
 */
export async function together(body) {
  const texts = [];
  try {
    return await held.run(texts, body);
  } finally {
    process.stdout.write(texts.join(''));
  }
}

/** Prints a text, or keeps it for `together`. */
export function show(text, to = process.stdout) {
  const texts = held.getStore();
  if (texts) texts.push(text);
  else to.write(text);
}

/** Runs a program that has to succeed. Its output goes straight to the terminal, but inside `together`, which holds it back. */
export async function run(program, args, { env, cwd = root } = {}) {
  let code;
  if (held.getStore()) {
    ({ code } = await watch(program, args, { env, cwd }));
  } else {
    code = await exit(spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] }));
  }
  if (code !== 0) throw new Trouble(`failed (exit code ${code}): ${[program, ...args].join(' ')}`);
}

/** Runs npm, as `run` does. */
export const runNpm = (...args) => run(npm[0], [...npm.slice(1), ...args]);

/** Runs a program and shows its output. Resolves to `{ code, output }`, whether it succeeds or not: see `exit`. */
export async function watch(program, args, { env, cwd = root } = {}) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const [from, to] of [[child.stdout, process.stdout], [child.stderr, process.stderr]]) {
    from.setEncoding('utf8');
    from.on('data', (text) => {
      output += text;
      show(text, to);
    });
  }
  return { code: await exit(child), output };
}

/** Resolves to the exit code of a program, or to the name of the signal that ended it; rejects where it cannot be run. */
function exit(child) {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Trouble(`cannot run ${child.spawnfile}: ${error.message}`)));
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
}
