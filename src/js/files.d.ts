import type { Device, DType, Tensor } from './index.js';

/** Bytes in memory of their own, which `new Blob` accepts. */
type Bytes = ReturnType<Uint8ArrayConstructor['of']>;

/** How to make the tensors of a file. */
export interface LoadOptions {
  /** The class of the entry that you use: `import { Tensor } from 'scatterwise'`, or from `'scatterwise/cpu'`, … */
  Tensor: typeof Tensor;
  /** Where the tensors go; left out: to the device of new tensors. */
  device?: Device | undefined;
  /** Load these only. A name that the file lacks is a ValueError. */
  names?: readonly string[] | undefined;
}
/** A tensor in a listed file: its dtype and shape; or `problem`, why it cannot be loaded. */
export type Listed = { name: string; dtype: DType; shape: number[]; problem?: undefined } | { name: string; dtype?: undefined; shape?: undefined; problem: string };
/** How to write an archive. */
export interface SaveNpzOptions {
  /** Whether to compress each array, as `numpy.savez_compressed` does; left out: arrays are stored uncompressed. */
  compressed?: boolean | undefined;
}
/** What to write besides the tensors. */
export interface SaveSafetensorsOptions {
  /** Texts of your own. */
  metadata?: Readonly<Record<string, string>> | undefined;
}

/**
 * The arrays of a `.npz` file, as NumPy's `savez` and `savez_compressed` write it, by their names. Each is read as `Tensor.from_npy` does.
 *
 * ValueError for an archive that is damaged, encrypted or spread over several files, and for dtypes that have no counterpart here. A
 * member without `.npy` that is no array is its bytes, in uint8. The error names the array, and nothing is loaded; `names` loads the
 * others. Every file of scipy.sparse has such a member: `names: ['data', 'indices', 'indptr', 'shape']` leaves out `format`, which is a
 * text.
 *
 * @example
 * import { load_npz, save_npz } from 'scatterwise/files';
 * const file = await save_npz({ weights: new Tensor([[1, 2], [3, 4]]) }); // or: await (await fetch('model.npz')).arrayBuffer()
 * const { weights } = await load_npz(file, { Tensor });
 * weights; // → [[1, 2], [3, 4]]
 */
export function load_npz(bytes: ArrayBuffer | Uint8Array, options: LoadOptions): Promise<Record<string, Tensor>>;
/**
 * Lists the content of a `.npz` file, in its order, and loads nothing. You can give the names to `load_npz`. Only the beginnings of
 * compressed arrays are decompressed, and no contents are checked.
 *
 * Errors are those of `load_npz`. This function gets no class: distinguish its errors by `error.name` and `error.code`, not by
 * `instanceof`.
 *
 * @example
 * import { list_npz, save_npz } from 'scatterwise/files';
 * const file = await save_npz({ weights: Tensor.zeros([2, 3]), steps: new Tensor(7n) });
 * await list_npz(file); // → [{ name: 'weights', dtype: 'float32', shape: [2, 3] }, { name: 'steps', dtype: 'int64', shape: [] }]
 */
export function list_npz(bytes: ArrayBuffer | Uint8Array): Promise<Listed[]>;
/**
 * A `.npz` file for NumPy's `load`. The values are those at the time of the call, and the same tensors give the same bytes. NumPy has no
 * bfloat16: a TypeError says to use `astype('float32')`. RuntimeError (`too-large`) beyond 4 GB or 65,534 tensors.
 *
 * @example
 * import { save_npz } from 'scatterwise/files';
 * const file = await save_npz({ weights: Tensor.zeros([1000]), bias: Tensor.ones([10]) }, { compressed: true });
 * new Blob([file]).size < 1000; // → true
 */
export function save_npz(tensors: Readonly<Record<string, Tensor>>, options?: SaveNpzOptions): Promise<Bytes>;
/**
 * The tensors of a `.safetensors` file by their names, and its texts.
 *
 * ValueError for a file that is malformed or cut off, whose tensors overlap or leave gaps, and for dtypes that have no counterpart here
 * (float8 and smaller, complex). The error names the tensor, and nothing is loaded; `names` loads the others.
 *
 * @example
 * import { load_safetensors, save_safetensors } from 'scatterwise/files';
 * const file = await save_safetensors({ weights: new Tensor([[1, 2], [3, 4]], { dtype: 'bfloat16' }) }, { metadata: { epoch: '3' } });
 * const { tensors, metadata } = load_safetensors(file, { Tensor });
 * tensors.weights; // → [[1, 2], [3, 4]]
 * metadata; // → { epoch: '3' }
 */
export function load_safetensors(bytes: ArrayBuffer | Uint8Array, options: LoadOptions): { tensors: Record<string, Tensor>; metadata: Record<string, string> };
/**
 * Lists the content of a `.safetensors` file, and its texts; loads nothing. You can give the names to `load_safetensors`. Distinguish
 * errors as for `list_npz`.
 *
 * @example
 * import { list_safetensors, save_safetensors } from 'scatterwise/files';
 * const file = await save_safetensors({ weights: Tensor.zeros([2, 3]) });
 * list_safetensors(file).tensors; // → [{ name: 'weights', dtype: 'float32', shape: [2, 3] }]
 */
export function list_safetensors(bytes: ArrayBuffer | Uint8Array): { tensors: Listed[]; metadata: Record<string, string> };
/**
 * A `.safetensors` file, in the order of the format's own writer: all thirteen dtypes, little-endian. The values are those at the time of
 * the call.
 *
 * @example
 * import { save_safetensors } from 'scatterwise/files';
 * const file = new Blob([await save_safetensors({ weights: Tensor.zeros([1000]) })]);
 */
export function save_safetensors(tensors: Readonly<Record<string, Tensor>>, options?: SaveSafetensorsOptions): Promise<Bytes>;

export {}; // what has no export stays inside
