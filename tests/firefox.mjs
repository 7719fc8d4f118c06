// Firefox by WebDriver BiDi, the protocol that it speaks itself, over a WebSocket: Playwright drives only its own build of Firefox, and
// geckodriver, which the older protocol needs, takes a minute to compile.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import WebSocket from 'ws';
import { findFirefox } from '../tools/machine.mjs';

/** What is not there, or undefined. */
export const missing = findFirefox() ? undefined : 'Firefox is not installed';

/** Preferences that the tests need, for WebGPU. Where it is driven, Firefox by itself asks and loads nothing beside the pages. */
const { 'moz:firefoxOptions': { prefs } } = JSON.parse(readFileSync(new URL('../webdriver.json', import.meta.url), 'utf8'));

/**
 * A line of an error: of a console, which quotes text, while code of Firefox itself says its name before a colon; or of an uncaught error,
 * with an address that is not Firefox's own.
 */
const PROBLEM = /^(console\.error: (?![A-Za-z]+: )|JavaScript error: (?!resource:|chrome:))/;

const pause = (ms) => new Promise((next) => setTimeout(next, ms));

/** How long it may take to start, in ms. */
const START = 60_000;

/**
 * Starts Firefox, headless. `run` runs a function of the page's, whose result JSON can hold; `until` waits until one returns something
 * true; `problems` are the errors so far on the consoles of pages, frames and workers, and the uncaught ones. `onLog` gets the
 * text of what consoles are told.
 */
export async function startFirefox({ onLog } = {}) {
  const profile = mkdtempSync(join(tmpdir(), 'scatterwise-firefox-'));
  const all = { 'devtools.console.stdout.content': true, ...prefs };
  writeFileSync(join(profile, 'user.js'), Object.entries(all).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(''));
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

/** A function that sends a command and resolves to its result. */
async function connect(address, onLog) {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const waiting = new Map();
  socket.on('message', (text) => {
    const { id, type, params, result, error, message } = JSON.parse(text);
    if (type === 'event') {
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

async function opened(send, { onLog, said, close }) {
  await send('session.new', { capabilities: {} });
  if (onLog) await send('session.subscribe', { events: ['log.entryAdded'] });
  const { contexts: [{ context }] } = await send('browsingContext.getTree', { maxDepth: 0 });

  async function run(work, ...args) {
    const expression = `Promise.resolve((${work})(...${JSON.stringify(args)})).then((value) => JSON.stringify(value))`;
    const { type, result, exceptionDetails } = await send('script.evaluate', { expression, target: { context }, awaitPromise: true });
    if (type === 'exception') throw new Error(exceptionDetails.text);
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
