// What the glue finds in the place of the WebAssembly exports until they are there: tools/glue.mjs puts it in.

export const unstarted = new Proxy(
  {},
  {
    get() {
      const error = new Error('scatterwise has not started: call `await init()` first');
      throw Object.assign(error, { code: 'not-initialized' });
    },
  },
);
