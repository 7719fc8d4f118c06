/** The operators whose calls are drawn, with the names of their arguments. */
const OPERATORS = {
  scatter_: ['dim', 'index', 'src', 'options'],
  scatter: ['dim', 'index', 'src', 'options'],
  scatter_add_: ['dim', 'index', 'src'],
  scatter_add: ['dim', 'index', 'src'],
  gather: ['dim', 'index'],
};

/**
 * One call of an operator: copies of what went in and of what came out. A call that threw has `error`, and its `after`
 * is self as the call left it.
 * @typedef {{ op: string, before: object, args: Record<string, unknown>, after: object, error?: Error }} RecordedCall
 */

/**
 * A stand-in for the library's `Tensor` class that makes real tensors and notes each operator call on them. Only
 * tensors made through it are watched, so snippets cannot disturb each other or the rest of the page.
 * Tensors are copy-on-write: the copies kept here cost nothing until a call writes.
 */
export function recordTensors(Tensor) {
  /** @type {RecordedCall[]} */
  const calls = [];
  const owned = new Set();
  const methods = Object.getOwnPropertyNames(Tensor.prototype).filter(
    (name) =>
      name !== 'constructor' && typeof Object.getOwnPropertyDescriptor(Tensor.prototype, name).value === 'function',
  );

  const snapshot = (value) => {
    if (!(value instanceof Tensor)) return value;
    const copy = Tensor.prototype.clone.call(value);
    owned.add(copy);
    return copy;
  };

  /** Watches `value` if it is a tensor, or once it has become one. */
  function adopt(value) {
    if (value instanceof Promise) return value.then(adopt);
    if (!(value instanceof Tensor) || owned.has(value)) return value;
    owned.add(value);
    for (const name of methods) {
      Object.defineProperty(value, name, { configurable: true, value: (...args) => invoke(value, name, args) });
    }
    return value;
  }

  function invoke(self, name, args) {
    const method = Tensor.prototype[name];
    if (!(name in OPERATORS)) return adopt(method.apply(self, args));
    const named = OPERATORS[name].slice(0, args.length).map((argument, i) => [argument, snapshot(args[i])]);
    const call = { op: name, before: snapshot(self), args: Object.fromEntries(named) };
    calls.push(call);
    try {
      const result = adopt(method.apply(self, args));
      call.after = snapshot(result);
      return result;
    } catch (error) {
      call.error = error;
      call.after = snapshot(self);
      throw error;
    }
  }

  const Recording = new Proxy(Tensor, {
    construct: (target, args) => adopt(new target(...args)),
    get(target, name) {
      const member = Reflect.get(target, name);
      return typeof member === 'function' ? (...args) => adopt(member.apply(target, args)) : member;
    },
  });

  return {
    Tensor: Recording,
    calls,
    dispose: () => owned.forEach((tensor) => Tensor.prototype.dispose.call(tensor)),
  };
}
