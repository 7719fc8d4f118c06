// What the glue finds in the place of the WebAssembly exports until they are there. Without it a call made too early would fail
// with "Cannot read properties of undefined": this says what to do, reaches functions, constructors and subclasses, and costs
// nothing afterwards.

export const unstarted = new Proxy(
  {},
  {
    get() {
      const error = new Error('scatterwise has not started: call `await init()` first');
      throw Object.assign(error, { code: 'not-initialized' });
    },
  },
);
