// The site in Firefox: its pages start, work, and no console has an error.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pack } from '../../../www/src/shared/address.js';
import { missing, startFirefox } from '../firefox.mjs';

/** Declares the tests; `address` is that of context.mjs. */
export function testFirefox({ address }) {
  let starting;
  after(async () => (await starting)?.close());

  /** Firefox at a page of the site, and a function for the errors since then. One Firefox serves all tests. */
  async function open(path) {
    starting ??= startFirefox();
    const firefox = await starting;
    const before = firefox.problems().length;
    await firefox.goto(`${address()}${path}`);
    return { firefox, problems: () => firefox.problems().slice(before) };
  }

  test('Firefox: errors of pages and workers are seen', { skip: missing }, async () => {
    const { firefox, problems } = await open('about.html');
    await firefox.run(() => {
      console.error('planted on the page');
      setTimeout(() => {
        throw new Error('planted and uncaught');
      });
      new Worker(URL.createObjectURL(new Blob(["console.error(new Error('planted in a worker'))"])));
    });
    for (let tries = 0; problems().length < 3 && tries < 300; tries += 1) await new Promise((next) => setTimeout(next, 100));
    for (const words of ['planted on the page', 'planted and uncaught', 'planted in a worker']) assert.ok(problems().some((line) => line.includes(words)), words);
  });

  test('Firefox: the live examples of the home page run', { skip: missing }, async () => {
    const { firefox, problems } = await open('index.html');
    const settled = await firefox.until(() => {
      const labs = [...document.querySelectorAll('[data-lab]')];
      const running = labs.find((lab) => lab.querySelector('.lab-body')?.getAttribute('aria-busy') !== 'false');
      running?.scrollIntoView({ behavior: 'instant' }); // a lab starts when it is on the screen: it stays there until it is done
      return !running && labs.length;
    });
    assert.ok(settled > 2);
    assert.deepEqual(problems(), []);
  });

  test('Firefox: the playground runs code', { skip: missing }, async () => {
    const { firefox, problems } = await open('playground.html');
    await firefox.until(() => document.querySelector('.workbench[aria-busy="false"] .run[aria-busy="false"] .output')?.innerText);
    assert.equal(await firefox.run(() => document.querySelectorAll('.failure').length), 0);
    assert.deepEqual(problems(), []);
  });

  test('Firefox: the playground draws networks while they learn', { skip: missing }, async () => {
    const { firefox, problems } = await open('playground.html?start=attention');
    const words = await firefox.until(() => document.querySelector('.workbench[aria-busy="false"]') && [...document.querySelectorAll('.drawing + pre')].map((each) => each.innerText));
    assert.match(words.join(), /^softmax · step 60 · .* 3[1-4] of 34 right .*,relu and exact sums · step 60 · .* 33 of 34 right /);
    assert.deepEqual(await firefox.run(() => [...document.querySelectorAll('.drawing canvas')].map(({ width, height }) => [width, height])), [[960, 690], [960, 690]]);
    assert.deepEqual(problems(), []);
  });

  test('Firefox: an error in the playground names its line', { skip: missing }, async () => {
    const link = await pack({ code: 'const nothing = null;\nnothing.x;', device: 'cpu' });
    const { firefox, problems } = await open(`playground.html#run=${link}`);
    const told = await firefox.until(() => document.querySelector('.failure') && document.querySelector('.results').innerText);
    assert.match(told, /line 2:/);
    assert.deepEqual(problems(), []);
  });

  test('Firefox: the verify page reaches a verdict', { skip: missing }, async () => {
    const { firefox, problems } = await open('verify.html');
    await firefox.run(() => document.querySelector('#verify button').click());
    const words = await firefox.until(() => document.querySelector('.outcome')?.innerText);
    const hasGpu = await firefox.run(() => navigator.gpu?.requestAdapter().then(Boolean) ?? false);
    assert.match(words, hasGpu ? /^(✓ All|◔ So far so good: the) [\d,]+ results / : /^– Your GPU was not compared/);
    assert.deepEqual(problems(), []);
  });
}
