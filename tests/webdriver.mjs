// Firefox by geckodriver, as the Rust tests start it: Playwright drives only its own build of Firefox and newer ones than most machines have.

import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { findFirefox, findGeckodriver } from '../tools/machine.mjs';

/** What is not there, or undefined. */
export const missing = !findFirefox() ? 'Firefox is not installed' : !findGeckodriver() ? 'geckodriver is not installed' : undefined;

/** A port that nobody listens on. */
async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/**
 * A line of an error: of a console, which quotes text, while code of Firefox itself says its name before a colon; or of what nobody caught,
 * with an address that is not Firefox's own.
 */
const PROBLEM = /^(console\.error: (?![A-Za-z]+: )|JavaScript error: (?!resource:|chrome:))/;

const pause = (ms) => new Promise((next) => setTimeout(next, ms));

/**
 * Starts Firefox, headless, with these preferences. `run` runs a function of the page's; `until` waits until one returns something true;
 * `problems` are the errors so far on the consoles of pages, frames and workers, and those that nobody caught.
 */
export async function startFirefox(preferences = {}) {
  const port = await freePort();
  const driver = spawn(findGeckodriver(), ['--port', String(port), '--log', 'error'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [driver.stdout, driver.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));

  async function send(method, path, body) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(body && { body: JSON.stringify(body), headers }) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  }

  const close = async (path) => {
    if (path) await send('DELETE', path).catch(() => {});
    driver.kill();
  };
  try {
    for (let tries = 0; !(await fetch(`http://127.0.0.1:${port}/status`).catch(() => undefined))?.ok; tries += 1) {
      if (tries > 200) throw new Error(`geckodriver does not answer: ${said}`);
      await pause(100);
    }
    const prefs = { 'devtools.console.stdout.content': true, ...preferences };
    const firefox = { binary: findFirefox(), args: ['-headless'], prefs };
    const { sessionId } = await send('POST', '/session', { capabilities: { alwaysMatch: { 'moz:firefoxOptions': firefox } } });
    return await opened(`/session/${sessionId}`, send, () => said, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function opened(session, send, said, close) {
  await send('POST', `${session}/timeouts`, { script: 120_000, pageLoad: 120_000 });
  const run = (work, ...args) => send('POST', `${session}/execute/sync`, { script: `return (${work})(...arguments)`, args });
  return {
    goto: (url) => send('POST', `${session}/url`, { url }),
    run,
    async until(work, ...args) {
      for (let tries = 0; tries < 1200; tries += 1) {
        const found = await run(work, ...args);
        if (found) return found;
        await pause(100);
      }
      throw new Error(`not within two minutes: ${work}\n${said()}`);
    },
    problems: () => said().split('\n').filter((line) => PROBLEM.test(line)),
    close: () => close(session),
  };
}
