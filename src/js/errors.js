// The error classes, and their making from the facts that Rust sends.

export class ValueError extends Error {}
export class RuntimeError extends Error {}
export class IndexError extends RuntimeError {}
// Written out: a minifier renames the classes.
for (const [name, type] of Object.entries({ ValueError, RuntimeError, IndexError })) {
  Object.defineProperty(type.prototype, 'name', { value: name, configurable: true, writable: true });
}

const classes = { TypeError, ValueError, RuntimeError, IndexError };

export function make_error(name, message, facts) {
  return Object.assign(new classes[name](message), facts);
}
