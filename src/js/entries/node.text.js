// Jest's jsdom has neither of these. tools/package.mjs puts them into the entries for Node.

export { TextDecoder, TextEncoder } from 'node:util';
