// The entry `scatterwise/devtools`: tensors in the browser's console. It imports nothing, and nothing imports it.

const registered = new WeakSet();

/** Whether Object.prototype.toString gives a value this tag. Throws for a revoked Proxy. */
function hasTag(tag, value) {
  try {
    return Object.prototype.toString.call(value) === `[object ${tag}]`;
  } catch {
    return false;
  }
}

/** Whether a value is the class Tensor, or one that extends it. */
function isTensorClass(value) {
  try {
    return typeof value === 'function' && value.prototype[Symbol.toStringTag] === 'Tensor';
  } catch {
    return false;
  }
}

/** Tells the console how to show tensors and plans, once for each class Tensor. devtools.d.ts describes the display. */
export function show_in_devtools(Tensor, options) {
  const op = 'show_in_devtools';
  if (typeof options === 'object' && options !== null) {
    throw Object.assign(new TypeError(`${op}: it takes no options`), { code: 'unknown-option', op, argument: 'options' });
  }
  if (!isTensorClass(Tensor)) {
    const code = Tensor === undefined ? 'missing-argument' : 'invalid-argument';
    throw Object.assign(new TypeError(`${op}: Tensor must be the class Tensor of scatterwise`), { code, op, argument: 'Tensor' });
  }
  if (registered.has(Tensor)) return;
  registered.add(Tensor);
  const isTensor = (value) => hasTag('Tensor', value) && value instanceof Tensor && value !== Tensor.prototype;
  const isPlan = (value) => hasTag('IndexPlan', value) && value !== value.constructor?.prototype;
  (globalThis.devtoolsFormatters ??= []).push({
    // null: the console shows the value itself.
    header: (value) => (isTensor(value) ? ['span', {}, title(value)] : isPlan(value) ? ['span', {}, String(value)] : null),
    hasBody: (value) => isTensor(value) && body(value) !== '',
    body: (value) => ['pre', { style: 'margin: 0 0 0 1em' }, body(value)],
  });
}

/** The heading of a tensor, or the error text for a disposed tensor. */
function title(tensor) {
  try {
    const { name, shape, dtype, device, constructor } = tensor;
    return `${constructor.name}(${name && `'${name}', `}shape=[${shape.join(', ')}], dtype=${dtype}, device=${device})`;
  } catch (error) {
    return `${tensor.constructor.name}: ${error.message}`;
  }
}

/** The values as text. '' for a disposed tensor, and for a tensor on the GPU, which would need a wait. */
function body(tensor) {
  try {
    return tensor.device === 'cpu' ? String(tensor) : '';
  } catch {
    return '';
  }
}
