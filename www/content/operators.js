import { body as operator } from './operator.js';

/** The list of all operators is the README of docs/operators. */
export const body = operator;
