// The entry `scatterwise/devtools`: tensors in the browser's console. By itself: it imports nothing, and nothing imports it.

const known = new WeakSet();

/** Whether the platform would print a value by this tag. A revoked Proxy cannot be asked. */
function has(tag, value) {
  try {
    return Object.prototype.toString.call(value) === `[object ${tag}]`;
  } catch {
    return false;
  }
}

export function show_in_devtools(Tensor) {
  if (typeof Tensor !== 'function') throw new TypeError('show_in_devtools: Tensor must be the class Tensor of scatterwise');
  if (known.has(Tensor)) return;
  known.add(Tensor);
  const isTensor = (value) => has('Tensor', value) && value instanceof Tensor && value !== Tensor.prototype;
  const isPlan = (value) => has('IndexPlan', value) && value !== value.constructor?.prototype;
  (globalThis.devtoolsFormatters ??= []).push({
    header: (value) => (isTensor(value) ? ['span', {}, title(value)] : isPlan(value) ? ['span', {}, String(value)] : null),
    hasBody: (value) => isTensor(value) && body(value) !== '',
    body: (value) => ['pre', { style: 'margin: 0 0 0 1em' }, body(value)],
  });
}

function title(tensor) {
  try {
    const { name, shape, dtype, device, constructor } = tensor;
    return `${constructor.name}(${name && `'${name}', `}shape=[${shape.join(', ')}], dtype=${dtype}, device=${device})`;
  } catch (error) {
    return `${tensor.constructor.name}: ${error.message}`;
  }
}

/** The values; nothing where they are not to be had at once. */
function body(tensor) {
  try {
    return tensor.device === 'cpu' ? String(tensor) : '';
  } catch {
    return '';
  }
}
