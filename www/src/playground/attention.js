/** Graph attention on Zachary's karate club: a start of the playground, about which the messages have a note. The drawing is of a canvas that is shown again. */
export const attention = `// Two networks with attention learn how a karate club split. They are told two members' sides, and guess those of the others.
// Zachary's club (1977): each member with those of a higher number that it met. Members 0 and 33 led the two sides.
const met = '0 1 2 3 4 5 6 7 8 10 11 12 13 17 19 21 31,1 2 3 7 13 17 19 21 30,2 3 7 8 9 13 27 28 32,3 7 12 13,4 6 10,' +
  '5 6 10 16,6 16,8 30 32 33,9 33,13 33,14 32 33,15 32 33,18 32 33,19 33,20 32 33,22 32 33,23 25 27 29 32 33,' +
  '24 25 27 31,25 31,26 29 33,27 33,28 31 33,29 32 33,30 32 33,31 32 33,32 33';
const stayed = new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 16, 17, 19, 21]); // on the side of member 0
const n = 34;
const pairs = Array.from({ length: n }, (_, member) => [member, member]); // each member hears itself and those it met
for (const [one, ...others] of met.split(',').map((line) => line.split(' ').map(Number)))
  for (const other of others) pairs.push([one, other], [other, one]);
const [from, to] = [0, 1].map((end) => pairs.map((pair) => pair[end]));
const [source, target] = [from, to].map((index) => IndexPlan.select([n], 0, index)); // checked once

// A tape notes calls. Backward through it, vjp turns the slope of each result into the slopes of its operands.
const operandOf = { self: 0, src: 0, x: 0, y: 1, values: 2, dense: 3 }; // the argument whose gradient has this name
function startTape() {
  const calls = [];
  const run = (op, ...args) => {
    const result = { activate, scatter_softmax, spmm }[op]?.(...args) ?? args[0][op](...args.slice(1));
    calls.push({ op, args, result });
    return result;
  };
  const backward = (end, slope) => {
    const slopes = new Map([[end, slope]]);
    for (const { op, args, result } of calls.toReversed()) {
      const exactly = ['mul', 'index_select'].includes(op) ? [{ sum: 'exact' }] : [];
      for (const [name, more] of Object.entries(vjp(op, slopes.get(result), ...args, ...exactly))) {
        const operand = args[operandOf[name]];
        slopes.set(operand, slopes.get(operand)?.add(more) ?? more);
      }
    }
    return slopes;
  };
  return { run, backward };
}

// Each member takes the rows of those it hears, times its attention to them: their softmax, or relu, which needs no exp.
function layer(run, isExact, rows, listening, speaking, dims) {
  const [heard, said] = [listening, speaking].map((weight) => run('sum', run('mul', rows, weight), dims));
  const score = run('add', run('index_select', heard, target), run('index_select', said, source));
  const attention = isExact
    ? run('activate', run('add', score, 1), 'relu')
    : run('scatter_softmax', run('activate', score, 'leaky_relu'), to);
  return [run('spmm', target, source, attention, rows, isExact ? { reduce: 'mean', sum: 'exact' } : {}), attention];
}

async function train(isExact, device, canvas) {
  let seed = 2;
  const random = () => (seed = (seed * 48271) % 2147483647) / 4294967294 - 0.25;
  const make = (...shape) => new Tensor(Float32Array.from({ length: shape.reduce((a, b) => a * b) }, random), { shape, device });
  const weights = [make(n, 8, 1), make(8, 1), make(8, 1), make(8, 2), make(2), make(2)];
  const told = [[0, 1], [1, 0], [66, 0], [67, 1]]; // where the guesses of members 0 and 33 are, and what they should be
  const wanted = Tensor.zeros([2 * n], { device }).scatter_(0, [0, 67], 1).reshape([n, 2]);
  const isTold = wanted.sum(1, { keepdim: true });
  for (let step = 0; step <= 60; step += 1) {
    const started = performance.now();
    const results = scope(() => {
      const { run, backward } = startTape();
      const [hidden] = layer(run, isExact, ...weights.slice(0, 3), [1, 2]);
      const mixed = run('sum', run('mul', run('activate', hidden, 'relu'), weights[3]), 1);
      const [out, attention] = layer(run, isExact, mixed, weights[4], weights[5], 1);
      const guess = isExact ? out : scatter_softmax(out, [0, 0], 1);
      const slopes = backward(out, guess.sub(wanted).mul(isTold)); // of least squares, and of cross entropy
      for (const weight of weights) weight.sub_(slopes.get(weight).mul(0.4));
      return [guess, attention];
    });
    const [guess, attention] = await Promise.all(results.map((tensor) => tensor.data()));
    for (const tensor of results) tensor.dispose();
    if (!canvas) continue;
    const ms = performance.now() - started;
    const loss = told.reduce((sum, [at, value]) => sum + (isExact ? (guess[at] - value) ** 2 / 2 : -value * Math.log(guess[at])), 0);
    const right = from.slice(0, n).filter((member) => guess[2 * member] > guess[2 * member + 1] === stayed.has(member));
    draw(canvas, guess, attention);
    const name = isExact ? 'relu and exact sums' : 'softmax';
    await show(canvas, [name, 'step ' + step, 'loss ' + loss.toFixed(3), right.length + ' of 34 right', ms.toFixed(1) + ' ms'].join(' · '));
    await new Promise((next) => setTimeout(next, 20)); // so that one can watch
  }
  return weights[3];
}

// Colour: the guess. Shape: the side that the member took. A line is as wide as the attention paid by the member at its end.
const places = '244260295271361297269332144241104198102279284398386272432436149147141373200404334240581371517435024242204277' +
  '563161343359549401233138570303519153431024479043616251451155428240566229409345398162494256482326'; // x and y in turn
function draw(canvas, guess, attention) {
  const paint = canvas.getContext('2d');
  const placeOf = (member) => [0, 3].map((at) => 1.5 * places.slice(6 * member + at, 6 * member + at + 3));
  const sums = new Float64Array(n);
  attention.forEach((share, edge) => (sums[to[edge]] += share));
  paint.clearRect(0, 0, canvas.width, canvas.height);
  paint.strokeStyle = '#888';
  attention.forEach((share, edge) => {
    const [[x, y], [otherX, otherY]] = [placeOf(to[edge]), placeOf(from[edge])];
    paint.lineWidth = 1 + (10 * share) / (sums[to[edge]] || 1);
    paint.stroke(new Path2D(['M', x, y, 'L', (x + otherX) / 2, (y + otherY) / 2].join(' ')));
  });
  for (let member = 0; member < n; member += 1) {
    const share = Math.min(Math.max((1 + guess[2 * member] - guess[2 * member + 1]) / 2, 0), 1);
    const [[x, y], half] = [placeOf(member), member % 33 ? 16 : 26]; // the two that are told are larger
    paint.fillStyle = 'rgb(' + [[29, 200], [99, 90], [200, 10]].map(([blue, orange]) => share * blue + (1 - share) * orange) + ')';
    paint.beginPath();
    paint.roundRect(x - half, y - half, 2 * half, 2 * half, stayed.has(member) ? half : 4);
    paint.fill();
  }
}

const { device } = backend();
const [soft, exact] = await Promise.all([false, true].map((isExact) => train(isExact, device, new OffscreenCanvas(960, 690))));
if (device === 'webgpu') {
  const [softOnCpu, exactOnCpu] = [await train(false, 'cpu'), await train(true, 'cpu')]; // again, without drawings
  const words = async (one, other) => ((await other.equals(await one.to('cpu'))) ? 'the same bits as' : 'other bits than') + ' on the CPU';
  console.log('softmax: ' + (await words(soft, softOnCpu)));
  console.log('relu and exact sums: ' + (await words(exact, exactOnCpu)));
}
exact;`;
