// A lab's explanations of a result: who wrote a place, where a value comes from, the results of a race, why a call is refused; and the link
// to the lab.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { code, lab, result } from './labs.mjs';

export function testLabResults({ open }) {
  test('a place of the result tells who wrote it', async () => {
    const { page, close } = await open('scatter_.html');
    const own = lab(page, 'duplicates-replace');
    await own.scrollIntoViewIfNeeded();
    await own.locator('[data-role="result"] td[data-offset="1"]').click();
    const list = own.locator('.provenance');
    assert.match(await list.innerText(), /Who wrote t\[0, 1\].*It was 2\. 3 writes, in this order/s);
    assert.deepEqual(await list.locator('.sum').allInnerTexts(), ['= 10', '= 20', '= 30']);
    await close();
  });

  test('a gather is read step by step, and a place of its result tells where it comes from', async () => {
    const { page, problems, close } = await open('gather.html');
    const own = lab(page, 'gather-columns');
    await own.scrollIntoViewIfNeeded();
    const slider = own.getByRole('slider');
    await slider.press('Home');
    const step = () => own.locator('.step').innerText();
    assert.match(await step(), /step 0 of 4\s+before the first read/);
    assert.deepEqual(await result(page, 'gather-columns'), ['·', '·', '·', '·']);
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowRight');
    assert.match(await step(), /step 3 of 4\s+result\[1, 0\] = t\[1, 1\] = 4/);
    assert.match(await own.locator('[data-role="self"] td.read').innerText(), /^4/);
    await own.locator('[data-role="result"] td[data-offset="3"]').click();
    assert.match(await own.locator('.provenance').innerText(), /result\[1, 1\].*t\[1, 0\] = 3.*index\[1, 1\]/s);
    await own.getByText('All 4 reads as a table').click();
    assert.equal(await own.locator('.writes tbody tr').count(), 4);
    // one tuple moves a row: a step for each element
    await lab(page, 'gather-tuples').locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('const t = new Tensor([[1, 2], [3, 4]]);\nt.gather_nd([[1]]);');
    await lab(page, 'gather-tuples').getByText('step 2 of 2').waitFor();
    assert.deepEqual(problems, []);
    await close();
  });

  test('a place of a product shows its factors, its activation and what was rounded', async () => {
    const { page, problems, close } = await open('mul.html');
    const own = lab(page, 'multiply-numpy');
    await own.scrollIntoViewIfNeeded();
    await own.locator('[data-role="result"] td[data-offset="5"]').click();
    assert.match(await own.locator('.provenance').innerText(), /result\[2, 1\] = t\[2, 0\] × other\[0, 1\] = 3 × 20 = 60/);
    assert.match(await own.locator('[data-role="self"] td.traced').innerText(), /^3/);
    await own.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(
      "const x = new Tensor([[1, -2], [0.1, 4]]);\nconst y = new Tensor([3, 5]);\nelementwise_mul(x, y, { axis: 0, act: 'relu' });",
    );
    await own.locator('[data-role="result"] td[data-offset="5"]').waitFor({ state: 'detached' });
    const cell = own.locator('[data-role="result"] td[data-offset="1"]');
    await cell.press('Enter');
    const shown = own.locator('.provenance');
    assert.match(await shown.innerText(), /x\[0, 1\] × y\[0\] = -2 × 3 = -6.*relu\(-6\) = 0/s);
    await own.locator('[data-role="result"] td[data-offset="2"]').click();
    assert.match(await shown.innerText(), /x\[1, 0\] × y\[1\] = 0.1 × 5 = 0.5 +\(0.500000007451, rounded to float32\)/);
    assert.deepEqual(problems, []);
    await close();
  });

  test('the other operations on two tensors show theirs, in place and with a rounding too', async () => {
    const { page, problems, close } = await open('add.html');
    const origin = async (id, offset) => {
      await lab(page, id).scrollIntoViewIfNeeded();
      await lab(page, id).locator(`[data-role="result"] td[data-offset="${offset}"]`).click();
      return lab(page, id).locator('.provenance').innerText();
    };
    assert.match(await origin('add-table', 5), /result\[1, 2\] = t\[1, 0\] \+ other\[2\] = 2 \+ 30 = 32/);
    assert.match(await origin('div-floor', 1), /t\[0, 1\] ÷ other\[0, 1\] = -7 ÷ 2 = -4/);
    assert.match(await origin('maximum-row', 0), /t\[0, 0\] max other\[0\] = 1 max 4 = 4/);
    await lab(page, 'div-floor').getByLabel('rounding').selectOption('trunc');
    await lab(page, 'div-floor').locator('[data-role="result"] td[data-offset="1"]').getByText('-3').waitFor();
    assert.match(await lab(page, 'div-floor').locator('.cm-content').innerText(), /rounding: 'trunc'/);
    assert.deepEqual(problems, []);
    await close();
  });

  test('writes that race give several results, the order of the index gives one', async () => {
    const { page, problems, close } = await open('scatter_add.html');
    const own = lab(page, 'duplicates-add');
    await own.scrollIntoViewIfNeeded();
    const panel = own.locator('.race');
    await panel.locator('tbody tr').first().waitFor();
    assert.match(await panel.innerText(), /This is a simulation/);
    const rows = await panel.locator('tbody tr').allInnerTexts();
    assert.match(rows[0], /^Scatterwise: the order of the index\s+0\s+1\s+200 of 200\s+1 2 3 4 5 6/);
    assert.ok(rows.filter((row) => row.startsWith('racing: result')).length > 2, rows.join('; '));
    assert.match(rows.at(-1), /^racing, not atomic\s+-1e8\s+1/);
    // whole numbers add up alike in any order, and without collisions there is nothing to race for
    await own.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText("const t = Tensor.zeros([2], { dtype: 'int32' });\nt.scatter_add(0, [0, 0, 0], [1, 2, 3]);");
    await panel.getByText('The same result in all 200 orders').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('const t = new Tensor([1, 2, 3]);\nt.scatter_(0, [0, 1], [5, 6]);');
    await own.getByText('step 2 of 2').waitFor();
    assert.equal(await panel.count(), 0);
    assert.deepEqual(problems, []);
    await close();
  });

  test('an error shows where, what is allowed and that nothing was written, and its fix works', async () => {
    const { page, close } = await open('scatter_.html');
    const own = lab(page, 'out-of-range');
    await own.scrollIntoViewIfNeeded();
    const failure = own.locator('.failure');
    assert.match(
      await failure.innerText(),
      /IndexError.*position\s+\[1, 1\].*value\s+3.*allowed\s+-3 to 2.*Nothing was written/s,
    );
    assert.match(await own.locator('td.bad').innerText(), /^3/);
    await failure.getByRole('link', { name: 'index-out-of-range' }).click();
    await page.locator('#error-index-out-of-range:target').waitFor();
    await failure.getByRole('button', { name: 'Set index[1, 1] to 2' }).click();
    await own.getByText('step 6 of 6').waitFor();
    assert.equal(await own.locator('.failure').count(), 0);
    await close();
  });

  test('the chart of the shapes follows what is typed, also when it is refused', async () => {
    const { page, close } = await open('index.html');
    const own = lab(page, 'why-shape');
    await own.scrollIntoViewIfNeeded();
    await own.locator('.shapes[open]').waitFor();
    assert.equal(await own.locator('.size.bad').count(), 2);
    const shape = own.getByLabel('shape of t');
    await shape.fill('3, 3');
    await shape.press('Enter');
    await own.getByText('✓ they fit').waitFor();
    await own.getByText('step 6 of 6').waitFor();
    const before = await code(page, 'why-shape');
    const index = own.getByLabel('shape of index');
    await index.press('End');
    for (const key of ['Backspace', 'Backspace', 'Backspace', 'Backspace']) await page.keyboard.press(key);
    await page.keyboard.type('4, 2');
    assert.equal(await index.inputValue(), '4, 2');
    assert.equal(await code(page, 'why-shape'), before, 'a shape that is half typed takes no numbers away');
    await index.press('Enter');
    await own.getByText('✗ they do not fit').waitFor();
    await own.locator('.failure').waitFor();
    await shape.fill('three');
    await shape.press('Enter');
    assert.equal(await shape.getAttribute('aria-invalid'), 'true');
    await own.getByRole('button', { name: 'Reset' }).click();
    await page.waitForFunction((field) => field.value === '2, 3' && !field.hasAttribute('aria-invalid'), await shape.elementHandle());
    await close();
  });

  test('the step player shows an ordered and an exact sum side by side', async () => {
    const { page, problems, close } = await open('sums.html');
    const own = lab(page, 'sum-exact');
    await own.scrollIntoViewIfNeeded();
    await own.getByText('step 3 of 3').waitFor();
    const rows = () => own.locator('.sums tr').evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.innerText.replace(/\s+/g, ' ').trim())));
    await own.locator('.sums table').waitFor();
    assert.deepEqual((await rows()).slice(1), [
      ['start', '', '0', '0'],
      ['1', '+ 1e8', '1e8', '1e8'],
      ['2', '+ 1', '1e8 (100000001, rounded to float32)', '100000001'],
      ['3', '+ (-1e8)', '0', '1'],
      ['result[0], float32', '0', '1'],
    ]);
    assert.match(await own.locator('.step').innerText(), /result\[0\] \+ \(-1e8\), from src\[2\]; the exact sum so far, rounded, is 1/);
    await own.getByRole('slider').press('Home');
    await page.keyboard.press('ArrowRight');
    assert.deepEqual((await rows()).slice(2), [['1', '+ 1e8', '1e8', '1e8'], ['2', '+ 1', '·', '·'], ['3', '+ (-1e8)', '·', '·'], ['result[0], float32', '1e8', '1e8']]);
    assert.equal((await own.locator('.sums > p').innerText()).split(/\. (?=[A-Z])/).length, 3, 'three sentences say when to take which');
    // No order changes an exact sum; in order there are several results.
    await own.locator('.race summary').click();
    await own.getByText('The same result in all 200 orders').waitFor();
    await own.locator('#lab-sum-exact-sum').selectOption('ordered');
    await own.getByText(/different results in 200 orders/).waitFor();
    assert.match(await code(page, 'sum-exact'), /scatter_add\(0, \[0, 0, 0\], \[1e8, 1, -1e8\]\);$/);
    assert.deepEqual(problems, []);
    await close();
  });

  test('a link brings back the call and the step', async () => {
    const { page, close } = await open('scatter_.html');
    const own = lab(page, 'scatter-tensor');
    await own.locator('.cm-content').waitFor();
    await own.getByLabel('reduce').selectOption('add');
    await own.getByText('= 3 + 1 = 4').waitFor();
    await own.getByRole('slider').press('Home');
    await page.keyboard.press('ArrowRight');
    await own.getByRole('button', { name: 'Copy link' }).click();
    await page.waitForFunction(() => location.hash.startsWith('#scatter-tensor='));
    const { hash } = new URL(page.url());
    const visitor = await open(`scatter_.html${hash}`);
    await lab(visitor.page, 'scatter-tensor').getByText('step 1 of 4').waitFor();
    assert.match(await lab(visitor.page, 'scatter-tensor').locator('.step').innerText(), /= 2 \+ 4 = 6/);
    // another link, pasted into the same page; this one was damaged, and the lab runs all the same
    const damaged = deflateRawSync(JSON.stringify({ code: 5, step: 'x' })).toString('base64url');
    await visitor.page.evaluate((word) => (location.hash = `scatter-tensor=${word}`), damaged);
    await lab(visitor.page, 'scatter-tensor').getByText('✓ same values as the page').waitFor();
    assert.match(await lab(visitor.page, 'scatter-tensor').locator('.step').innerText(), /step 4 of 4/);
    assert.deepEqual(visitor.problems, []);
    await visitor.close();
    await close();
  });
}
