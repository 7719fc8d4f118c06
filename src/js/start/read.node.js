// Files for the entries of Node, whose fetch() does not read them.

import { readFile } from 'node:fs/promises';

/** A promise of the bytes of a file; undefined for any other URL, which fetch() reads. */
export const read = (url) => (url.protocol === 'file:' ? readFile(url) : undefined);
