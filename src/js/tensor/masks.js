// Masks: the comparisons lt to ne, isnan, and the operations on truth values. types.d.ts describes them.

import { METHODS } from '../arguments/operators.js';
import { runMethod } from './own.js';
import { addMethods } from './tensor.js';

const run = (name, self, ...given) => runMethod(`Tensor.${name}`, METHODS[name], self, ...given)[0];

const methods = {
  lt(other, options) {
    return run('lt', this, other, options);
  },
  le(other, options) {
    return run('le', this, other, options);
  },
  gt(other, options) {
    return run('gt', this, other, options);
  },
  ge(other, options) {
    return run('ge', this, other, options);
  },
  eq(other, options) {
    return run('eq', this, other, options);
  },
  ne(other, options) {
    return run('ne', this, other, options);
  },
  isnan(options) {
    return run('isnan', this, options);
  },
  logical_and(other, options) {
    return run('logical_and', this, other, options);
  },
  logical_or(other, options) {
    return run('logical_or', this, other, options);
  },
  logical_not(options) {
    return run('logical_not', this, options);
  },
};
if (HAS.masks) addMethods(methods); // warm_up.js imports this file in every build
