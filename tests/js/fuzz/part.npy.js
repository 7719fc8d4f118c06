// Part f: files of NumPy's with bytes changed, cut, put in and moved, against a parser of the tests' own. What NumPy may have written
// the library has to read, with the same elements; files that Python does not read it has to refuse.

import { Numbers } from '../../../src/js/verify/numbers.js';
import { untyped, difference } from '../calls/elements.js';
import { parse } from './npy.parser.js';
import { attempt, kindOf, say } from './outcome.js';

const kinds = ['b1', 'i1', 'u1', 'i2', 'u2', 'i4', 'u4', 'i8', 'u8', 'f2', 'f4', 'f8'];
const ascii = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0) & 255);
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

/** `{ version, text, data }` of a random file as NumPy writes it: the text of its header, and the bytes of its elements. */
function good(numbers) {
  const kind = numbers.pick(kinds);
  const shape = Array.from({ length: numbers.below(4) }, () => numbers.below(5));
  const order = kind[1] === '1' ? '|' : numbers.pick('<<>'); // two of three are little-endian
  const list = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const text = `{'descr': '${order}${kind}', 'fortran_order': ${numbers.once(3) ? 'True' : 'False'}, 'shape': (${list}), }`;
  const version = 1 + numbers.below(3);
  const size = shape.reduce((product, each) => product * each, 1) * Number(kind[1]);
  const data = Uint8Array.from({ length: size }, () => (kind === 'b1' ? numbers.below(2) : numbers.below(256)));
  return { version, text, data };
}

/** The file of these parts. Its header is padded with blanks to a multiple of 64 bytes, as NumPy does it. */
function packed({ version, text, data }) {
  const begin = version === 1 ? 10 : 12;
  const start = Math.ceil((begin + text.length + 1) / 64) * 64;
  const length = start - begin;
  const sizes = [length & 255, (length >> 8) & 255, ...(version === 1 ? [] : [0, 0])];
  return joined([0x93, ...ascii('NUMPY'), version, 0, ...sizes], ascii(`${text.padEnd(length - 1)}\n`), data);
}

/** Texts that are put into a header or replace a part of it. */
const words = ["'f'", "'>d'", "'<?'", "'float64'", "'>int8'", "u'<f4'", "U'", 'u', "'l'", 'True', 'False', 'None', "'<f4'", "'|O'", "'<c8'", "'>i2'", '()', '(3)', '(2,)', '(1, 2)', '(-1,)', '(99999999999,)', '(4294967296, 0)', "'descr'", "'shape'", "'__proto__'", ',', '{', '}', "'", '"', ' ', '\n', '\t', '\\', '#', '0', '1e3', '_', '[', ']', "[('a', '<i4')]", '\0', 'é'];

/** Changes to the text of the header, which have more to break than single bytes. */
const textual = [
  (text, numbers) => {
    const at = numbers.below(text.length);
    return text.slice(0, at) + numbers.pick(words) + text.slice(at);
  },
  (text, numbers) => {
    const at = numbers.below(text.length);
    return text.slice(0, at) + text.slice(at + 1 + numbers.below(4));
  },
  (text, numbers) => text.replace(numbers.pick([/'[^']*'(?=,)/, /True|False/, /\([^)]*\)/, /\d+/, /, }/, / /g]), numbers.pick(words)),
  (text, numbers) => text.replace(/\(.*?\)/, `(${Array.from({ length: numbers.below(40) }, () => numbers.below(3)).join(', ')})`),
  (text) => text.replace('{', '{ ').replaceAll(', ', ' ,  '),
  (text) => text.replaceAll("'", '"'),
  (text) => text.replace(/'descr': ([^,]*), (.*), }/, "$2, 'descr': $1}"),
];
/** Changes to the bytes of a file; each returns the file, which may be the same one, changed. */
const binary = [
  (file, numbers) => file.subarray(0, numbers.below(file.length)),
  (file, numbers) => joined(file, Array(numbers.below(9)).fill(7)),
  (file, numbers) => {
    file[numbers.below(Math.min(file.length, 140))] ^= 1 << numbers.below(8);
    return file;
  },
  (file, numbers) => {
    file[numbers.below(file.length)] = numbers.below(256);
    return file;
  },
  (file, numbers) => {
    // The length of the header.
    file[8 + numbers.below(4)] = numbers.pick([0, 1, 255, 128, 118]);
    return file;
  },
];

/** Yields `{ name, callable, problems }` for each file: see `parts` in run.js. */
export async function* npyPart(stage, { seed, calls }) {
  for (let n = 0; n < calls; n++) {
    const numbers = new Numbers(seed, n);
    const facts = good(numbers);
    for (let changes = numbers.below(3); changes > 0; changes--) if (facts.text.length > 0) facts.text = numbers.pick(textual)(facts.text, numbers);
    let file = packed(facts);
    for (let changes = numbers.below(3); changes > 0; changes--) if (file.length > 0) file = numbers.pick(binary)(file, numbers);
    const problem = judge(stage, file);
    yield { name: `file ${n}: version ${file[6]}, ${file.length} bytes, ${JSON.stringify(facts.text)}`, callable: 'from_npy', problems: problem ? [problem] : null };
  }
}

/** Reads a file by the library and by the tests' parser, and returns the fault, or null. */
function judge(stage, file) {
  const { lib } = stage;
  const before = stage.memory();
  const kept = file.slice();
  const right = parse(kept.slice());
  const { value: tensor, error, threw } = attempt(() => lib.Tensor.from_npy(file));
  stage.count(threw ? kindOf(error) : 'value');
  const problem = threw ? refusal(error, right) : compared(tensor, right);
  tensor?.dispose();
  if (file.some((byte, at) => byte !== kept[at])) return 'the file was written to';
  const now = stage.memory();
  return problem ?? (now.tensors === before.tensors && now.cpu_bytes === before.cpu_bytes ? null : `memory() was ${JSON.stringify(before)} and is ${JSON.stringify(now)}`);
}

/** The fault of a refusal, or null. `right` is the tests' parser's reading of the file. */
function refusal(error, right) {
  if (kindOf(error) !== 'typed') return `throws a raw error: ${say(error)}`;
  if (error.op !== 'Tensor.from_npy') return `the error names ${error.op}`;
  return right.refused || right.unusual ? null : `is a file of NumPy's and was refused: ${say(error)}`;
}

/** The fault of the tensor that the library made from a file, or null. Bits count; a bool is true in any byte but 0. */
function compared(tensor, right) {
  if (right.refused) return `has to be refused (${right.refused}) and gave ${tensor.dtype} [${tensor.shape}]`;
  if (tensor.dtype !== right.dtype || tensor.shape.join() !== right.shape.join()) return `gave ${tensor.dtype} [${tensor.shape}], not ${right.dtype} [${right.shape}]`;
  const found = untyped(tensor.data_sync());
  const expected = right.dtype === 'bool' ? right.bytes.map((byte) => (byte ? 1 : 0)) : right.bytes;
  const wrong = difference(right.dtype, found, expected, { payloads: true });
  return wrong ? `gave ${wrong.got}, not ${wrong.expected}` : null;
}
