import { Tensor } from 'scatterwise';
import { EDGES, INSTRUCTOR, MEMBERS, PRESIDENT } from './data.js';

// Each meeting carries a message either way: from the member in FROM to the one at the same place in TO.
const FROM = Int32Array.from([...EDGES, ...EDGES.map(([one, other]) => [other, one])], ([from]) => from);
const TO = Int32Array.from([...EDGES.map(([, other]) => other), ...EDGES.map(([one]) => one)]);

/**
 * A number for each member before the first step: for the mean the instructor and the president have opinions of different sign, for the
 * maximum the instructor alone has news.
 * @param {'mean' | 'amax'} how
 */
export function beginning(how) {
  const values = new Float32Array(MEMBERS);
  values[INSTRUCTOR] = 1;
  if (how === 'mean') values[PRESIDENT] = -1;
  return values;
}

/**
 * One step. Everyone hears the numbers of the neighbours and takes their mean, except for the instructor and the president, who keep theirs;
 * or everyone takes the maximum of its own number and half the neighbours' numbers.
 * @param {Float32Array} values a number for each member @param {'mean' | 'amax'} how @param {'cpu' | 'webgpu'} device
 * @returns {Promise<Float32Array>} the numbers after the step
 */
export async function step(values, how, device) {
  const made = [];
  /** Notes a tensor to be disposed of at the end. */
  const keep = (tensor) => (made.push(tensor), tensor);
  try {
    const now = keep(new Tensor(values, { device }));
    const heard = keep(now.gather(0, FROM));
    if (how === 'amax') return await keep(now.scatter_reduce(0, TO, keep(heard.mul(0.5)), 'amax')).data();
    const next = keep(now.scatter_reduce(0, TO, heard, 'mean', { include_self: false }));
    return await next.scatter_(0, [INSTRUCTOR, PRESIDENT], [1, -1]).data();
  } finally {
    for (const tensor of made) tensor.dispose();
  }
}
