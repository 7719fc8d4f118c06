// Zip archives, as far as .npz files need them. The directory is read and written here; the platform's streams compress and decompress.
// docs/decisions/libraries-and-tools.md says why this uses no library.
//
// An archive has three parts. First, for each file, a local header, its name and its content. Then the directory: an entry for each file
// with the place of its local header. Then the end record, with the place of the directory. Each record begins with a signature. All
// numbers are little-endian. Numbers such as 12 in `end + 12` are offsets of fields in a record: see the specification, APPNOTE.TXT.
//
// Here `file` is the whole archive as bytes, `view` a DataView of it, and offsets count from its start. A `writer` is `{ file, view, at
// }`; `at` is the offset of the next write. `refuse(text, cause)` throws the error for an unreadable archive, and `fail(code, text,
// cause)` any other error.

import { MEMORY_WAYS } from '../engine/errors.js';
import { crc32 } from './crc32.js';

/** The signatures of the three records, and their lengths in bytes without names and other variable fields. */
const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const [END_SIZE, ENTRY_SIZE, LOCAL_SIZE] = [22, 46, 30];

/** Methods: stored, and compressed. */
const STORED = 0;
const DEFLATED = 8;
/** Bits of the flags: encrypted, strongly encrypted, or with hidden names; and a name in UTF-8. */
const ENCRYPTED = 0x2041;
const UTF8 = 0x0800;

/** The same of the zip64 format, whose numbers have 64 bits: its end record, and behind that one the record with its place. */
const WIDE_END_SIGNATURE = 0x06064b50;
const LOCATOR_SIGNATURE = 0x07064b50;
const [WIDE_END_SIZE, LOCATOR_SIZE] = [56, 20];
/** The extra field of an entry with its numbers of 64 bits. */
const WIDE_FIELD = 1;
/** The largest numbers of 16 and of 32 bits. In a field they refer to a field of the zip64 format. */
const MAX16 = 0xffff;
const MAX32 = 0xffffffff;
/** The largest ratio of deflate's output to its input. */
const MAX_DEFLATE_RATIO = 1032;

/** A DataView of the same bytes. */
const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

// ---------------------------------------------------------------- reading

/** The files of an archive: for each the name, the place of its content, and its compression, as `readEntry` returns them. */
export function readDirectory(file, refuse) {
  const view = viewOf(file);
  const { end, disk, firstDisk, here, count, size, start } = endFacts(view, endOf(view, refuse), refuse);
  if (disk !== 0 || firstDisk !== 0 || here !== count) refuse('the archive is spread over several files');
  if (start + size > end) refuse('the archive is cut off or damaged: its directory lies beyond its end');
  const entries = [];
  let at = start;
  for (let k = 0; k < count; k++) {
    const entry = readEntry(file, view, at, start + size, refuse);
    entries.push(entry);
    at = entry.next;
  }
  if (at !== start + size) refuse('the directory of the archive is damaged: it is longer than its entries');
  checkApart(entries, start, refuse);
  return entries;
}

/** A number of 64 bits. Numbers that are not exact lie beyond every file. */
const wide = (view, at) => Number(view.getBigUint64(at, true));

/**
 * The numbers of the end record at offset `end`, or of zip64's where a number refers to that one; then `end` is its offset. An archive may be
 * spread over several disks: `here` is the number of the `count` entries that are on this one.
 */
function endFacts(view, end, refuse) {
  const [disk, firstDisk, here, count] = [4, 6, 8, 10].map((at) => view.getUint16(end + at, true));
  const [size, start] = [12, 16].map((at) => view.getUint32(end + at, true));
  const locator = end - LOCATOR_SIZE;
  const isWide = [disk, firstDisk, here, count].includes(MAX16) || [size, start].includes(MAX32);
  // 65,535 files need no zip64.
  if (!isWide || locator < 0 || view.getUint32(locator, true) !== LOCATOR_SIGNATURE) return { end, disk, firstDisk, here, count, size, start };
  const at = wide(view, locator + 8);
  if (at + WIDE_END_SIZE > locator || view.getUint32(at, true) !== WIDE_END_SIGNATURE) refuse('the archive is damaged: its zip64 end is not where it says');
  const [wideHere, wideCount, wideSize, wideStart] = [24, 32, 40, 48].map((offset) => wide(view, at + offset));
  return { end: at, disk: view.getUint32(at + 16, true), firstDisk: view.getUint32(at + 20, true), here: wideHere, count: wideCount, size: wideSize, start: wideStart };
}

/**
 * The offset of the end record, searched for from the end of the file. The record has the length of its comment, and the file should end
 * with the comment. If no record fits, other bytes such as zero padding follow the archive: then take the last record that directly
 * follows its directory.
 */
function endOf(view, refuse) {
  const last = view.byteLength - END_SIZE;
  let found;
  for (let at = last; at >= Math.max(0, last - MAX16); at--) {
    if (view.getUint32(at, true) !== END_SIGNATURE) continue;
    const rest = view.byteLength - at - END_SIZE - view.getUint16(at + 20, true);
    if (rest === 0) return at;
    if (rest > 0 && view.getUint32(at + 12, true) + view.getUint32(at + 16, true) === at) found ??= at;
  }
  return found ?? refuse('this is no zip archive, or it is cut off: it has no directory at its end');
}

/**
 * The entry at offset `at` of the directory, which ends at offset `end`: the fields of the format; `next`, the offset of the next entry;
 * and the place of the content, as `readLocal` returns it. Sizes are in bytes: `packedSize` as in the archive, `size` decompressed.
 */
function readEntry(file, view, at, end, refuse) {
  if (at + ENTRY_SIZE > end || view.getUint32(at, true) !== ENTRY_SIGNATURE) refuse('the directory of the archive is damaged');
  const [flags, method] = [8, 10].map((offset) => view.getUint16(at + offset, true));
  const [crc, ...narrow] = [16, 24, 20, 42].map((offset) => view.getUint32(at + offset, true)); // in the order of zip64's field
  const [nameLength, extraLength, commentLength, narrowDisk] = [28, 30, 32, 34].map((offset) => view.getUint16(at + offset, true));
  const next = at + ENTRY_SIZE + nameLength + extraLength + commentLength;
  if (next > end) refuse('the directory of the archive is damaged');
  // Without the flag UTF8 a name may be in another encoding. Bytes that are not UTF-8 become U+FFFD.
  const name = new TextDecoder().decode(file.subarray(at + ENTRY_SIZE, at + ENTRY_SIZE + nameLength));
  const extra = at + ENTRY_SIZE + nameLength;
  const [size, packedSize, local, disk] = widened(view, narrow, narrowDisk, extra, extra + extraLength);
  if (disk !== 0) refuse('the archive is spread over several files');
  return { name, flags, method, crc, packedSize, size, next, ...readLocal(view, local, packedSize, name, refuse) };
}

/** The size, the packed size, the place and the disk of an entry, from its extra fields where the numbers in the entry refer to zip64's. */
function widened(view, narrow, disk, from, to) {
  let [at, end] = [to, to];
  for (let field = from; field + 4 <= to && end === to; field += 4 + view.getUint16(field + 2, true)) {
    if (view.getUint16(field, true) === WIDE_FIELD) [at, end] = [field + 4, Math.min(field + 4 + view.getUint16(field + 2, true), to)];
  }
  const take = (bytes) => (at += bytes) <= end; // a field that is missing or too short leaves the number as it is
  const wides = narrow.map((number) => (number === MAX32 && take(8) ? wide(view, at - 8) : number));
  return [...wides, disk === MAX16 && take(4) ? view.getUint32(at - 4, true) : disk];
}

/**
 * The offsets of a file's local header, and of the start and the end (`stop`) of its content. The header repeats the name and fields, and
 * their lengths may differ from those in the directory.
 */
function readLocal(view, local, packedSize, name, refuse) {
  if (local + LOCAL_SIZE > view.byteLength || view.getUint32(local, true) !== LOCAL_SIGNATURE) refuse(`the archive is damaged: '${name}' is not where its directory says`);
  const start = local + LOCAL_SIZE + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  return { local, start, stop: start + packedSize };
}

/**
 * Refuses an archive whose files overlap each other or the directory, which begins at `end`. Otherwise a small archive could decompress
 * to a huge one, by using the same bytes for many files.
 */
function checkApart(entries, end, refuse) {
  const sorted = [...entries].sort((a, b) => a.local - b.local);
  for (const [at, { name, stop }] of sorted.entries()) {
    if (stop > (sorted[at + 1]?.local ?? end)) refuse(`the archive is damaged: '${name}' reaches into what follows it`);
  }
}

/** Whether the content of a file is stored without compression. */
export const isStored = ({ method }) => method === STORED;

/** The compressed content of a file of an archive, given by its entry. */
function packedOf(file, { flags, method, size, start, stop }, refuse) {
  if ((flags & ENCRYPTED) !== 0) refuse('it is encrypted: save it without a password');
  if (method !== STORED && method !== DEFLATED) refuse(`it is compressed by method ${method}; 0 (stored) and 8 (deflate) are read: save it by numpy.savez`);
  const packed = file.subarray(start, stop);
  if (method === STORED ? packed.length !== size : size > packed.length * MAX_DEFLATE_RATIO) refuse(`its data is damaged: ${packed.length} bytes cannot hold ${size}`);
  return packed;
}

/**
 * The decompressed content of a file of an archive, given by its entry. Checks its size and checksum. The content of a stored file is a
 * part of the archive's bytes; for a compressed file it is a promise.
 */
export function contentOf(file, entry, refuse, fail) {
  const packed = packedOf(file, entry, refuse);
  return isStored(entry) ? checked(packed, entry, refuse) : inflate(packed, entry, refuse, fail).then((content) => checked(content, entry, refuse));
}

/** The first `length` bytes of that content, or all of a shorter one. Does not check the checksum. */
export function beginningOf(file, entry, length, refuse, fail) {
  const packed = packedOf(file, entry, refuse);
  return isStored(entry) ? packed.subarray(0, length) : inflate(packed, entry, refuse, fail, length);
}

/** Compares the content's checksum with the archive's, and returns the content. */
function checked(content, { crc }, refuse) {
  const found = crc32(content);
  if (found !== crc) refuse(`its data is damaged: the CRC-32 is ${hex(found)}, and the archive says ${hex(crc)}`);
  return content;
}

/** A number of 32 bits as 8 hexadecimal digits. */
const hex = (number) => number.toString(16).padStart(8, '0');

/**
 * Decompresses content to `size` bytes, whose checksum is `crc`, or only to the first `most` of them. Platforms supported gzip years
 * before bare deflate, so the content gets the head and the end of a gzip file. It is written and read in pieces, so that content that is
 * longer than it claims is noticed before it fills the memory.
 */
async function inflate(packed, { size, crc }, refuse, fail, most = size) {
  const stream = streamOf('DecompressionStream', fail);
  const content = allocate(Math.min(size, most), fail);
  const tail = new Uint8Array(8); // the end of a gzip file: checksum and size
  viewOf(tail).setUint32(0, crc, true);
  viewOf(tail).setUint32(4, size, true);
  // The head of a gzip file: its first two bytes, the method, no flags, no date, no further fields, an unknown system.
  feed(stream.writable, [Uint8Array.of(0x1f, 0x8b, DEFLATED, 0, 0, 0, 0, 0, 0, 0xff), packed, tail]);
  const reader = stream.readable.getReader();
  const stop = () => reader.cancel().catch(() => {});
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause) => refuse(`its data is damaged: ${cause?.message}`, cause));
    if (done) break;
    if (length + value.length > size) {
      stop();
      refuse(`its data is damaged: it is longer than the ${size} bytes that the archive says`);
    }
    content.set(value.subarray(0, content.length - length), length);
    length += value.length;
    if (length >= most && most < size) {
      stop();
      return content;
    }
  }
  if (length !== size) refuse(`its data is damaged: it has ${length} bytes, and the archive says ${size}`);
  return content;
}

/** Writes bytes to a stream, in pieces, as fast as they are read. Never rejects: the reader of the stream gets the errors. */
async function feed(writable, parts) {
  const PIECE = 1 << 15;
  const writer = writable.getWriter();
  writer.closed.catch(() => {});
  try {
    for (const part of parts) for (let at = 0; at < part.length; at += PIECE) await writer.write(part.subarray(at, at + PIECE));
    await writer.close();
  } catch {
    // The reader gets the error.
  }
}

/** A new DecompressionStream or CompressionStream for gzip, by the name of its class. */
function streamOf(name, fail) {
  const Stream = globalThis[name];
  if (Stream === undefined) fail('engine-too-old', `this engine has no ${name}, which compressed archives need: use archives that are not compressed (numpy.savez)`);
  return new Stream('gzip');
}

/** New memory of `size` bytes. */
function allocate(size, fail) {
  try {
    return new Uint8Array(size);
  } catch (cause) {
    return fail('out-of-memory', `${size} bytes could not be allocated; ${MEMORY_WAYS}`, cause);
  }
}

// ---------------------------------------------------------------- writing

/** The bytes of an archive of files `{ name, bytes }`, compressed or not. The same files give the same bytes: their date is fixed. */
export async function writeArchive(files, compressed, fail) {
  if (files.length >= MAX16) fail('too-large', `an archive has at most 65,534 tensors, and these are ${files.length}`);
  const entries = [];
  for (const { name, bytes } of files) {
    const encoded = new TextEncoder().encode(name);
    const packed = compressed ? await deflate(bytes, fail) : bytes;
    entries.push({ name: encoded, crc: crc32(bytes), size: bytes.length, packed, method: compressed ? DEFLATED : STORED });
    if (encoded.length > MAX16) fail('too-large', `a name has at most 65,535 bytes, and one has ${encoded.length}`);
  }
  const sum = (bytesOf) => entries.reduce((total, { name, packed }) => total + bytesOf(name, packed), 0);
  const start = sum((name, packed) => LOCAL_SIZE + name.length + packed.length); // of the directory
  const size = sum((name) => ENTRY_SIZE + name.length); // of the directory
  if (start + size >= MAX32 || entries.some((entry) => entry.size >= MAX32)) fail('too-large', `an archive has less than 4 GB, and this one would have ${start + size} bytes: save the tensors in several`);
  const file = allocate(start + size + END_SIZE, fail);
  const writer = { file, view: viewOf(file), at: 0 };
  for (const entry of entries) writeLocal(writer, entry);
  for (const entry of entries) writeEntry(writer, entry);
  // The end record: the numbers of two disks, the number of entries on this disk and in all, the directory, and no comment.
  put(writer, [[END_SIGNATURE, 4], [0, 2], [0, 2], [entries.length, 2], [entries.length, 2], [size, 4], [start, 4], [0, 2]]);
  return file;
}

/** Writes the local header, the name and the content of a file, and notes the header's offset in its entry. */
function writeLocal(writer, entry) {
  entry.local = writer.at;
  put(writer, [[LOCAL_SIGNATURE, 4], ...commonFields(entry)]);
  append(writer, entry.name);
  append(writer, entry.packed);
}

/** Writes the entry of a file in the directory. */
function writeEntry(writer, entry) {
  // Before the common fields: the version that has written it. After them: no comment, disk 0, no attributes, and the local header's
  // offset.
  put(writer, [[ENTRY_SIGNATURE, 4], [20, 2], ...commonFields(entry), [0, 2], [0, 2], [0, 2], [0, 4], [entry.local, 4]]);
  append(writer, entry.name);
}

/**
 * The fields that the local header and the entry share, each with its width in bytes: the version needed (2.0), flags, method, time and
 * date (January 1, 1980, the earliest), checksum, compressed and decompressed size, the length of the name, and that of further fields,
 * 0.
 */
const commonFields = ({ name, method, crc, packed, size }) => [
  [20, 2], [UTF8, 2], [method, 2], [0, 2], [0x21, 2], [crc, 4], [packed.length, 4], [size, 4], [name.length, 2], [0, 2],
];

/** Writes numbers of 2 or 4 bytes, given as pairs of a number and its width, and advances the writer. */
function put(writer, numbers) {
  for (const [number, width] of numbers) {
    if (width === 2) writer.view.setUint16(writer.at, number, true);
    else writer.view.setUint32(writer.at, number, true);
    writer.at += width;
  }
}

/** Writes bytes, and advances the writer. */
function append(writer, bytes) {
  writer.file.set(bytes, writer.at);
  writer.at += bytes.length;
}

/** Bytes compressed by deflate: a gzip file without its head of 10 bytes and its end of 8. */
async function deflate(bytes, fail) {
  const { readable, writable } = streamOf('CompressionStream', fail);
  feed(writable, [bytes]);
  const whole = new Uint8Array(await new Response(readable).arrayBuffer());
  return whole.subarray(10, -8);
}
