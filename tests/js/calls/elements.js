// The dtypes as bits and as values: the package of the vectors has them too, so they live there.

export * from '../../vectors/package/values.js';
