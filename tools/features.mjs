// Checks that the library compiles with each of its families alone and with none, natively and for the npm package.

import { families, scripts } from './entries.mjs';
import { main, run } from './shell.mjs';

await main(async () => {
  for (const name of ['', ...families.filter((each) => !scripts.includes(each))]) {
    await run('cargo', ['check', '--lib', '--no-default-features', '--features', name]);
    await run('cargo', ['check', '--lib', '--no-default-features', '--features', `npm,${name}`, '--target', 'wasm32-unknown-unknown']);
  }
});
