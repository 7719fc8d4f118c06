// Put into the entries for Node by tools/package.mjs: the DOM that tests run in (Jest's jsdom) has neither of these.

export { TextDecoder, TextEncoder } from 'node:util';
