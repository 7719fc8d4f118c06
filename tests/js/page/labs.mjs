// The labs of the operator pages: code and picture, the step player; and the examples of the documentation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples } from '../../../www/src/lab/examples.js';
import { Unreadable, readCode } from '../../../www/src/lab/parse.js';
import { writeCode } from '../../../www/src/lab/code.js';
import { withValue } from '../../../www/src/lab/operand.js';
import { settle } from './context.mjs';

/** For each lab, its id and its verdict on the devices. */
const verdicts = (page) =>
  page.$$eval('.lab .verdicts', (lists) =>
    lists.map((list) => [list.closest('.lab').id, list.textContent.trim().replace(/\s+/g, ' ')]),
  );
/** The same for each example of the documentation. */
const blocks = (page) =>
  page.$$eval('[data-block]', (all) =>
    all.map((block) => [block.id, block.querySelector('.verdicts').textContent.trim()]),
  );
export const lab = (page, id) => page.locator(`#${id}`);
/** The values in the drawn result of a lab, as text: in a cell, the node behind the comment with which lit-html marks its place. */
export const result = (page, id) =>
  page.$$eval(`#${id} [data-role="result"] td[data-offset]`, (cells) =>
    cells.map((cell) => cell.firstChild.nextSibling?.textContent ?? cell.textContent).map((text) => text.trim()),
  );

/** Asserts that every lab of a page does as promised, on both devices with the same bits. @returns their ids */
export async function checkLabs(page) {
  const labs = await verdicts(page);
  for (const [name, text] of labs) {
    assert.match(text, /CPU ✓.*WebGPU ✓/, `${name}: ${text}`);
    if (!text.includes('rejected')) assert.match(text, /✓ the same bits/, `${name}: ${text}`);
  }
  return labs.map(([name]) => name);
}

/** Asserts that no example of the documentation on a page breaks a promise. @returns how many keep one */
export async function checkBlocks(page) {
  const ran = await blocks(page);
  for (const [name, text] of ran) assert.doesNotMatch(text, /✗/, `${name}: ${text}`);
  return ran.filter(([, text]) => text.includes('✓')).length;
}

/** The text of a lab's code. */
export const code = (page, id) => page.$$eval(`#${id} .cm-line`, (lines) => lines.map((line) => line.textContent).join('\n'));

/** Types code in place of that of a lab. */
async function write(page, id, text) {
  await lab(page, id).locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** How many cells of each table of a lab's tensor the Tab key stops at. */
const tabStops = (page, id, role) =>
  page.$$eval(`#${id} [data-role="${role}"] table`, (tables) =>
    tables.map((table) => table.querySelectorAll('td[tabindex="0"]').length),
  );

/** The tests of a lab's editor, tables and player. labs.results.mjs tests its explanations of a result. */
/** In the page: the numbers of cells that an arrow of this lab runs through. */
const crossedBy = (lab) => {
  const numbers = [...lab.querySelectorAll('.tensors td[data-offset]')].map((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell.firstChild.nodeType === Node.TEXT_NODE ? cell.firstChild : [...cell.childNodes].find((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()));
    return { name: cell.getAttribute('aria-label'), box: range.getBoundingClientRect() };
  });
  const { left, top } = lab.querySelector('.arrows').getBoundingClientRect();
  const points = [...lab.querySelectorAll('.arrow-line')].flatMap((line) =>
    Array.from({ length: 400 }, (_, at) => line.getPointAtLength((at / 399) * line.getTotalLength())),
  );
  const isOn = ({ box }) => points.some(({ x, y }) => x + left > box.left && x + left < box.right && y + top > box.top + 4 && y + top < box.bottom - 4);
  return numbers.filter(isOn).map(({ name }) => name);
};

export function testLabs({ open }) {
  test('code and picture say the same: every example reads back as it was written', () => {
    for (const example of examples) assert.equal(writeCode(readCode(example.code)), example.code, example.id);
    const together = 'const t = new Tensor([1, 2]), index = [0, 1];\nt.gather(0, index);';
    assert.equal(writeCode(readCode(together)), 'const t = new Tensor([1, 2]);\nconst index = [0, 1];\nt.gather(0, index);');
  });

  test('code that no lab can draw is refused, and a name in two roles is declared once', () => {
    const refused = ['new Tensor;', 't[0](1);', 'const [a] = [1];', 'Tensor.zeros([-1]).mul(2);', 'new Tensor([1], null).mul(2);'];
    const large = ['Tensor.zeros([1e9]).mul(2);', 'Tensor.arange(1e9).mul(2);'];
    const ragged = ['[[1], [2, 3, 4], [5, 6]]', '[[1, 2], 3, 4]', '[1, [2, 3]]', '[[[1], [2]], [[3, 4]]]'].map((text) => `new Tensor(${text}).mul(2);`);
    for (const text of [...refused, ...large, ...ragged]) assert.throws(() => readCode(`const t = [1];\n${text}`), Unreadable, text);
    const square = readCode('const x = new Tensor([1n, 2n]);\nx.mul(x);');
    assert.equal(writeCode(square), 'const x = new Tensor([1n, 2n]);\nx.mul(x);');
    const changed = writeCode({ ...square, src: withValue(withValue(square.src, 0, 7), 1, 8) });
    assert.equal(changed, 'const x = new Tensor([1n, 2n]);\nx.mul(new Tensor([7n, 8n]));');
  });

  test('without WebGPU a calm line says why, and every lab runs on the CPU', async () => {
    const { page, problems, close } = await open('scatter_mul.html');
    await settle(page);
    assert.match(await page.textContent('[data-devices] .status'), /No graphics adapter.*the same results/s);
    assert.ok(await page.isDisabled('[data-devices] input[value="webgpu"]'));
    for (const [name, text] of await verdicts(page)) assert.match(text, /^CPU ✓ same values as the page$/, name);
    assert.deepEqual(problems, []);
    await close();
  });

  test('the step player is driven by keyboard, and says each write', async () => {
    const { page, close } = await open('scatter_mul.html');
    const own = lab(page, 'scatter-mul-0111');
    await own.scrollIntoViewIfNeeded();
    const slider = own.getByRole('slider');
    await slider.focus();
    const step = () => own.locator('.step').innerText();
    await page.keyboard.press('Home');
    assert.match(await step(), /step 0 of 12\s+before the first write/);
    for (let press = 0; press < 4; press += 1) await page.keyboard.press('ArrowRight');
    assert.match(await step(), /step 4 of 12\s+input_x\[1, 0\] = 2 × 3 = 6, from updates\[0, 1, 0\]/);
    await page.keyboard.press('End');
    assert.match(
      await step(),
      /step 12 of 12\s+input_x\[1, 2\] = 42 × 9 = 378, from updates\[1, 1, 2\]\s+.*written before/s,
    );
    assert.match(await own.locator('.count').innerText(), /^6 collisions/);
    await page.keyboard.press('ArrowLeft');
    assert.match(await step(), /step 11 of 12/);
    await page.keyboard.press('Home');
    await own.getByRole('button', { name: 'Next collision' }).press('Enter');
    assert.match(await step(), /step 7 of 12\s+input_x\[1, 0\] = 6 × 7 = 42/);
    await slider.focus();
    await page.keyboard.press('Space');
    await own.getByRole('button', { name: 'Pause' }).waitFor();
    await own.getByText('step 9 of 12').waitFor();
    await page.keyboard.press('Space');
    await own.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await own.getByText('All 12 writes as a table').click();
    assert.equal(await own.locator('.writes tbody tr').count(), 12);
    await close();
  });

  test('a link leads to its section while the labs above it grow', async () => {
    for (const path of ['scatter_.html#errors', 'scatter_add.html#errors']) {
      const { page, problems, close } = await open(path, { reducedMotion: 'no-preference' });
      await page.waitForFunction(() => document.getElementById('errors').getBoundingClientRect().top < innerHeight);
      await page.waitForTimeout(1500); // what starts on the way has grown by then
      const top = await page.evaluate(() => document.getElementById('errors').getBoundingClientRect().top);
      assert.ok(top >= 0 && top < 500, `${path}: ${top}`);
      assert.deepEqual(problems, []);
      await close();
    }
  });

  test('a result that is wide scrolls in itself, and one that is long is cut', async () => {
    const { page, problems, close } = await open('scatter_.html', { viewport: { width: 390, height: 844 } });
    await lab(page, 'scatter-tensor').scrollIntoViewIfNeeded(); // it starts near the screen
    await lab(page, 'scatter-tensor').locator('.cm-content').waitFor();
    await write(page, 'scatter-tensor', 'const t = Tensor.zeros([2, 40]);\nt.scatter_(1, [[0, 1]], 7);');
    const printed = lab(page, 'scatter-tensor').locator('.comparison pre').first();
    await page.waitForFunction(() => document.querySelector('#scatter-tensor .comparison pre').textContent.startsWith('[[7. 7.'));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await write(page, 'scatter-tensor', 'const t = Tensor.zeros([60, 60]);\nt.scatter_(1, [[0, 1]], 7);');
    await printed.getByText('...').waitFor();
    assert.match(await printed.textContent(), /^\[\[7\. 7\. 0\. \.\.\. 0\. 0\. 0\.\]\n/);
    assert.deepEqual(problems, []);
    await close();
  });

  test('picture and code follow each other', async () => {
    const { page, problems, close } = await open('scatter_.html');
    const own = lab(page, 'scatter-tensor');
    await own.locator('.cm-content').waitFor();
    // a value, by keyboard
    await own.locator('[data-role="src"] td[data-offset="0"]').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('40');
    await page.keyboard.press('Enter');
    await own.locator('[data-role="result"] td', { hasText: '40' }).waitFor();
    assert.match(await code(page, 'scatter-tensor'), /src = new Tensor\(\[\[40, 3\], \[2, 1\]\]\)/);
    assert.ok(
      await page.evaluate(() => document.activeElement.matches('[data-role="src"] td[data-offset="0"]')),
      'the focus stays in the cell',
    );
    // an index entry, by its key
    await own.locator('[data-role="index"] td[data-offset="0"]').focus();
    await page.keyboard.press('-');
    await page.waitForFunction(() =>
      document.querySelector('#scatter-tensor .count').textContent.trim().startsWith('1 collision'),
    );
    assert.match(await code(page, 'scatter-tensor'), /index = new Tensor\(\[\[0, 0\], \[1, 0\]\]/);
    // the same, dragged
    const cell = await own.locator('[data-role="index"] td[data-offset="1"]').boundingBox();
    await page.mouse.move(cell.x + cell.width / 2, cell.y + cell.height / 2);
    await page.mouse.down();
    await page.mouse.move(cell.x + cell.width * 1.5, cell.y + cell.height / 2, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() =>
      document.querySelector('#scatter-tensor .cm-content').textContent.includes('[[0, 1], [1, 0]]'),
    );
    // dim, reduce, one number
    await own.locator('.controls label', { hasText: /^0$/ }).click();
    await own.getByLabel('reduce').selectOption('multiply');
    await own.getByLabel('src is one number').click();
    await page.waitForFunction(() =>
      document
        .querySelector('#scatter-tensor .cm-content')
        .textContent.endsWith("this_tensor.scatter_(0, index, 40, { reduce: 'multiply' });"),
    );
    // and back: the code is typed, the picture follows
    await own.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('const t = Tensor.zeros([3]);\nt.scatter_add_(0, [0, 2, 2], 5);');
    await own.getByText('step 3 of 3').waitFor();
    assert.deepEqual(await result(page, 'scatter-tensor').then((all) => all.map((text) => text.match(/^\d+/)[0])), [
      '5',
      '0',
      '10',
    ]);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('for (;;) {}');
    await own.getByText('Only declarations and one call').waitFor();
    await own.getByRole('button', { name: 'Reset' }).click();
    await own.getByText('✓ same values as the page').waitFor();
    assert.deepEqual(problems, []);
    await close();
  });

  test('keys lead an index past its last value, whose error is shown, and back', async () => {
    const { page, problems, close } = await open('scatter_.html');
    const own = lab(page, 'scatter-tensor');
    await write(page, 'scatter-tensor', 'const t = Tensor.zeros([3]);\nt.scatter_(0, [2, 0], [7, 8]);');
    await own.getByText('step 2 of 2').waitFor();
    const index = own.locator('[data-role="index"] td[data-offset="0"]');
    assert.equal(await index.getAttribute('aria-label'), 'index[0]: 2');
    await index.focus();
    await page.keyboard.press('+');
    await own.locator('.failure').waitFor();
    assert.match(await own.locator('.failure').innerText(), /IndexError.*value\s+3.*allowed\s+-3 to 2/s);
    await page.keyboard.press('+');
    assert.match(await code(page, 'scatter-tensor'), /scatter_\(0, \[3, 0\]/, 'one past the end is enough');
    for (let i = 0; i < 7; i += 1) await page.keyboard.press('-');
    await own.locator('.failure').filter({ hasText: /value\s*-4/ }).waitFor();
    assert.match(await index.getAttribute('aria-label'), /^index\[0\]: -4, /, 'the cell says that it is wrong');
    await page.keyboard.press('+');
    await own.getByText('step 2 of 2').waitFor();
    assert.equal(await own.locator('.failure').count(), 0);
    assert.deepEqual(problems, []);
    await close();
  });

  for (const width of [1280, 390]) {
    test(`arrows cross no number of a cell, at ${width} pixels`, async () => {
      const { page, problems, close } = await open('scatter_.html', { viewport: { width, height: 860 } });
      await settle(page, '[data-lab]');
      for (const own of await page.locator('[data-lab]:has(.player input[type="range"])').all()) {
        const slider = own.getByRole('slider');
        const steps = Number(await slider.getAttribute('max'));
        for (let step = 1; step <= steps; step += 1) {
          await slider.fill(String(step));
          const crossed = await own.evaluate(crossedBy);
          assert.deepEqual(crossed, [], `${await own.getAttribute('data-lab')}, step ${step}`);
        }
      }
      assert.deepEqual(problems, []);
      await close();
    });
  }

  test('an index cell is dragged over several places and back', async () => {
    const { page, problems, close } = await open('scatter_.html');
    await write(page, 'scatter-tensor', 'const t = Tensor.zeros([5]);\nt.scatter_(0, [1, 0], [7, 8]);');
    const cell = lab(page, 'scatter-tensor').locator('[data-role="index"] td[data-offset="0"]');
    await lab(page, 'scatter-tensor').getByText('step 2 of 2').waitFor();
    const { x, y, width, height } = await cell.boundingBox();
    const to = (places) => page.mouse.move(x + width * (places + 0.5), y + height / 2, { steps: 6 });
    const held = () => code(page, 'scatter-tensor').then((text) => text.match(/scatter_\(0, (\[.*?\])/)[1]);
    await to(0);
    await page.mouse.down();
    for (const [places, index] of [[3, '[4, 0]'], [1, '[2, 0]'], [0, '[1, 0]'], [2, '[3, 0]']]) {
      await to(places);
      assert.equal(await held(), index);
    }
    await page.mouse.up();
    assert.deepEqual(problems, []);
    await close();
  });

  test('each number of a tuple is dragged along its own dimension', async () => {
    const { page, problems, close } = await open('scatter_nd.html');
    const id = 'nd-replace';
    await write(page, id, 'const t = Tensor.zeros([3, 4]);\nt.scatter_nd([[1, 0]], [7]);');
    await lab(page, id).getByText('step 1 of 1').waitFor();
    const drag = async (offset, [right, down]) => {
      const { x, y, width, height } = await lab(page, id).locator(`[data-role="index"] td[data-offset="${offset}"]`).boundingBox();
      const to = (places) => page.mouse.move(x + width * (right * places + 0.5), y + height * (down * places + 0.5), { steps: 6 });
      await to(0);
      await page.mouse.down();
      await to(1);
      await page.mouse.up();
    };
    await drag(1, [1, 0]);
    assert.match(await code(page, id), /scatter_nd\(\[\[1, 1\]\]/);
    await drag(0, [0, 1]);
    assert.match(await code(page, id), /scatter_nd\(\[\[2, 1\]\]/);
    assert.deepEqual(problems, []);
    await close();
  });

  test('the pictures are those of the code in the editor, however fast it changes', async () => {
    const { page, problems, close } = await open('scatter_.html');
    const own = lab(page, 'scatter-tensor');
    const later = () => page.waitForTimeout(600); // longer than the pause after which typed code is read
    await own.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('x');
    await page.keyboard.press('Backspace');
    await later();
    assert.equal(await own.locator('.unreadable').count(), 0);
    await page.keyboard.insertText(' // typed');
    await own.getByLabel('reduce').selectOption('add');
    await later();
    assert.match(await code(page, 'scatter-tensor'), /index, src, \{ reduce: 'add' \}\);$/);
    await own.getByText('= 3 + 1 = 4').waitFor();
    assert.equal(await own.getByLabel('reduce').inputValue(), 'add');
    await own.getByRole('button', { name: 'Reset' }).click();
    await own.getByText('✓ same values as the page').waitFor();
    assert.equal(await own.getByLabel('reduce').inputValue(), '', 'Reset reaches the controls');
    await write(page, 'scatter-tensor', 'const t = Tensor.zeros([3]);\nt.scatter_(0, [0, 2], [5, 6]);');
    await page.keyboard.press('ControlOrMeta+Enter');
    await own.getByText('step 2 of 2').waitFor();
    await write(page, 'scatter-tensor', 'new Tensor;');
    await own.getByText('can be run but not drawn').waitFor();
    assert.deepEqual(problems, []);
    await close();
  });

  test('a changed call is drawn without the error of the one before', async () => {
    const { page, problems, close } = await open('scatter_.html');
    const own = lab(page, 'out-of-range');
    await own.scrollIntoViewIfNeeded();
    await own.locator('.failure').waitFor();
    await write(page, 'out-of-range', 'const t = new Tensor([[1, 2, 3], [4, 5, 6]]);\nt.scatter_(1, [[2, 1]], 9);');
    await own.getByText('step 2 of 2').waitFor();
    assert.equal(await own.locator('.failure').count(), 0);
    await write(page, 'out-of-range', 'const t = new Tensor([[1, 2, 3], [4, 5, 6]]);\nt.gather(1, [[2, 1]]);'); // its steps had no source
    await own.getByText('2 reads; their order').waitFor();
    // a value that does not fit, in a tensor that is not src
    await write(page, 'out-of-range', "const t = new Tensor([[1, 300]], { dtype: 'int8' });\nt.gather(1, [[0, 1]]);");
    await own.getByRole('button', { name: 'Set t[0, 1] to 127' }).click();
    await own.getByText('result[0, 1] = t[0, 1] = 127').waitFor();
    await page.waitForFunction(() => document.querySelector('#out-of-range .lab-body').ariaBusy === 'false');
    assert.deepEqual(problems, []);
    await close();
  });

  test('every slice is reached by Tab, also after an edit, and the keys of the browser are left to it', async () => {
    const { page, problems, close } = await open('scatter_.html');
    const own = lab(page, 'scatter-tensor');
    await write(page, 'scatter-tensor', 'const t = Tensor.zeros([2, 2, 3]);\nt.scatter_(0, [[[0, 1, 0]]], 5);');
    await own.getByText('step 3 of 3').waitFor();
    assert.deepEqual(await tabStops(page, 'scatter-tensor', 'self'), [1, 1]);
    await own.locator('[data-role="self"] table').last().locator('td[tabindex="0"]').focus();
    for (const key of ['ArrowRight', 'ArrowDown', 'Enter', '4', 'Enter']) await page.keyboard.press(key);
    await page.waitForFunction(() => document.activeElement.matches('td[data-offset="10"]'));
    assert.match(await code(page, 'scatter-tensor'), /\[0, 4, 0\]\]\]/);
    assert.deepEqual(await tabStops(page, 'scatter-tensor', 'self'), [1, 1]);
    /** Whether the page takes a key for itself, so that the browser does not act on it. */
    const taken = (selector, key, modifier) =>
      own.locator(selector).first().evaluate((target, [key, modifier]) => {
        const event = new KeyboardEvent('keydown', { key, [modifier]: true, bubbles: true, cancelable: true });
        return !target.dispatchEvent(event);
      }, [key, modifier]);
    assert.equal(await taken('[data-role="index"] td[data-offset]', '-', 'ctrlKey'), false, 'zoom');
    assert.equal(await taken('.player [type="range"]', 'ArrowLeft', 'altKey'), false, 'back');
    assert.equal(await taken('.player [type="range"]', 'ArrowLeft', 'shiftKey'), true);
    await write(page, 'scatter-tensor', 'const t = Tensor.zeros([40, 50, 60]);\nt.scatter_(0, [[[0]]], 5);');
    await own.locator('[data-role="self"]', { hasText: '120,000 values: too many to draw' }).waitFor();
    assert.deepEqual(problems, []);
    await close();
  });

  test('a lab goes on in the playground as it is written', async () => {
    const { page, problems, close } = await open('scatter_.html');
    const text = 'const t = new Tensor([1, 2, 3]);\nt.scatter_(\n  0,\n  [0, 2],\n  7,\n);';
    await write(page, 'scatter-tensor', text);
    await lab(page, 'scatter-tensor').getByRole('button', { name: 'Open in the playground' }).click();
    await page.waitForURL(/playground\.html#run=/);
    await page.locator('.run .output', { hasText: 'line 2' }).waitFor();
    assert.equal(await page.$$eval('.cm-line', (lines) => lines.map((line) => line.textContent).join('\n')), text);
    assert.match(await page.locator('.run .output').innerText(), /7\s+2\s+7$/);
    assert.deepEqual(problems, []);
    await close();
  });

  test('an example that is changed is judged anew, also after an error that nobody caught', async () => {
    const { page, close } = await open('gather.html');
    const own = page.locator('[data-block]').first();
    const verdicts = own.locator('.verdicts');
    await own.scrollIntoViewIfNeeded();
    await verdicts.getByText('CPU ✓').waitFor();
    await own.getByRole('button', { name: 'Edit' }).click();
    const write = async (text) => {
      await own.locator('.cm-content').click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(text);
      assert.equal(await verdicts.innerText(), '', 'what was said of the code before is gone');
      assert.equal(await own.getAttribute('aria-busy'), 'false');
    };
    const run = () => own.getByRole('button', { name: 'Run' }).click();
    await write('await new Promise((done) => setTimeout(done, 500));\n1; // → 2');
    await run();
    await write('setTimeout(() => { throw new Error("too late"); });\nawait new Promise(() => {});'); // while the other one runs
    await run();
    await verdicts.getByText('too late').waitFor();
    await write('1 + 1; // → 2');
    await run();
    await verdicts.getByText('CPU ✓ 1 of 1 as the comments say').waitFor();
    await close();
  });
}
