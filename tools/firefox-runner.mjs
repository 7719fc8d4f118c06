// Cargo's runner for the Rust tests in Firefox. wasm-bindgen's own serves them, as it does for whoever wants to open them in a browser;
// this opens them.

import { spawn } from 'node:child_process';
import { startFirefox } from '../tests/firefox.mjs';
import { main, Trouble } from './shell.mjs';

/** How long all tests may take, in ms. */
const LIMIT = 1_200_000;

await main(async () => {
  const env = { ...process.env, NO_HEADLESS: '1', WASM_BINDGEN_TEST_ADDRESS: '127.0.0.1:0' };
  const server = spawn('wasm-bindgen-test-runner', process.argv.slice(2), { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let firefox;
  try {
    const url = await addressOf(server);
    firefox = await startFirefox({ onLog: (text) => console.log(text) });
    await firefox.goto(url);
    const output = await resultOf(firefox);
    console.log(output);
    if (!/^test result: ok/m.test(output)) process.exitCode = 1;
  } finally {
    server.kill();
    await firefox?.close();
  }
});

/** Where the tests are served. */
function addressOf(server) {
  let said = '';
  return new Promise((resolve, reject) => {
    server.once('error', reject).once('exit', () => reject(new Trouble(`The tests are not served: ${said}`)));
    server.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      const [, url] = said.match(/available at (http:\S+)/) ?? [];
      if (url) resolve(url);
    });
  });
}

/** What the page says of the tests, once they are through. */
async function resultOf(firefox) {
  for (const end = Date.now() + LIMIT; ; await new Promise((next) => setTimeout(next, 200))) {
    const output = await firefox.run(() => document.getElementById('output').textContent);
    if (/^test result: /m.test(output)) return output;
    if (Date.now() > end) throw new Trouble(`The tests take more than ${LIMIT / 1000} s:\n${output}`);
  }
}
