// Cargo's runner for the Rust tests in Firefox. wasm-bindgen's runner only serves them (NO_HEADLESS), on a page that anyone may open in a
// browser; this program opens it in Firefox, and passes on its output.

import { spawn } from 'node:child_process';
import { startFirefox } from '../tests/js/firefox.mjs';
import { main, Trouble } from './shell.mjs';

/** How long all tests may take, in seconds: the limit of wasm-bindgen's runner, or its default. */
const limit = Number(process.env.WASM_BINDGEN_TEST_TIMEOUT ?? 20);

await main(async () => {
  const env = { ...process.env, NO_HEADLESS: '1', WASM_BINDGEN_TEST_ADDRESS: '127.0.0.1:0' };
  const server = spawn('wasm-bindgen-test-runner', process.argv.slice(2), { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let firefox;
  try {
    const url = await addressOf(server);
    firefox = await startFirefox({ onLog: (text) => console.log(text) });
    await firefox.goto(url);
    const output = await firefox.until(() => {
      const { textContent } = document.getElementById('output');
      return /^test result: /m.test(textContent) && textContent;
    }, limit);
    console.log(output);
    if (!/^test result: ok/m.test(output)) process.exitCode = 1;
  } finally {
    server.kill();
    await firefox?.close();
  }
});

/** The URL at which wasm-bindgen's runner serves the tests, as soon as it prints that; rejects where it ends before. */
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
