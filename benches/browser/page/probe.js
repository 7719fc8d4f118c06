// Whether the machine has processors to spare: a loop in each of some workers, alone and then all together.

const text = `onmessage = ({ data: turns }) => {
  const begin = performance.now();
  let x = 1;
  for (let turn = 0; turn < turns; turn++) x = (Math.imul(x, 1664525) + 1013904223) | 0;
  postMessage([performance.now() - begin, x]);
};`;
const workers = [];

/** Resolves to the milliseconds of a loop of so many turns in a worker. */
const loop = (worker, turns) => new Promise((done) => {
  worker.onmessage = ({ data: [time] }) => done(time);
  worker.postMessage(turns);
});

/** Resolves to how many times as long the slowest of `count` loops takes if all run together, as one alone. */
globalThis.probe = async (count, turns = 6e6) => {
  while (workers.length < count) workers.push(new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))));
  const alone = await loop(workers[0], turns);
  const together = await Promise.all(workers.slice(0, count).map((worker) => loop(worker, turns)));
  return Math.max(...together) / alone;
};
