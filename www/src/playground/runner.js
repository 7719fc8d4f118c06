import * as scatterwise from 'scatterwise';
import { pictureOf, pictureOfArray } from './picture.js';
import { recordTensors } from './recorder.js';

/**
 * @typedef {import('./picture.js').Picture} Picture
 * @typedef {Record<string, Picture | string>} Arguments
 * @typedef {{ op: string, before: Picture, args: Arguments, after: Picture, failed: boolean }} Call
 * @typedef {{ name: string, message: string, facts: Record<string, unknown> }} Failure
 * @typedef {Picture | string | null} Result
 * @typedef {{ calls: Call[], result: Result, failure: Failure | null, unchanged: boolean | null }} Outcome
 */

const AsyncFunction = (async () => {}).constructor;
const FACTS = ['code', 'op', 'argument', 'dim', 'position', 'value', 'allowed', 'shapes'];

/**
 * Runs a snippet, the body of an async function with `Tensor` and `scatterwise` in scope, and describes what happened.
 * Code goes in and plain data comes out, so this function can move into a worker as it is.
 * @param {string} code
 * @returns {Promise<Outcome>}
 */
export async function run(code) {
  const recording = recordTensors(scatterwise.Tensor);
  const outcome = { calls: [], result: null, failure: null, unchanged: null };
  try {
    const snippet = new AsyncFunction('Tensor', 'scatterwise', `'use strict';\n${code}`);
    const value = await snippet(recording.Tensor, { ...scatterwise, Tensor: recording.Tensor });
    outcome.result = await resultOf(value);
  } catch (error) {
    outcome.failure = describeFailure(error);
  }
  try {
    const failed = outcome.failure && failedCall(recording.calls, outcome.failure);
    if (failed) outcome.unchanged = await failed.before.equals(failed.after);
    for (const call of recording.calls) outcome.calls.push(await describeCall(call, call === failed));
  } catch (error) {
    outcome.failure ??= describeFailure(error); // such as a lost GPU, which shows when values are read
  } finally {
    recording.dispose();
  }
  return outcome;
}

/** The call that threw; where the GPU reported the failure only when values were read, the last one of its operator. */
const failedCall = (calls, { facts }) =>
  calls.find(({ error }) => error) ?? calls.findLast(({ op }) => `Tensor.${op}` === facts.op);

async function describeCall({ op, before, args, after }, failed) {
  const { options, ...rest } = args;
  const described = {};
  for (const [name, value] of Object.entries({ ...rest, ...options })) described[name] = await describeArgument(value);
  return {
    op,
    before: await pictureOf(before),
    args: described,
    after: await pictureOf(after),
    failed,
  };
}

const describeArgument = (value) =>
  value instanceof scatterwise.Tensor
    ? pictureOf(value)
    : Array.isArray(value)
      ? pictureOfArray(value, '')
      : showScalar(value);

const resultOf = (value) =>
  value instanceof scatterwise.Tensor ? pictureOf(value) : value === undefined ? null : showScalar(value);

function showScalar(value) {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'object')
    return JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? `${part}n` : part));
  return String(value);
}

function describeFailure(error) {
  const facts = {};
  for (const name of FACTS) if (error?.[name] !== undefined) facts[name] = error[name];
  return { name: error?.name ?? 'Error', message: error?.message ?? String(error), facts };
}
