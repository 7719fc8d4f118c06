import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-core/dist/register_all_gradients.js';
import '@tensorflow/tfjs-backend-cpu';
import { IndexPlan, init, Tensor, vjp } from 'scatterwise';

await init({ device: 'cpu' }); // tf.customGrad does not wait, so values are read at once
await tf.setBackend('cpu');

/**
 * Calls `use` with a tensor of Scatterwise that has the values of `values`, a tensor of TensorFlow.js. What it returns, a new tensor of
 * Scatterwise, becomes one of TensorFlow.js.
 */
function withTensor(values, use) {
  const tensor = new Tensor(values.dataSync(), { shape: values.shape });
  const result = use(tensor);
  tensor.dispose();
  const there = tf.tensor(result.data_sync(), result.shape);
  result.dispose();
  return there;
}

/**
 * Makes a function of a table, a tensor of TensorFlow.js, that returns the rows which the plan names, and has a gradient: those of a row
 * that occurs twice are added in a fixed order.
 */
const lookup = (plan) =>
  tf.customGrad((table, save) => {
    save([table]);
    return {
      value: withTensor(table, (here) => here.index_select(plan)),
      gradFunc: (cotangent, [table]) => withTensor(cotangent, (here) => vjp('index_select', here, Tensor.zeros(table.shape), plan).self),
    };
  });

// A table of three words learns one number each. The second word is seen twice, as 1 and as 3: it learns their mean.
const rowsOf = lookup(IndexPlan.select([3, 1], 0, [1, 0, 1, 2]));
const wanted = tf.tensor2d([[1], [5], [3], [7]]);
const slope = tf.grad((table) => tf.sum(tf.square(tf.sub(rowsOf(table), wanted))));
let table = tf.zeros([3, 1]);
for (let step = 0; step < 100; step++) table = tf.sub(table, tf.mul(slope(table), 0.1));
document.querySelector('output').textContent = JSON.stringify((await tf.round(tf.mul(table, 1000)).array()).flat());
