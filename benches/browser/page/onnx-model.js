// ONNX models as bytes: the few messages of onnx.proto that a graph of one or two operators needs.

/** The numbers of dtypes in onnx.proto. The first arguments of `number`, `text`, `bytes` and `message` are numbers of fields from there. */
export const types = {
  float32: 1, uint8: 2, int8: 3, uint16: 4, int16: 5, int32: 6, int64: 7, bool: 9, float16: 10, float64: 11, uint32: 12, uint64: 13, bfloat16: 16,
};

/**
 * A model of `nodes` ({ op, inputs, outputs, attributes }). Inputs and outputs are { name, dtype, shape }, an output
 * also without its shape; initializers have `data` too, a typed array.
 */
export function encodeModel({ nodes, inputs, outputs, initializers = [] }) {
  const graph = [
    ...nodes.flatMap((node) => message(1, encodeNode(node))),
    text(2, 'g'), // the graph's name, which must not be empty
    ...initializers.flatMap((one) => message(5, encodeTensor(one))),
    ...inputs.flatMap((one) => message(11, encodeValue(one))),
    ...outputs.flatMap((one) => message(12, encodeValue(one))),
  ];
  // Version 8 of the format, and version 18 of the operators.
  return join([number(1, 8), ...message(8, [text(1, ''), number(2, 18)]), ...message(7, graph)]);
}

// These three return the parts of a message, arrays of bytes: an operator, a constant, and an input or output. Attributes are numbers or texts.

function encodeNode({ op, inputs, outputs, attributes = {} }) {
  return [
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, op),
    ...Object.entries(attributes).flatMap(([name, value]) => {
      // An attribute names its own type: 2 is an integer, 3 a text.
      const fields = typeof value === 'number' ? [number(3, value), number(20, 2)] : [text(4, value), number(20, 3)];
      return message(5, [text(1, name), ...fields]);
    }),
  ];
}

function encodeTensor({ name, dtype, shape, data }) {
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return [...shape.map((size) => number(1, size)), number(2, types[dtype]), text(8, name), ...bytes(9, raw)];
}

function encodeValue({ name, dtype, shape }) {
  const dims = shape?.flatMap((size) => message(1, [number(1, size)]));
  return [text(1, name), ...message(2, message(1, [number(1, types[dtype]), ...(dims ? message(2, dims) : [])]))];
}

// Protocol buffers: a field is a key (its number and wire type) and a varint (wire type 0), or a length and bytes (wire type 2). `number` and `text`
// return one array of bytes; `bytes` and `message` return parts, so that long data is copied once, by `join`.
const number = (field, value) => Uint8Array.from([...varint(field << 3), ...varint(value)]);
const bytes = (field, content) => [Uint8Array.from([...varint((field << 3) | 2), ...varint(content.length)]), content];
const text = (field, value) => join(bytes(field, new TextEncoder().encode(value)));
const message = (field, parts) => {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [Uint8Array.from([...varint((field << 3) | 2), ...varint(length)]), ...parts];
};

/** The bytes of an integer, seven bits in each, the lowest first; all but the last have their top bit set. Negative numbers take 64 bits. */
function varint(value) {
  let rest = BigInt.asUintN(64, BigInt(value));
  const out = [];
  while (rest > 127n) {
    out.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return [...out, Number(rest)];
}

/** Arrays of bytes, one behind the other. */
function join(parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
