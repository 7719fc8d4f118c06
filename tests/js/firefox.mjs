// Firefox by WebDriver BiDi, the protocol that it speaks itself, over a WebSocket: Playwright drives only its own build of Firefox, and
// geckodriver, which the older protocol needs, takes a minute to compile.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import WebSocket from 'ws';
import { findFirefox } from '../../tools/machine.mjs';

/** Why these tests cannot run on this machine, in words; undefined where Firefox is installed. */
export const missing = findFirefox() ? undefined : 'Firefox is not installed';

/**
 * Preferences that switch WebGPU on. `startFirefox` adds one, for the output of consoles. No others are needed: Firefox that is driven by a
 * program neither asks nor loads anything by itself.
 */
const { 'moz:firefoxOptions': { prefs } } = JSON.parse(readFileSync(new URL('../../webdriver.json', import.meta.url), 'utf8'));

/**
 * Matches a line of Firefox's output about an error in a page. There are two kinds. One is what a page told `console.error`; code
 * of Firefox itself also logs there, but begins with the name of its module and a colon, which are in no quotes. The other is an exception
 * that nobody caught, unless its address is one of Firefox's own code, `resource:` or `chrome:`.
 */
const PROBLEM = /^(console\.error: (?![A-Za-z]+: )|JavaScript error: (?!resource:|chrome:))/;

const pause = (ms) => new Promise((next) => setTimeout(next, ms));

/** How long Firefox may take to start, in ms. */
const START = 60_000;

/**
 * Starts Firefox, headless, with a fresh profile. `onLog` gets the text of each message on a console. Resolves to an object with one page:
 * - `goto(url)` resolves when the page has loaded.
 * - `run(work, ...args)` runs the function `work` in the page, as text: it sees nothing of this module. Arguments and result cross as JSON.
 *   It rejects when `work` throws.
 * - `until(work, seconds)` runs `work` again and again until its result is truthy, and resolves to that; it rejects after `seconds` (120).
 * - `problems()` are the lines of the errors so far, of pages, frames and workers: those told to a console, and those that nobody caught.
 * - `close()` ends Firefox and resolves when its profile is gone.
 */
export async function startFirefox({ onLog } = {}) {
  const profile = mkdtempSync(join(tmpdir(), 'scatterwise-firefox-'));
  const preferences = { 'devtools.console.stdout.content': true, ...prefs }; // pages' consoles are printed too, for `problems`
  writeFileSync(join(profile, 'user.js'), Object.entries(preferences).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(''));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0'];
  const firefox = spawn(findFirefox(), args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((done) => firefox.once('exit', done).once('error', done));
  let said = '';
  for (const stream of [firefox.stdout, firefox.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const close = async () => {
    firefox.kill();
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const isOver = ended.then(() => true);
    // Firefox chooses a free port, and prints its address.
    let address;
    for (const end = Date.now() + START; !address; address = said.match(/WebDriver BiDi listening on (ws:\S+)/)?.[1]) {
      if (Date.now() > end || (await Promise.race([isOver, pause(50)]))) throw new Error(`Firefox did not start: ${said}`);
    }
    return await opened(await connect(`${address}/session`, onLog), { onLog, said: () => said, close });
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Opens the connection. Resolves to `send(method, params)`, which sends one command of WebDriver BiDi and resolves to its result; it
 * rejects with what Firefox says where the command fails, and when the connection closes.
 */
async function connect(address, onLog) {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const waiting = new Map(); // by the number of the command, which its answer repeats
  socket.on('message', (text) => {
    const { id, type, params, result, error, message } = JSON.parse(text);
    if (type === 'event') { // of log.entryAdded alone: no other event is subscribed to
      onLog?.(params.text);
      return;
    }
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (type === 'error') reject?.(new Error(`${error}: ${message}`));
    else resolve?.(result);
  });
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has closed the connection'));
  });
  let last = 0;
  return (method, params) => {
    last += 1;
    const answer = new Promise((resolve, reject) => waiting.set(last, { resolve, reject }));
    socket.send(JSON.stringify({ id: last, method, params }));
    return answer;
  };
}

/** Opens a session with one page; resolves to the object of `startFirefox`. `said()` is all that Firefox has printed so far. */
async function opened(send, { onLog, said, close }) {
  await send('session.new', { capabilities: {} });
  if (onLog) await send('session.subscribe', { events: ['log.entryAdded'] });
  const { contexts: [{ context }] } = await send('browsingContext.getTree', { maxDepth: 0 });

  async function run(work, ...args) {
    const expression = `Promise.resolve((${work})(...${JSON.stringify(args)})).then((value) => JSON.stringify(value))`;
    const { type, result, exceptionDetails } = await send('script.evaluate', { expression, target: { context }, awaitPromise: true });
    if (type === 'exception') throw new Error(exceptionDetails.text);
    // JSON.stringify makes undefined of undefined.
    return result.type === 'undefined' ? undefined : JSON.parse(result.value);
  }

  return {
    goto: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    run,
    async until(work, seconds = 120) {
      for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(100)) {
        const found = await run(work);
        if (found) return found;
      }
      throw new Error(`not within ${seconds} s: ${work}\n${said()}`);
    },
    problems: () => said().split('\n').filter((line) => PROBLEM.test(line)),
    close,
  };
}
