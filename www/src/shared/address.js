// The state of a page in the fragment of its address: `#name=<compressed JSON>`. Nothing is sent to any server.

/** All bytes of a stream. @param {ReadableStream} stream @returns {Promise<Uint8Array>} */
const bytesOf = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());
/** What bytes become in a stream that transforms them. */
const through = (bytes, transform) => bytesOf(new Blob([bytes]).stream().pipeThrough(transform));

/** For JSON.stringify: bigints, −0, NaN and the infinities, which JSON does not have, as objects. */
const plain = (_key, value) => {
  if (typeof value === 'bigint') return { $big: String(value) };
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
    return { $number: Object.is(value, -0) ? '-0' : String(value) };
  return value;
};

/** For JSON.parse: the values that `plain` wrote as objects. */
const restored = (_key, value) => {
  if (value?.$big !== undefined) return BigInt(value.$big);
  if (value?.$number !== undefined) return Number(value.$number);
  return value;
};

/** Any plain data as a word that an address may hold: compressed, in the variant of base64 for addresses. @returns {Promise<string>} */
export async function pack(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state, plain));
  const packed = await through(bytes, new CompressionStream('deflate-raw'));
  const characters = Array.from(packed, (byte) => String.fromCharCode(byte)); // one by one: the number of arguments of a call is limited
  return btoa(characters.join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The value that `pack` made a word of. Rejects other words. */
export async function unpack(word) {
  const packed = Uint8Array.from(atob(word.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
  const bytes = await through(packed, new DecompressionStream('deflate-raw'));
  return JSON.parse(new TextDecoder().decode(bytes), restored);
}

/** The packed state of this name in the address; null for none. */
const wordInAddress = (name) => new URLSearchParams(location.hash.slice(1)).get(name);

/** The state that the address of this page carries under `name`, or null; a damaged one counts as none. */
export async function stateInAddress(name) {
  const word = wordInAddress(name);
  return word ? unpack(word).catch(() => null) : null;
}

/** This page's address with `state` under `name` in place of any other state. */
export async function addressWith(name, state) {
  return `${location.origin}${location.pathname}${location.search}#${name}=${await pack(state)}`;
}

/** The fragment of this page's state. */
let shownHash = '';

/** Puts `state` into the address, under `name`, without a new entry in the history. */
export async function keepInAddress(name, state) {
  history.replaceState(null, '', await addressWith(name, state));
  shownHash = location.hash;
}

/** Reloads the page if a link with another state under `name` is opened in it: a browser only changes the address. */
export function reloadOnLink(name) {
  shownHash = location.hash;
  addEventListener('hashchange', () => {
    if (wordInAddress(name) && location.hash !== shownHash) location.reload();
  });
}

/** The address of a file of the site, named from the site's folder, seen from a page in any folder. */
export const assetAddress = (path) => new URL(path, new URL(document.body.dataset.root, document.baseURI));
