// Firefox looks only every 100 ms whether the GPU is done, unless work is submitted meanwhile.

export const needs_nudging = () => /\bFirefox\//.test(globalThis.navigator?.userAgent ?? '');

export const nap = () => new Promise((resolve) => setTimeout(resolve, 1));
