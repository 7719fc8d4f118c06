// Runs the tables of tests/js/web in Node, on threads: `node --import` of this file makes a program's imports of the package those of
// threads.testing.js, and lets it fetch files.

import { readFile } from 'node:fs/promises';
import { register } from 'node:module';

register(`data:text/javascript,${encodeURIComponent(`
  export async function resolve(name, context, next) {
    const found = await next(name, context);
    const url = found.url.replace(/scatterwise[/](index|node)[.]js$/, 'threads.testing.js');
    return { ...found, url };
  }
`)}`);

const { fetch } = globalThis;
globalThis.fetch = async (url, options) => (String(url).startsWith('file:') ? new Response(await readFile(new URL(url)), { headers: { 'content-type': 'application/wasm' } }) : fetch(url, options));
