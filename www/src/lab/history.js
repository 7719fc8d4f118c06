import { offsetOf } from '../shared/picture.js';

/** @typedef {import('scatterwise').Step | import('scatterwise').Read} Step a write of a scatter, or a read of a gather */

/**
 * What the trace says about each place of self, or of the result of a gather: the steps that wrote there, in order, by its
 * number in row-major order.
 * @param {Step[]} steps @param {number[]} shape @returns {Map<number, Step[]>}
 */
export function writesByPlace(steps, shape) {
  const places = new Map();
  for (const step of steps) {
    const place = offsetOf(step.destination, shape);
    if (places.has(place)) places.get(place).push(step);
    else places.set(place, [step]);
  }
  return places;
}

/**
 * The values of self after the first `count` writes, or of the result of a gather after as many reads.
 * @param {(number | bigint | boolean | null)[]} values before the first step @param {Step[]} steps @param {number} count @param {number[]} shape
 */
export function valuesAfter(values, steps, count, shape) {
  const now = [...values];
  for (const step of steps.slice(0, count)) now[offsetOf(step.destination, shape)] = step.after ?? step.value;
  return now;
}

/** The numbers `k`, from 0, of the steps that write to a place which an earlier step has written. @param {Step[]} steps @param {number[]} shape */
export function collisionsOf(steps, shape) {
  const seen = new Set();
  const found = [];
  for (const { k, destination } of steps) {
    const place = offsetOf(destination, shape);
    if (seen.has(place)) found.push(k);
    seen.add(place);
  }
  return found;
}
