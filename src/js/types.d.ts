// The public types. `Words<'LIST'>` stands for the words of that list of wire.js, or of names of operators: tools/types.mjs writes them
// out. What stands between `// #if NAME` and `// #end` is left out for an entry without that family.

/** The type of a tensor's elements. */
export type DType = Words<'DTYPES'>;
/** The dtypes of floating-point numbers. */
type Float = 'float16' | 'bfloat16' | 'float32' | 'float64';
/** Where a tensor lives and its operators run. */
export type Device = Words<'DEVICES'>;
/** One value: bigints for 64-bit integers, booleans for bool. */
export type Scalar = number | bigint | boolean;
/**
 * Arrays of equal lengths, one level of nesting for each dimension; one value for no dimensions. The innermost may be typed arrays of one
 * kind.
 */
export type NestedArray = Scalar | TypedArray | readonly NestedArray[];
/**
 * float16 is a Float16Array if the engine has it, else a Uint16Array of bits; bfloat16 is a Uint16Array of bits; bool is a Uint8Array.
 */
export type TypedArray =
  | Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array
  | BigInt64Array | BigUint64Array | Float32Array | Float64Array | Global<'Float16Array'>;
/** Float16Array, which only the newest TypeScript libraries declare. */
export type Float16ArrayLike = ArrayBufferView & { readonly length: number; readonly [Symbol.toStringTag]: 'Float16Array' };
/** What {@link Tensor.data} gives for a dtype. Its buffer is not shared, as TypeScript 5.7 and later know. */
export type ArrayOf<D extends DType> = {
  bool: Fresh<Uint8ArrayConstructor>;
  int8: Fresh<Int8ArrayConstructor>;
  uint8: Fresh<Uint8ArrayConstructor>;
  int16: Fresh<Int16ArrayConstructor>;
  uint16: Fresh<Uint16ArrayConstructor>;
  int32: Fresh<Int32ArrayConstructor>;
  uint32: Fresh<Uint32ArrayConstructor>;
  int64: Fresh<BigInt64ArrayConstructor>;
  uint64: Fresh<BigUint64ArrayConstructor>;
  float16: Global<'Float16Array'> | Fresh<Uint16ArrayConstructor>;
  bfloat16: Fresh<Uint16ArrayConstructor>;
  float32: Fresh<Float32ArrayConstructor>;
  float64: Fresh<Float64ArrayConstructor>;
}[D];
/** What {@link Tensor.item} gives for a dtype. */
export type ScalarOf<D extends DType> = D extends 'bool' ? boolean : D extends 'int64' | 'uint64' ? bigint : number;
/** What {@link Tensor.tolist} gives for a dtype, unless the caller says how deep it is. */
export type NestedOf<D extends DType> = ScalarOf<D> | NestedOf<D>[];
/** The dtype of a tensor made of these values; {@link DType} if the type does not tell. */
export type DTypeOf<Data> =
  [Data] extends [never] ? 'float32' // of an array without elements
  : [NestedArray] extends [Data] ? DType
  : Data extends Tensor<infer D> ? D
  : Data extends boolean ? 'bool'
  : Data extends bigint ? 'int64'
  : Data extends number ? 'float32'
  : Data extends { readonly [Symbol.toStringTag]: infer Name } ? DTypeOfArray<Name>
  : Data extends readonly (infer Element)[] ? DTypeOf<Element>
  : DType;
type DTypeOfArray<Name> = Name extends keyof DTypesOfArrays ? DTypesOfArrays[Name] : DType;
interface DTypesOfArrays {
  Int8Array: 'int8';
  Uint8Array: 'uint8';
  Uint8ClampedArray: 'uint8';
  Int16Array: 'int16';
  Uint16Array: 'uint16';
  Int32Array: 'int32';
  Uint32Array: 'uint32';
  BigInt64Array: 'int64';
  BigUint64Array: 'uint64';
  Float16Array: 'float16';
  Float32Array: 'float32';
  Float64Array: 'float64';
}
/** Anything that a tensor parameter accepts. Arrays become int32 for an index and self's dtype for a source. */
export type TensorLike = Tensor | NestedArray | TypedArray | Float16ArrayLike;

/** WebGPU's `GPUBuffer`, if TypeScript's own library or `@webgpu/types` declares it; else nothing is checked. */
export type GpuBuffer = typeof globalThis extends { GPUBuffer: { prototype: infer Type } } ? Type : any;
/** WebGPU's `GPU`, in the same way. */
export type GpuSource = typeof globalThis extends { GPU: { prototype: infer Type } } ? Type : any;
/** WebGPU's `GPUDevice`, in the same way. */
export type GpuDevice = typeof globalThis extends { GPUDevice: { prototype: infer Type } } ? Type : any;

/** A class of the platform, if the project's libraries declare it. */
type Global<Name extends string> = typeof globalThis extends { [name in Name]: { prototype: infer Type } } ? Type : never;
// #if files
/** The sources of a picture: see {@link Tensor.from_image}. */
export type ImageSource =
  | Global<'ImageData'> | Global<'ImageBitmap'> | Global<'HTMLImageElement'> | Global<'HTMLCanvasElement'>
  | Global<'OffscreenCanvas'> | Global<'HTMLVideoElement'> | Global<'VideoFrame'>
  | { readonly data: Uint8ClampedArray | Uint8Array; readonly width: number; readonly height: number; readonly colorSpace?: string | undefined };
/** The platform's `ImageData`; on a platform without it, such as Node, an object with its fields. */
export type Picture = typeof globalThis extends { ImageData: { prototype: infer Type } } ? Type : PictureFields;
/** The fields of ImageData. */
export interface PictureFields {
  /** Red, green, blue and alpha of each pixel, row by row. */
  data: Uint8ClampedArray;
  /** Pixels of a row. */
  width: number;
  /** Rows. */
  height: number;
  /** The colour space of the numbers. */
  colorSpace: 'srgb' | 'display-p3';
}
// #end
type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Type } } } ? Type : never;
/** The instances of a typed array's constructor. TypeScript 5.7 and later know that their buffer is not shared. */
type Fresh<Constructor extends { of(...items: never[]): unknown }> = ReturnType<Constructor['of']>;
/** Options with the dtype of the result: see {@link Told}. */
type WithDType<D extends DType | undefined> = Omit<TensorOptions, 'dtype'> & { dtype?: D };
/**
 * The dtype in the options, else the default. `never` stands for options without a dtype: without `strict`, undefined extends everything.
 * A table, so that TypeScript cannot infer the dtype from the type that the result is assigned to.
 */
type Told<D extends DType | undefined, Default extends DType> = [D] extends [never] ? Default : D extends DType ? { [Name in DType]: Name }[D] : Default;

/** The dtype of sums of `Weights`, by a table of dtypes; `Counts` without weights, for which `never` stands as in {@link Told}. */
type Summed<Weights, Counts extends DType, Of extends Record<DType, DType> = { [Name in DType]: Name }> =
  [Weights] extends [never] ? Counts : Weights extends undefined ? Counts : Of[DTypeOf<Weights>];
/** The dtype of counts or sums, or of their density. */
type Dense<Density, Sums extends DType> = [Density] extends [never] ? Sums : Density extends true ? 'float64' : Sums;
/** The dtype of data if that is a float, else float64. */
type FloatOf<Data> = { [Name in DType]: Name extends Float ? Name : 'float64' }[DTypeOf<Data>];
/** The dtype of an argument: a typed array's or a tensor's own, else `Default`. */
type OwnOr<Data, Default extends DType> = [Data] extends [never] ? Default : Data extends Tensor | TypedArray | Float16ArrayLike ? DTypeOf<Data> : Default;

/** How to start: see {@link init}. */
export interface InitOptions {
  /** `'auto'` (default): WebGPU where a hardware adapter exists, else the CPU. `'webgpu'` also accepts a software adapter. */
  device?: 'auto' | Device | undefined;
  /** The source of the .wasm, if the default (a URL beside the module; the file system in Node) does not work. */
  wasm?: string | Global<'URL'> | Global<'Request'> | Global<'Response'> | ArrayBuffer | ArrayBufferView | WasmModule | undefined;
  /** Which of several GPUs to prefer. Has no effect while a device runs. */
  powerPreference?: 'low-power' | 'high-performance' | undefined;
  /**
   * The source of WebGPU on a platform without `navigator.gpu`: in Node `create([])` of the package `webgpu`, whose `globals` must be
   * made global first. `device` still decides whether it is used. Give it before WebGPU has started: else `'already-started'`.
   */
  gpu?: GpuSource;
  /**
   * Your own GPUDevice, on which tensors live from now on: from three.js, Babylon.js, deck.gl, onnxruntime-web, or your own request. The
   * library records on it and never destroys it. Without `device`, the library also starts on it, even on a software adapter. Give it
   * before WebGPU has started, or after the last device was lost: else `'already-started'`.
   */
  gpu_device?: GpuDevice | undefined;
}

/** What runs, and why. */
export interface BackendInfo {
  /**
   * The device of tensors made from data. A result is on the device of the tensors among its operands; a result of arrays alone is on the
   * CPU.
   */
  device: Device;
  /** The adapter, once a GPU device was started. */
  webgpu: null | {
    /** As WebGPU's `GPUAdapterInfo` has them; browsers leave some empty. */
    vendor: string;
    architecture: string;
    description: string;
    /** Whether the adapter computes on the CPU. */
    software: boolean;
    limits: Record<string, number>;
    features: string[];
  };
  /** Which of the two WebAssembly builds runs. */
  simd: boolean;
  /**
   * The result of the start-up probe of the adapter's float32 products and sums. Operations on two tensors of float32 take all of them if they
   * are `'native'`, the provably exact ones if they are `'guarded'`, and none if they are `'strict'`; they compute the others in integers.
   * Scatters never use the adapter's floats.
   */
  numerics: {
    float32: 'native' | 'guarded' | 'strict';
    subnormals: 'kept' | 'flushed';
    nan: 'kept' | 'lost';
    /** Parts of the library whose arithmetic on this adapter differed from the CPU's, and which now compute in integers. */
    demoted: string[];
  } | null;
  /** The reason for this device, in one sentence. */
  reason: string;
  /** The version of the package. */
  version: string;
}

/**
 * Starts the library. Idempotent and safe to call concurrently; a failed start may be tried again. A later call with a
 * `device` switches to it, as {@link set_device} does.
 *
 * Rejects with a RuntimeError whose code says what went wrong: `'wasm-not-found'` (with the URL), `'wasm-invalid'`, `'wasm-mismatch'` (the
 * file is of another package or version), `'wasm-forbidden'` (by the content security policy), `'wasm-failed'` (it does not start: there may
 * be too little memory), `'already-started'` (from another URL or device; other bytes are ignored), `'device-unavailable'`.
 *
 * @example
 * import { init, Tensor } from 'scatterwise';
 * const { device, reason } = await init();
 * console.log(device, reason);
 *
 * @example
 * await init({ gpu: navigator.gpu }); // in Node: the README, "Where it runs"
 */
export function init(options?: InitOptions): Promise<BackendInfo>;
export default init;
/**
 * Starts on the CPU, synchronously, from bytes or a compiled module.
 *
 * @example
 * const response = await fetch('/scatterwise_simd.wasm');
 * initSync(await response.arrayBuffer());
 */
export function initSync(wasm: ArrayBuffer | ArrayBufferView | WasmModule): BackendInfo;
/**
 * The running device, and the reason for it.
 *
 * @example
 * console.log(backend().reason);
 */
export function backend(): BackendInfo;
/**
 * Whether {@link init} has finished, so that tensors can be made.
 *
 * @example
 * if (!is_ready()) await init();
 */
export function is_ready(): boolean;
/**
 * Switches the device of new tensors, any number of times and in both directions. Existing tensors stay where they are: see
 * {@link Tensor.to}. As in the methods of tensors that return a promise, a wrong argument throws at the call, and later errors reject.
 *
 * @example
 * const { device, reason } = await set_device('auto');
 */
export function set_device(device: 'auto' | Device): Promise<BackendInfo>;
/** What to compile ahead: see {@link warm_up}. */
export interface WarmUpOptions {
  /** Names of operators, such as `'scatter_'` or `'scatter'`; left out: all. */
  ops?: readonly string[] | undefined;
  /** Dtypes of their tensors; left out: `['float32']`. */
  dtypes?: readonly DType[] | undefined;
}
/**
 * Compiles what these operators need on WebGPU for these dtypes, and resolves when their first call will not wait for it. It calls them
 * on small tensors of its own, one after the other, and reports what {@link sync} would. On the CPU it resolves at once.
 *
 * It does not compile the activations of {@link elementwise_mul} and its siblings, and the gradients of {@link vjp}; their first call does. A ValueError
 * for an unknown name lists the known ones.
 *
 * @example
 * await warm_up({ ops: ['gather', 'mul'], dtypes: ['float32'] });
 */
export function warm_up(what?: WarmUpOptions): Promise<void>;
/**
 * Resolves when all GPU work submitted so far is done; rejects with the first deferred error not yet reported.
 *
 * A RuntimeError `'work-lost'`, from here or from a read, means that the GPU left work undone without an error of its own. Compute again
 * what you computed since the last read or `sync()`; every use of it throws. `'unreliable-arithmetic'` means the same, after a self-test of
 * the adapter's float32 arithmetic failed; the same calls give the right bits from then on.
 *
 * @example
 * const t = Tensor.zeros([4]).scatter_(0, [1], 5);
 * await sync();
 */
export function sync(): Promise<void>;
/**
 * The `GPUDevice` of tensors on WebGPU, for your own WebGPU code: its buffers and pipelines work together with {@link Tensor.gpu_buffer}
 * and {@link Tensor.from_gpu_buffer}. It stays the same until it is lost, and `set_device('webgpu')` starts another, or `init({
 * gpu_device })` if it was yours. RuntimeError before WebGPU was started.
 *
 * @example
 * await init({ device: 'webgpu' });
 * const device = gpu_device();
 */
export function gpu_device(): GpuDevice;
/**
 * The memory of the tensors and plans that were neither disposed of nor collected; `tensors` counts the tensors. `cpu_reserved_bytes` is
 * free, but kept for later tensors: WebAssembly's memory never shrinks, so at most what was in use at once before. `gpu_pooled_bytes` is
 * memory that the library keeps on the GPU for later tensors: up to 64 MiB, until `set_device('cpu')`.
 *
 * @example
 * const before = memory().tensors;
 * Tensor.zeros([1000]).dispose();
 * memory().tensors - before; // → 0
 */
export function memory(): { tensors: number; cpu_bytes: number; cpu_reserved_bytes: number; gpu_bytes: number; gpu_pooled_bytes: number };
/**
 * Calls `fn`, then frees every tensor, plan and exact sum that was made during the call, except those in what it returns: a tensor, or arrays
 * and plain objects of them, at any depth. These belong to the scope around this one if there is one. They are freed also if `fn` throws;
 * the error is then yours. `keep(t)`, the argument of `fn`, takes a tensor out of every scope. What came in from outside stays.
 *
 * An `async` function is a TypeError before it runs: {@link open_scope} lasts across awaits. Any other result, such as a promise, a Map or an
 * object of a class, may hold tensors out of sight: it is a TypeError, and everything is freed. Values, also typed arrays, are taken. What a
 * promise makes later (`to`, `unique`) belongs to no `scope`.
 *
 * @example
 * const t = new Tensor([1, 2, 3]);
 * const result = scope(() => t.mul(t).mul(2).mul(t)); // two intermediate results are freed
 * await result.tolist(); // → [2, 16, 54]
 */
export function scope<T>(fn: (keep: <K extends Tensor>(tensor: K) => K) => T extends PromiseLike<unknown> ? never : T): T;
/**
 * Opens a scope that lasts across awaits: `dispose()`, or the end of the block of `using`, frees every tensor, plan and exact sum that was made
 * since. `keep(value)` takes a tensor, or those in arrays and plain objects, out of every scope, and returns the value.
 *
 * Scopes nest: closing one closes those inside it. There is one stack of them for all tasks: a scope takes whatever is made while it is
 * the innermost one. So do not open scopes in tasks that overlap, such as the parts of a `Promise.all`: one would free what another still needs.
 * What a promise makes later (`to`, `unique`) belongs to the innermost of these scopes. A tensor that a scope freed is a RuntimeError
 * (`disposed`) that says so.
 *
 * @example
 * const t = new Tensor([1, 2, 3]);
 * const s = open_scope(); // or `using s = open_scope()`, which closes it at the end of the block
 * const total = await t.mul(t).sum().item();
 * const scaled = s.keep(t.div(total)); // stays
 * s.dispose(); // frees the product and the sum
 * total; // → 14
 */
export function open_scope(): { keep<T>(value: T): T; dispose(): void; [Symbol.dispose](): void };
/**
 * {@link Tensor.with_data} for several tensors at once. All must be on the CPU, and none may be there twice: that is a ValueError. The
 * callback gets the array of each, in the same order.
 *
 * @example
 * const index = Tensor.zeros([4], { dtype: 'int32', device: 'cpu' });
 * const weights = Tensor.zeros([4], { device: 'cpu' });
 * with_data([index, weights], (slots, values) => {
 *   for (let k = 0; k < 4; k++) [slots[k], values[k]] = [3 - k, k / 2];
 * });
 * await weights.tolist(); // → [0, 0.5, 1, 1.5]
 */
export function with_data<const T extends readonly Tensor[], R>(tensors: T, callback: (...views: { [K in keyof T]: ArrayOf<T[K]['dtype']> }) => R): R;

/** Options of a new tensor. Missing ones follow from the data, or from {@link backend}. */
export interface TensorOptions {
  /** The type of the elements. Values are converted to it. */
  dtype?: DType | undefined;
  /** The sizes, if the data is flat or is to get another shape. It must have as many elements as the data. */
  shape?: readonly number[] | undefined;
  /**
   * The device; left out: that of {@link backend}. A tensor made from one on WebGPU stays there: {@link Tensor.to} copies it to the CPU.
   */
  device?: Device | undefined;
  /** A name of your own, kept with the tensor. */
  name?: string | undefined;
  /**
   * Paddle's level-of-detail offsets, outermost level first; checked against the first dimension. `clone()`, `to()` and
   * {@link elementwise_mul} keep them.
   */
  lod?: readonly (readonly number[])[] | undefined;
}
/**
 * What an index value outside −s … s − 1 does, where s is the size of its dimension. `'raise'`, the default: an IndexError, and
 * nothing is written. `'wrap'` and `'clip'`: as `numpy.take`; clip has no negative indices, they become 0. `'drop'`: −s … −1
 * count from the end, and any other value out of range is skipped: an update writes nothing, and a read gives `fill_value`. `'inside'`: every
 * value outside 0 … s − 1 is skipped so, negative ones too, such as a place left of a grid. A value beyond 64 bits with a sign is not
 * wrapped: with `'wrap'` it is an IndexError.
 */
export type OutOfRange = Words<'MODES'>;
/** How to take an index. A plan has a mode and an `ignore_index` of its own: see {@link IndexPlan.along}. */
export interface ModeOptions {
  /** How to treat an index value out of range. Left out: an IndexError. */
  mode?: OutOfRange | undefined;
  /**
   * Entries with this value are skipped, as padding is: PyTorch's `ignore_index`. They write nothing, a mean does not count them, and a
   * read gives `fill_value`. The raw value is compared, before negative values count from the end and before `mode`; so it may be any
   * integer. A tuple is skipped if any of its numbers has the value. Left out: every entry counts.
   */
  ignore_index?: number | bigint | undefined;
}
/** How to read by an index. A plan has a mode and an `ignore_index` of its own: see {@link IndexPlan.along}. */
export interface IndexOptions extends ModeOptions {
  /** The result of a read whose entry is skipped, converted to self's dtype. Left out: 0. */
  fill_value?: Scalar | undefined;
}
/** How to divide: see {@link Tensor.div}. */
export interface DivOptions {
  /** Makes the quotient whole: `'trunc'` cuts its fraction, `'floor'` rounds down. A quotient of floats is first rounded to its dtype. */
  rounding?: Words<'ROUNDINGS'> | undefined;
}
/** How to sum floats. Sums of integers, which wrap, and of bool are the same by both words. */
export interface SumOptions {
  /**
   * `'exact'`: each slot gets the exact sum of its value and all its updates, rounded once to nearest even, as `Math.sumPrecise` returns
   * it. No order, device or division into chunks changes a bit of it, and it overflows only if the exact sum does. −0 only if all terms
   * are −0; NaN if one is NaN or infinities of both signs meet. A mean is the exact sum divided by the count, rounded once. Left out, or
   * `'ordered'`: one addition after the other in row-major order, each rounded. A ValueError if the call is neither a sum nor a mean.
   * The same bits on both devices.
   */
  sum?: Words<'SUMS'> | undefined;
}
/** How to write: see {@link Tensor.scatter_}. */
export interface ReduceOptions extends ModeOptions, SumOptions {
  /**
   * How to combine an update with the value in self. Left out: the update replaces it. With it, gradients are zeros, as the page says:
   * {@link Tensor.scatter_add} and {@link Tensor.scatter_reduce} have those of sums and products.
   */
  reduce?: 'add' | 'multiply' | undefined;
}
/**
 * How to combine the values of a slot. `'mean'`: the ordered sum, then one division by their number. `'amax'` and `'amin'`: `Math.max`
 * and `Math.min`, so that NaN wins and −0 is less than 0.
 */
export type Reduction = Words<'REDUCTIONS'>;
/** How to reduce: see {@link Tensor.scatter_reduce}. */
export interface ScatterReduceOptions extends ModeOptions, SumOptions {
  /** Whether the value in self is one of the terms. Left out: it is. If not, the first update of a slot replaces it. */
  include_self?: boolean | undefined;
}
// #if groups
/** The largest or smallest values, and where they came from. */
export interface Winners<Values extends Tensor = Tensor> {
  /** The result, as without `return_indices`; of a method in place the tensor itself. */
  values: Values;
  /**
   * For each slot the position along dim of the update that won; of segments the row of data. Of equal updates it is the first in row-major
   * order, and the first NaN if there is one. It is −1 where the value of self, or `initial`, stayed, which wins ties, and where no update went.
   */
  indices: Tensor<'int64'>;
}
/** Asks for {@link Winners}. ValueError with a reduction other than `'amax'` and `'amin'`. */
export interface WithIndices {
  /** Whether the call also returns which update won. */
  return_indices: true;
}
/** Has {@link Winners} or the values alone, as a variable says. */
export interface EitherIndices {
  /** Whether the call also returns which update won. */
  return_indices: boolean;
}
// #end
/** Asks for the values alone. */
export interface WithoutIndices {
  /** Whether the call also returns which update won. Left out: it does not. */
  return_indices?: false | undefined;
}
/** How to combine an update with the value in self. */
export type NdReduce = Words<'REDUCES', 'replace'>;
/** How to write at index tuples: see {@link Tensor.scatter_nd}. */
export interface NdOptions extends ModeOptions, SumOptions {
  /** How to combine an update with the value in self. Left out: the update replaces it, and the last update in row-major order wins. */
  reduce?: NdReduce | undefined;
  /** The number of leading dimensions that self, indices and updates share. Left out: 0. A plan has none. */
  batch_dims?: number | undefined;
}
/** How to read at index tuples: see {@link Tensor.gather_nd}. */
export interface GatherNdOptions extends IndexOptions {
  /** The number of leading dimensions that self and indices share. Left out: 0. */
  batch_dims?: number | undefined;
}
/** How to add slices: see {@link Tensor.index_add}. */
export interface IndexAddOptions extends ModeOptions, SumOptions {
  /** The factor of src, converted to self's dtype; for integers a whole number. Left out: 1. */
  alpha?: Scalar | undefined;
}
/** A dtype of positions and counts. */
export type PositionDType = 'int64' | 'int32';
/** The dtype of positions and counts: see {@link Tensor.argsort}. */
export interface PositionOptions<P extends PositionDType = PositionDType> {
  /** 'int32' gives numbers instead of bigints, in half the memory. Left out: int64. */
  dtype?: P | undefined;
}
// #if dims
/** The dimensions that a call reduces: one, several, or all if left out. */
export type Dims = number | readonly number[] | null;
/** What becomes of the reduced dimensions: see {@link Tensor.sum}. */
export interface DimsOptions {
  /** Whether they stay, with size 1. Left out: they do not. */
  keepdim?: boolean | undefined;
}
// #end
// #if sort
/** How to sort: see {@link Tensor.argsort}. */
export interface SortOptions {
  /** Whether the largest come first; equal elements keep their order all the same, and NaN is last. Left out: the smallest come first. */
  descending?: boolean | undefined;
}
/** The elements in their order: see {@link Tensor.sort}. */
export interface Sorted<D extends DType = DType, P extends PositionDType = 'int64'> {
  /** The elements, bit for bit. */
  values: Tensor<D>;
  /** The position along dim that each had. */
  indices: Tensor<P>;
}
// #end
/** The dtype of a sum or product that names none: of bool and of integers narrower than 64 bits it has 64. */
export type SumOf<D extends DType> = D extends 'bool' | 'int8' | 'int16' | 'int32' ? 'int64' : D extends 'uint8' | 'uint16' | 'uint32' ? 'uint64' : D;
// #if dims
/** How to sum along dimensions: see {@link Tensor.sum}. */
export interface SumDimsOptions<E extends DType = DType> extends DimsOptions {
  /** The dtype to which each element is converted first. Left out: that of self. */
  dtype?: E | undefined;
}
// #end
// #if segments
/** The segments, and their initial value: see {@link segment_reduce}. */
export type SegmentOptions = {
  /** The initial value of each segment, converted to data's dtype; for integers a whole number. Left out: the identity of the reduction. */
  initial?: Scalar | undefined;
} & SumOptions & (
  | {
      /** The start of each segment, and the end of the last one: one entry more than segments. */
      offsets: TensorLike;
      lengths?: undefined;
    }
  | {
      /** The number of rows of each segment. */
      lengths: TensorLike;
      offsets?: undefined;
    }
);
// #end

/** The class {@link Tensor}: its constructor and its static methods. */
interface TensorConstructor {
  /**
   * A tensor from little-endian bytes. `options` give the dtype.
   *
   * @example
   * const bytes = new Int16Array([1, 2, 3, 4]).buffer;
   * new Tensor(bytes, { dtype: 'int16', shape: [2, 2] }); // → [[1, 2], [3, 4]]
   */
  new <D extends DType = DType>(bytes: ArrayBufferLike | DataView, options: TensorOptions & { dtype: D }): Tensor<D>;
  /**
   * A tensor from nested arrays, a typed array, a number or another tensor.
   *
   * The dtype is that of `options`, else: number → float32, boolean → bool, bigint → int64, or uint64 from 2^63 on, typed array or
   * tensor → its own. Values are converted: an integer dtype takes the whole part and refuses what does not fit; of another tensor, as
   * {@link Tensor.astype}, it takes the nearest. Ragged nesting is a ValueError that names the path.
   *
   * @example
   * new Tensor([[1, 2], [3, 4]], { dtype: 'int64' });
   * new Tensor(new Float32Array(12), { shape: [3, 4], device: 'cpu' });
   * new Tensor([1.9, 2]).dtype; // → 'float32'
   */
  new <D extends DType | undefined = never, Data extends TensorLike = TensorLike>(data: Data, options?: WithDType<D>): Tensor<Told<D, DTypeOf<Data>>>;
  /**
   * Zeros; float32 unless `options` say otherwise.
   *
   * @example
   * Tensor.zeros([2, 3], { dtype: 'int32' }); // → [[0, 0, 0], [0, 0, 0]]
   */
  zeros<D extends DType | undefined = never>(shape: readonly number[], options?: WithDType<D>): Tensor<Told<D, 'float32'>>;
  /**
   * Ones; float32 unless `options` say otherwise.
   *
   * @example
   * Tensor.ones([3]); // → [1, 1, 1]
   */
  ones<D extends DType | undefined = never>(shape: readonly number[], options?: WithDType<D>): Tensor<Told<D, 'float32'>>;
  /**
   * A tensor filled with one value; float32 unless `options` say otherwise.
   *
   * @example
   * Tensor.full([3], 7); // → [7, 7, 7]
   */
  full<D extends DType | undefined = never>(shape: readonly number[], value: Scalar, options?: WithDType<D>): Tensor<Told<D, 'float32'>>;

  /**
   * `start, start + step, …` to before `stop`; with one number, from 0 to before it. As in NumPy there are ⌈(stop − start) / step⌉
   * numbers. If that quotient is rounded, the last number may be `stop`. Numbers of an integer dtype are exact. float32 unless `options`
   * say otherwise.
   *
   * @example
   * Tensor.arange(0, 10, 2); // → [0, 2, 4, 6, 8]
   */
  arange<D extends DType | undefined = never>(start: number, stop?: number, step?: number, options?: WithDType<D>): Tensor<Told<D, 'float32'>>;

  // #if files
  /**
   * The array in a `.npy` file, as NumPy's `save` writes it: versions 1 to 3, numbers and booleans, either byte order, C or
   * Fortran order. `options` are those of the constructor; a `dtype` converts as {@link Tensor.astype} does.
   *
   * ValueError for a file that is malformed or cut off, and for dtypes that have no counterpart here: complex, text, dates,
   * objects, structures.
   *
   * @example
   * const file = await new Tensor([[1, 2], [3, 4]]).to_npy(); // or: await (await fetch('weights.npy')).arrayBuffer()
   * Tensor.from_npy(file); // → [[1, 2], [3, 4]]
   */
  from_npy<D extends DType | undefined = never>(bytes: ArrayBuffer | Uint8Array, options?: WithDType<D>): Tensor<Told<D, DType>>;

  /**
   * The pixels of a picture, as a uint8 tensor of the shape `[height, width, 4]`: red, green, blue and alpha, not multiplied by
   * alpha. `options` are those of the constructor.
   *
   * ImageData, and any object with its fields `data`, `width` and `height`, works everywhere, and its bytes are taken as they are. A
   * `colorSpace` of `'display-p3'` is kept for {@link Tensor.to_image}. Drawable sources (ImageBitmap, image, canvas, video, VideoFrame)
   * are in sRGB, and go through a 2D canvas; on WebGPU the platform copies them without a read-back if it can. Opaque pixels have the
   * same bytes both ways; colours of translucent pixels, which canvases keep multiplied by alpha, and of videos can be one step apart.
   *
   * ValueError (`invalid-image`) for a picture without pixels (a closed bitmap or frame, or an image that is not loaded), and for pixels
   * of another origin. TypeError for any other value.
   *
   * @example
   * const image = { data: new Uint8Array([255, 0, 0, 255, 0, 0, 255, 128]), width: 2, height: 1 };
   * Tensor.from_image(image); // → [[[255, 0, 0, 255], [0, 0, 255, 128]]]
   */
  from_image<D extends DType | undefined = never>(image: ImageSource, options?: WithDType<D>): Tensor<Told<D, 'uint8'>>;
  // #end

  /**
   * A tensor on WebGPU copied from a buffer of the same GPUDevice ({@link gpu_device}), from byte `offset` on (a multiple
   * of 4). The copy is submitted at once, after what your code and the library submitted before. The buffer stays yours:
   * it is never written to nor destroyed.
   *
   * TypeError for a value that is no GPUBuffer; ValueError where it is too small, mapped, or was made without `GPUBufferUsage.COPY_SRC`,
   * and for `offset`. The platform reports a destroyed buffer, or one of another device, only later: a RuntimeError at the next read or
   * `sync()`, and the tensor holds zeros.
   *
   * With `borrow: true` nothing is copied: the tensor is the buffer, and operators that work in place write into it. It still belongs to
   * you and is never destroyed. It needs `STORAGE | COPY_SRC | COPY_DST` and at least the tensor's size rounded up to a multiple of 16;
   * the bytes up to there may be overwritten. No offset, and no bool. Clones, reshapes and plans are copies. The tensor must not be an
   * operand of a call that writes to it. Before you submit work that uses the buffer, call {@link Tensor.gpu_buffer}, which submits the
   * recorded work.
   *
   * @example
   * const buffer = gpu_device().createBuffer({ size: 24, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
   * const t = Tensor.from_gpu_buffer(buffer, { shape: [2, 3], dtype: 'float32' });
   *
   * const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
   * const bins = Tensor.from_gpu_buffer(gpu_device().createBuffer({ size: 16, usage }), { shape: [4], dtype: 'float32', borrow: true });
   * bins.scatter_add_(0, [1, 1, 3], 1); // → [0, 2, 0, 1]
   */
  from_gpu_buffer<D extends DType>(
    buffer: GpuBuffer,
    options: TensorOptions & { shape: readonly number[]; dtype: D; offset?: number | undefined; borrow?: boolean | undefined },
  ): Tensor<D>;
  readonly prototype: Tensor;
}
/**
 * An n-dimensional array, row-major, on the CPU or on a GPU.
 *
 * Methods whose name ends in `_` write to the tensor and return it; the others return a new one. No method changes an
 * operand. Errors carry {@link ErrorFacts}; nothing is written by a call that fails.
 *
 * @class
 * @example
 * const t = new Tensor([[1, 2], [3, 4]]);
 * t.scatter_(1, [[1, 0], [1, 0]], [[4, 3], [2, 1]]); // → [[3, 4], [1, 2]]
 * t.gather(0, [[1, 1]]); // → [[1, 2]]
 */
export const Tensor: TensorConstructor;
export interface Tensor<D extends DType = DType> {
  /** The size of each dimension; `[]` for a scalar. */
  readonly shape: number[];
  /** The type of the elements. */
  readonly dtype: D;
  /** The number of dimensions. */
  readonly rank: number;
  /** The number of elements. */
  readonly size: number;
  /** Where the values are. */
  readonly device: Device;
  /** The name given to the constructor or to {@link elementwise_mul}, else empty; `clone()` and `to()` keep it. */
  readonly name: string;
  /** Paddle's level-of-detail offsets; empty if none were given. */
  readonly lod: number[][];

  /**
   * With an index that was checked before: see {@link IndexPlan}.
   *
   * @example
   * const plan = IndexPlan.along([3], 0, [2, 0]);
   * Tensor.zeros([3]).scatter_(plan, [10, 20]); // → [20, 0, 10]
   */
  scatter_(plan: IndexPlan, src: TensorLike, options?: Pick<ReduceOptions, 'reduce' | 'sum'>): this;
  /**
   * `self[…, index[i…], …] = src[i…]` along `dim`, or `+=`, or `*=`: in place; returns this very tensor.
   *
   * - `dim` in −r … r − 1; index int32 or int64 with values in −s … s − 1, where s is self's size along `dim`.
   * - Equal ranks, 1 to 8; `index.shape[d] ≤ self.shape[d]` and `index.shape[d] ≤ src.shape[d]` for every d. An empty
   *   index: nothing happens.
   * - `src` has self's dtype; a number is converted to it first (2.5 becomes 2 in int32).
   * - Updates are applied in row-major order of index: the last of several replacements wins; sums and products are rounded to self's
   *   dtype after each step. CPU and WebGPU give the same bits.
   *
   * RuntimeError for dim, ranks, sizes, src's dtype, a number that does not fit; TypeError for index's dtype;
   * ValueError for `reduce`; IndexError for an index value: at once where index is on the CPU or came from JavaScript,
   * else at the next read.
   *
   * Source: MindSpore, `Tensor.scatter_`.
   *
   * @example
   * const t = new Tensor([[1, 2], [3, 4]]);
   * t.scatter_(0, [[0], [1]], 3, { reduce: 'multiply' }); // → [[3, 2], [9, 4]]
   */
  scatter_(dim: number, index: TensorLike, src: TensorLike, options?: ReduceOptions): this;
  /** With an index that was checked before: see {@link IndexPlan}. */
  scatter(plan: IndexPlan, src: TensorLike, options?: Pick<ReduceOptions, 'reduce' | 'sum'>): Tensor<D>;
  /**
   * {@link Tensor.scatter_} into a copy; self is unchanged.
   *
   * @example
   * new Tensor([1, 2, 3]).scatter(0, [2, 0], [10, 20]); // → [20, 2, 10]
   */
  scatter(dim: number, index: TensorLike, src: TensorLike, options?: ReduceOptions): Tensor<D>;

  /** With an index that was checked before: see {@link IndexPlan}. */
  scatter_add(plan: IndexPlan, src: TensorLike, options?: SumOptions): Tensor<D>;
  /**
   * `self[indices[…, 0], …, indices[…, K − 1], :] += updates[…, :]` into a copy, with K the size of the last dimension of
   * indices (rank 2 at least), K ≤ r.
   *
   * `updates.shape` is `indices.shape[:-1] + self.shape[K:]`; each number of a tuple is in −n … n − 1 for the size n of its
   * dimension. With K = 0 every update is added to the whole of self. Row-major order of the tuples.
   *
   * ValueError for ranks and shapes, TypeError for dtypes, IndexError for an index value.
   *
   * Source: MindSpore, `Tensor.scatter_add(indices, updates)`.
   *
   * @example
   * Tensor.zeros([2, 3]).scatter_add([[0, 0], [1, 2], [0, 0]], [1, 2, 3]); // → [[4, 0, 0], [0, 0, 2]]
   */
  scatter_add(indices: TensorLike, updates: TensorLike, options?: ModeOptions & SumOptions): Tensor<D>;
  /**
   * `self[…, index[i…], …] += src[i…]` along `dim`, into a copy; self is unchanged. A number adds the same at every
   * index entry: counting.
   *
   * As {@link Tensor.scatter_} with `reduce: 'add'`, but index may be longer than self along `dim`, and the errors are
   * those of this operator's page: ValueError for dim, ranks and sizes, TypeError for the dtypes of index and src.
   *
   * Source: MindSpore, `Tensor.scatter_add`.
   *
   * @example
   * Tensor.zeros([4]).scatter_add(0, [1, 3, 1, 1], 1); // → [0, 3, 0, 1]
   */
  scatter_add(dim: number, index: TensorLike, src: TensorLike, options?: ModeOptions & SumOptions): Tensor<D>;
  /** With an index that was checked before: see {@link IndexPlan}. */
  scatter_add_(plan: IndexPlan, src: TensorLike, options?: SumOptions): this;
  /** At index tuples: see {@link Tensor.scatter_add}. */
  scatter_add_(indices: TensorLike, updates: TensorLike, options?: ModeOptions & SumOptions): this;
  /**
   * {@link Tensor.scatter_add} in place; returns this very tensor.
   *
   * @example
   * const counts = Tensor.zeros([256], { dtype: 'int32' });
   * counts.scatter_add_(0, new Uint8Array([0, 255, 255]), 1);
   * counts.gather(0, [0, 255]); // → [1, 2]
   */
  scatter_add_(dim: number, index: TensorLike, src: TensorLike, options?: ModeOptions & SumOptions): this;

  /** With an index that was checked before, or with one that has a number for each row: see {@link IndexPlan.select}. */
  scatter_reduce(plan: IndexPlan, src: TensorLike, reduce: Reduction, options?: Pick<ScatterReduceOptions, 'include_self' | 'sum'> & WithoutIndices): Tensor<D>;
  // #if groups
  /** With an index that was checked before, and the positions of the winners. */
  scatter_reduce(plan: IndexPlan, src: TensorLike, reduce: 'amax' | 'amin', options: Pick<ScatterReduceOptions, 'include_self'> & WithIndices): Winners<Tensor<D>>;
  /** Either, where a variable says which. */
  scatter_reduce(plan: IndexPlan, src: TensorLike, reduce: 'amax' | 'amin', options: Pick<ScatterReduceOptions, 'include_self'> & EitherIndices): Tensor<D> | Winners<Tensor<D>>;
  /** With the positions of the winners. */
  scatter_reduce(dim: number, index: TensorLike, src: TensorLike, reduce: 'amax' | 'amin', options: ScatterReduceOptions & WithIndices): Winners<Tensor<D>>;
  /** Either, where a variable says which. */
  scatter_reduce(dim: number, index: TensorLike, src: TensorLike, reduce: 'amax' | 'amin', options: ScatterReduceOptions & EitherIndices): Tensor<D> | Winners<Tensor<D>>;
  // #end
  /**
   * Reduces `src[i…]` to `self[…, index[i…], …]` along `dim`, into a copy; self is unchanged. A slot that no index names keeps
   * its value.
   *
   * - Equal ranks, 1 to 8; `index.shape[d] ≤ src.shape[d]` for every d, `index.shape[d] ≤ self.shape[d]` for d ≠ dim.
   * - Updates are applied in row-major order of index, self first where `include_self`, rounded to self's dtype after each. A
   *   mean is that sum, divided once by the exact number of its terms; integers are divided by floor.
   * - bool: sum and amax are OR, prod and amin are AND.
   *
   * ValueError for dim, ranks, sizes and `reduce`; TypeError for dtypes, and for a mean of bool; IndexError for an index value.
   *
   * Source: PyTorch, `Tensor.scatter_reduce`.
   *
   * @example
   * const x = new Tensor([1, 2, 3, 4]);
   * x.scatter_reduce(0, [0, 1, 0, 1, 2, 1], [1, 2, 3, 4, 5, 6], 'sum'); // → [5, 14, 8, 4]
   * x.scatter_reduce(0, [0, 1, 0, 1, 2, 1], [1, 2, 3, 4, 5, 6], 'mean', { include_self: false }); // → [2, 4, 5, 4]
   * const { values, indices } = x.scatter_reduce(0, [0, 1, 0, 1], [1, 6, 7, 6], 'amax', { return_indices: true });
   * values; // → [7, 6, 3, 4]
   * indices; // → [2n, 1n, -1n, -1n]
   */
  scatter_reduce(dim: number, index: TensorLike, src: TensorLike, reduce: Reduction, options?: ScatterReduceOptions & WithoutIndices): Tensor<D>;
  /** With an index that was checked before, or with one that has a number for each row: see {@link IndexPlan.select}. */
  scatter_reduce_(plan: IndexPlan, src: TensorLike, reduce: Reduction, options?: Pick<ScatterReduceOptions, 'include_self' | 'sum'> & WithoutIndices): this;
  // #if groups
  /** With an index that was checked before, and the positions of the winners. */
  scatter_reduce_(plan: IndexPlan, src: TensorLike, reduce: 'amax' | 'amin', options: Pick<ScatterReduceOptions, 'include_self'> & WithIndices): Winners<this>;
  /** Either, where a variable says which. */
  scatter_reduce_(plan: IndexPlan, src: TensorLike, reduce: 'amax' | 'amin', options: Pick<ScatterReduceOptions, 'include_self'> & EitherIndices): this | Winners<this>;
  /** With the positions of the winners. */
  scatter_reduce_(dim: number, index: TensorLike, src: TensorLike, reduce: 'amax' | 'amin', options: ScatterReduceOptions & WithIndices): Winners<this>;
  /** Either, where a variable says which. */
  scatter_reduce_(dim: number, index: TensorLike, src: TensorLike, reduce: 'amax' | 'amin', options: ScatterReduceOptions & EitherIndices): this | Winners<this>;
  // #end
  /**
   * {@link Tensor.scatter_reduce} in place; returns this very tensor.
   *
   * @example
   * new Tensor([3, 0]).scatter_reduce_(0, [0, 1, 0], [8, 2, 5], 'amax'); // → [8, 2]
   */
  scatter_reduce_(dim: number, index: TensorLike, src: TensorLike, reduce: Reduction, options?: ScatterReduceOptions & WithoutIndices): this;

  /** With an index that was checked before: see {@link IndexPlan}. */
  scatter_nd(plan: IndexPlan, updates: TensorLike, options?: Pick<NdOptions, 'reduce' | 'sum'>): Tensor<D>;
  /**
   * Writes `updates[…, :]` to `self[indices[…, 0], …, indices[…, K − 1], :]`, or adds, subtracts, multiplies, divides, or keeps
   * the larger or smaller, in row-major order of the tuples, into a copy; self is unchanged. K is the size of the last dimension
   * of indices; shapes are those of {@link Tensor.scatter_add} at index tuples.
   *
   * Integers are divided toward zero.
   *
   * ValueError for ranks, shapes, `reduce` and an integer divisor of 0; TypeError for dtypes, and for sub and div of bool;
   * IndexError for an index value.
   *
   * Source: ONNX, `ScatterND`.
   *
   * @example
   * const x = new Tensor([1, 2, 3, 4, 5, 6, 7, 8]);
   * x.scatter_nd([[4], [3], [1], [7]], [9, 10, 11, 12]); // → [1, 11, 3, 10, 9, 6, 7, 12]
   * x.scatter_nd([[0], [0]], [10, 5], { reduce: 'sub' }); // → [-14, 2, 3, 4, 5, 6, 7, 8]
   */
  scatter_nd(indices: TensorLike, updates: TensorLike, options?: NdOptions): Tensor<D>;
  /** With an index that was checked before: see {@link IndexPlan}. */
  scatter_nd_(plan: IndexPlan, updates: TensorLike, options?: Pick<NdOptions, 'reduce' | 'sum'>): this;
  /**
   * {@link Tensor.scatter_nd} in place; returns this very tensor.
   *
   * @example
   * new Tensor([[8, 9], [10, 11]]).scatter_nd_([[1], [1]], [[2, 1], [5, 11]], { reduce: 'div' }); // → [[8, 9], [1, 1]]
   */
  scatter_nd_(indices: TensorLike, updates: TensorLike, options?: NdOptions): this;

  /** With an index that was checked before: see {@link IndexPlan.select}. */
  index_add(plan: IndexPlan, src: TensorLike, options?: Pick<IndexAddOptions, 'alpha' | 'sum'>): Tensor<D>;
  /**
   * `self[…, index[i], …] += alpha · src[…, i, …]` along `dim`, in the order of index, into a copy; self is unchanged.
   *
   * index has one dimension; src has self's shape with the length of index along `dim`, or is a number for every entry. The product is
   * rounded or wrapped first, then each sum.
   *
   * ValueError for dim, ranks and shapes; TypeError for dtypes, and for an alpha with a fraction where self has integers;
   * IndexError for an index value.
   *
   * Source: PyTorch, `Tensor.index_add`.
   *
   * @example
   * new Tensor([[1, 2, 3], [4, 5, 6]]).index_add(1, [1, 1], [[10, 20], [30, 40]]); // → [[1, 32, 3], [4, 75, 6]]
   * new Tensor([5, 5]).index_add(0, [-1], [1], { alpha: -2 }); // → [5, 3]
   */
  index_add(dim: number, index: TensorLike, src: TensorLike, options?: IndexAddOptions): Tensor<D>;
  /** With an index that was checked before: see {@link IndexPlan.select}. */
  index_add_(plan: IndexPlan, src: TensorLike, options?: Pick<IndexAddOptions, 'alpha' | 'sum'>): this;
  /**
   * {@link Tensor.index_add} in place; returns this very tensor.
   *
   * @example
   * Tensor.ones([3]).index_add_(0, [0, 2, 0], [1, 2, 3]); // → [5, 1, 3]
   */
  index_add_(dim: number, index: TensorLike, src: TensorLike, options?: IndexAddOptions): this;
  /** With an index that was checked before: see {@link IndexPlan.select}. */
  index_copy(plan: IndexPlan, src: TensorLike): Tensor<D>;
  /**
   * `self[…, index[i], …] = src[…, i, …]` along `dim`, into a copy; the last of several slices wins. Shapes and errors are those of
   * {@link Tensor.index_add}.
   *
   * Source: PyTorch, `Tensor.index_copy`.
   *
   * @example
   * new Tensor([[1, 2], [3, 4]]).index_copy(0, [1, 1], [[7, 7], [8, 8]]); // → [[1, 2], [8, 8]]
   */
  index_copy(dim: number, index: TensorLike, src: TensorLike, options?: ModeOptions): Tensor<D>;
  /** With an index that was checked before: see {@link IndexPlan.select}. */
  index_copy_(plan: IndexPlan, src: TensorLike): this;
  /**
   * {@link Tensor.index_copy} in place; returns this very tensor.
   *
   * @example
   * Tensor.zeros([3]).index_copy_(0, [2, 0], [5, 6]); // → [6, 0, 5]
   */
  index_copy_(dim: number, index: TensorLike, src: TensorLike, options?: ModeOptions): this;
  /** With an index that was checked before: see {@link IndexPlan.select}. */
  index_fill(plan: IndexPlan, value: Scalar): Tensor<D>;
  /**
   * `self[…, index[i], …] = value` along `dim`, into a copy.
   *
   * Errors as for {@link Tensor.index_add}; RuntimeError for a value that does not fit self's dtype.
   *
   * Source: PyTorch, `Tensor.index_fill`.
   *
   * @example
   * new Tensor([[1, 2, 3], [4, 5, 6]]).index_fill(1, [0, 2], -1); // → [[-1, 2, -1], [-1, 5, -1]]
   */
  index_fill(dim: number, index: TensorLike, value: Scalar, options?: ModeOptions): Tensor<D>;
  /** With an index that was checked before: see {@link IndexPlan.select}. */
  index_fill_(plan: IndexPlan, value: Scalar): this;
  /**
   * {@link Tensor.index_fill} in place; returns this very tensor.
   *
   * @example
   * Tensor.zeros([3]).index_fill_(0, [-1], 7); // → [0, 0, 7]
   */
  index_fill_(dim: number, index: TensorLike, value: Scalar, options?: ModeOptions): this;

  /** With an index that was checked before, along a dimension or of tuples: see {@link IndexPlan}. */
  gather(plan: IndexPlan, options?: Pick<IndexOptions, 'fill_value'>): Tensor<D>;
  /**
   * `out[i…] = self[…, index[i…], …]` along `dim`; out has index's shape. index may be longer than self along `dim`, and has any integer
   * dtype, as that of every read.
   *
   * ValueError for dim, ranks and sizes; TypeError for index's dtype; IndexError for an index value.
   *
   * Source: MindSpore, `Tensor.gather`; PyTorch, `torch.gather`.
   *
   * @example
   * new Tensor([[1, 2], [3, 4]]).gather(1, [[0, 0], [1, 0]]); // → [[1, 1], [4, 3]]
   */
  gather(dim: number, index: TensorLike, options?: IndexOptions): Tensor<D>;
  /** With an index that was checked before: see {@link IndexPlan}. */
  gather_nd(plan: IndexPlan, options?: Pick<IndexOptions, 'fill_value'>): Tensor<D>;
  /**
   * `out[…, :] = self[indices[…, 0], …, indices[…, K − 1], :]`, with K the size of the last dimension of indices; out has the
   * shape `indices.shape[:-1] + self.shape[K:]`.
   *
   * With `batch_dims` b, the first b dimensions of self and indices have the same sizes and belong together, and the tuples
   * address what follows.
   *
   * ValueError for ranks and batches, TypeError for indices' dtype, IndexError for an index value.
   *
   * Source: MindSpore, `ops.gather_nd`; ONNX, `GatherND`.
   *
   * @example
   * new Tensor([[1, 2], [3, 4]]).gather_nd([[1, 0], [0, 1]]); // → [3, 2]
   * new Tensor([[1, 2], [3, 4]]).gather_nd([[1], [0]], { batch_dims: 1 }); // → [2, 3]
   */
  gather_nd(indices: TensorLike, options?: GatherNdOptions): Tensor<D>;
  /** With an index that was checked before: see {@link IndexPlan.select}. */
  index_select(plan: IndexPlan, options?: Pick<IndexOptions, 'fill_value'>): Tensor<D>;
  /**
   * `out[…, i, …] = self[…, index[i], …]` along `dim`: the slices that an index of one dimension names.
   *
   * ValueError for dim and ranks, TypeError for index's dtype, IndexError for an index value.
   *
   * Source: PyTorch, `torch.index_select`.
   *
   * @example
   * new Tensor([[1, 2, 3], [4, 5, 6]]).index_select(1, [2, 0]); // → [[3, 1], [6, 4]]
   * const picture = new Tensor([1, 1, 0], { dtype: 'uint8' });
   * new Tensor([[0, 0, 0], [255, 128, 0]]).index_select(0, picture); // → [[255, 128, 0], [255, 128, 0], [0, 0, 0]]
   */
  index_select(dim: number, index: TensorLike, options?: IndexOptions): Tensor<D>;
  /**
   * {@link Tensor.gather} where index and self broadcast against each other in all dimensions but `dim`. Without `dim` both are
   * flat, and the result has one dimension. Takes no plan.
   *
   * Source: PyTorch, `torch.take_along_dim`; NumPy, `take_along_axis`.
   *
   * @example
   * new Tensor([[10, 30, 20], [60, 40, 50]]).take_along_dim([[1], [0]], 1); // → [[30], [60]]
   * new Tensor([[10, 30, 20], [60, 40, 50]]).take_along_dim([3]); // → [60]
   */
  take_along_dim(index: TensorLike, dim?: number, options?: IndexOptions): Tensor<D>;

  /**
   * `self ⊙ other` with NumPy's broadcasting: shapes are aligned at the right, and a dimension of size 1 repeats on either
   * side. The dtypes must be equal; arrays and numbers take self's.
   *
   * @example
   * new Tensor([[1], [2]]).mul([[10, 20]]); // → [[10, 20], [20, 40]]
   */
  mul(other: TensorLike): Tensor<D>;
  /**
   * {@link Tensor.mul} in place; returns this very tensor. Only `other` is broadcast: a ValueError if the result has another shape.
   *
   * @example
   * new Tensor([1, 2, 3]).mul_(2); // → [2, 4, 6]
   */
  mul_(other: TensorLike): this;
  /**
   * `self + other`, by the rules of {@link Tensor.mul}. Integers wrap; bool is OR.
   *
   * Source: NumPy, `numpy.add`.
   *
   * @example
   * new Tensor([[1], [2]]).add([[10, 20]]); // → [[11, 21], [12, 22]]
   */
  add(other: TensorLike): Tensor<D>;
  /**
   * {@link Tensor.add} in place; returns this very tensor. Only `other` is broadcast: a ValueError if the result has another shape.
   *
   * @example
   * new Tensor([1, 2, 3]).add_(2); // → [3, 4, 5]
   */
  add_(other: TensorLike): this;
  /**
   * `self − other`, by the rules of {@link Tensor.mul}. Integers wrap; TypeError for bool.
   *
   * Source: NumPy, `numpy.subtract`.
   *
   * @example
   * new Tensor([[1], [2]]).sub([[10, 20]]); // → [[-9, -19], [-8, -18]]
   */
  sub(other: TensorLike): Tensor<D>;
  /**
   * {@link Tensor.sub} in place; returns this very tensor. Only `other` is broadcast: a ValueError if the result has another shape.
   *
   * @example
   * new Tensor([1, 2, 3]).sub_(2); // → [-1, 0, 1]
   */
  sub_(other: TensorLike): this;
  /**
   * `self / other`, by the rules of {@link Tensor.mul}. Floats follow IEEE 754: 1 / 0 is Infinity.
   *
   * Integers need `rounding`, which makes the quotient whole: without it a TypeError. An integer divisor of zero is a ValueError with its
   * position, on WebGPU at the next read, and nothing is written. The smallest integer divided by −1 is itself. TypeError for bool.
   *
   * Source: NumPy, `numpy.divide`; PyTorch, `torch.div`, for `rounding`.
   *
   * @example
   * new Tensor([1, -3]).div(2); // → [0.5, -1.5]
   * new Tensor([7, -7], { dtype: 'int32' }).div(2, { rounding: 'floor' }); // → [3, -4]
   */
  div(other: TensorLike, options?: DivOptions): Tensor<D>;
  /**
   * {@link Tensor.div} in place; returns this very tensor. Only `other` is broadcast: a ValueError if the result has another shape.
   *
   * @example
   * new Tensor([1, 2, 3]).div_(2); // → [0.5, 1, 1.5]
   */
  div_(other: TensorLike, options?: DivOptions): this;
  /**
   * The larger of both, by the rules of {@link Tensor.mul}. IEEE 754-2019: NaN wins, and −0 is below 0. bool is OR.
   *
   * Source: NumPy, `numpy.maximum`.
   *
   * @example
   * new Tensor([1, -2, NaN]).maximum(0); // → [1, 0, NaN]
   */
  maximum(other: TensorLike): Tensor<D>;
  /**
   * {@link Tensor.maximum} in place; returns this very tensor. Only `other` is broadcast: a ValueError if the result has another shape.
   *
   * @example
   * new Tensor([1, -2]).maximum_(0); // → [1, 0]
   */
  maximum_(other: TensorLike): this;
  /**
   * The smaller of both, by the rules of {@link Tensor.mul}. IEEE 754-2019: NaN wins, and −0 is below 0. bool is AND.
   *
   * Source: NumPy, `numpy.minimum`.
   *
   * @example
   * new Tensor([1, -2, NaN]).minimum(0); // → [0, -2, NaN]
   */
  minimum(other: TensorLike): Tensor<D>;
  /**
   * {@link Tensor.minimum} in place; returns this very tensor. Only `other` is broadcast: a ValueError if the result has another shape.
   *
   * @example
   * new Tensor([1, -2]).minimum_(0); // → [0, -2]
   */
  minimum_(other: TensorLike): this;

  // #if masks
  /**
   * `out[i…] = self[…] < other[…]` as bool. Either side is broadcast as in NumPy: the shapes are aligned at the right, and a size of 1 is repeated.
   *
   * Numbers are compared by their values, whatever their dtypes: int64 2^53 + 1 is greater than float64 2^53, and uint8 3 is greater than 2.5.
   * −0 equals 0. A NaN on either side is false. Numbers in plain arrays become floats of self's dtype, so that `new Tensor([0.1]).eq(0.1)` is true;
   * beside integers they keep their value. ValueError for shapes that do not broadcast, and for more than 8 dimensions.
   *
   * Source: NumPy, `numpy.less`.
   *
   * @example
   * new Tensor([1, 2, NaN]).lt(2); // → [true, false, false]
   * new Tensor([[1], [3]], { dtype: 'uint8' }).lt([2.5, 4]); // → [[true, true], [false, true]]
   */
  lt(other: TensorLike): Tensor<'bool'>;
  /**
   * `out[i…] = self[…] ≤ other[…]`, as {@link Tensor.lt}.
   *
   * Source: NumPy, `numpy.less_equal`.
   *
   * @example
   * new Tensor([1, 2, NaN]).le(1); // → [true, false, false]
   */
  le(other: TensorLike): Tensor<'bool'>;
  /**
   * `out[i…] = self[…] > other[…]`, as {@link Tensor.lt}.
   *
   * Source: NumPy, `numpy.greater`.
   *
   * @example
   * new Tensor([1, 2, NaN]).gt(1); // → [false, true, false]
   */
  gt(other: TensorLike): Tensor<'bool'>;
  /**
   * `out[i…] = self[…] ≥ other[…]`, as {@link Tensor.lt}.
   *
   * Source: NumPy, `numpy.greater_equal`.
   *
   * @example
   * new Tensor([1, 2, NaN]).ge(2); // → [false, true, false]
   */
  ge(other: TensorLike): Tensor<'bool'>;
  /**
   * `out[i…] = self[…] = other[…]`, as {@link Tensor.lt}. A NaN equals nothing.
   *
   * Source: NumPy, `numpy.equal`.
   *
   * @example
   * new Tensor([0.1, -0, NaN]).eq([0.1, 0, NaN]); // → [true, true, false]
   */
  eq(other: TensorLike): Tensor<'bool'>;
  /**
   * `out[i…] = self[…] ≠ other[…]`, as {@link Tensor.lt}, but true for a NaN on either side. `t.ne(0)` makes truth values of numbers.
   *
   * Source: NumPy, `numpy.not_equal`.
   *
   * @example
   * new Tensor([0, 2, NaN]).ne(0); // → [false, true, true]
   */
  ne(other: TensorLike): Tensor<'bool'>;
  /**
   * Whether each element is NaN; false for integers and bool.
   *
   * Source: NumPy, `numpy.isnan`.
   *
   * @example
   * new Tensor([1, NaN, Infinity]).isnan(); // → [false, true, false]
   */
  isnan(): Tensor<'bool'>;
  /**
   * Whether both truth values are true, with NumPy's broadcasting. TypeError for another dtype than bool: `t.ne(0)` makes truth values.
   *
   * Source: NumPy, `numpy.logical_and`.
   *
   * @example
   * const t = new Tensor([1, 5, 9]);
   * t.gt(2).logical_and(t.lt(9)); // → [false, true, false]
   */
  logical_and(other: TensorLike): Tensor<'bool'>;
  /**
   * Whether one of both truth values is true, as {@link Tensor.logical_and}.
   *
   * Source: NumPy, `numpy.logical_or`.
   *
   * @example
   * const t = new Tensor([1, 5, 9]);
   * t.lt(2).logical_or(t.ge(9)); // → [true, false, true]
   */
  logical_or(other: TensorLike): Tensor<'bool'>;
  /**
   * Whether each truth value is false. TypeError for another dtype than bool.
   *
   * Source: NumPy, `numpy.logical_not`.
   *
   * @example
   * new Tensor([1, NaN]).isnan().logical_not(); // → [true, false]
   */
  logical_not(): Tensor<'bool'>;
  // #end
  // #if dims
  /**
   * The sum along dimensions. `dim` is one, several, or left out for all; negative ones count from the end, and `[]` reduces nothing.
   *
   * A sum of floats is exact and rounded once: no order, device or division changes a bit of it. A sum of bool or of integers narrower than 64
   * bits is int64, that of uint8, uint16 and uint32 uint64. `dtype` chooses another: each element is converted to it first, and integers wrap
   * in it. The sum of nothing is 0.
   *
   * ValueError for a dim that self does not have or that is named twice, and for more than 8 dimensions.
   *
   * Source: NumPy, `numpy.sum`; the names are PyTorch's, `torch.sum`.
   *
   * @example
   * const t = new Tensor([[1, 2, 3], [4, 5, 9]]);
   * t.sum(); // → 24
   * t.sum(0, { keepdim: true }); // → [[5, 7, 12]]
   * new Tensor([true, false, true]).sum(); // → 2n
   * new Tensor([200, 100], { dtype: 'uint8' }).sum(0, { dtype: 'float32' }); // → 300
   */
  sum<E extends DType = SumOf<D>>(dim?: Dims, options?: SumDimsOptions<E>): Tensor<E>;
  /**
   * The product along dimensions. Arguments and dtype of the result are those of {@link Tensor.sum}: integers narrower than 64 bits are multiplied in
   * 64 bits and wrap, and `dtype` chooses another dtype. The product of nothing is 1.
   *
   * Floats are multiplied in row-major order of all reduced elements and rounded to the dtype after each step, on both devices.
   *
   * Source: NumPy, `numpy.prod`; the names are PyTorch's, `torch.prod`.
   *
   * @example
   * new Tensor([[1, 2, 3], [4, 5, 9]]).prod(1); // → [6, 180]
   * new Tensor([200, 2], { dtype: 'uint8' }).prod(); // → 400n
   */
  prod<E extends DType = SumOf<D>>(dim?: Dims, options?: SumDimsOptions<E>): Tensor<E>;
  /**
   * The mean along dimensions: the exact sum divided by the number of terms, rounded once. Arguments as for {@link Tensor.sum}. The mean of
   * nothing is NaN.
   *
   * As there, and a TypeError for integers and bool without a float `dtype`.
   *
   * Source: NumPy, `numpy.mean`; the names are PyTorch's, `torch.mean`.
   *
   * @example
   * new Tensor([[1, 2], [3, 5]]).mean(1); // → [1.5, 4]
   * new Tensor([1, 2], { dtype: 'int32' }).mean(0, { dtype: 'float32' }); // → 1.5
   */
  mean<E extends DType = D>(dim?: Dims, options?: SumDimsOptions<E>): Tensor<E>;
  /**
   * The largest element along dimensions: NaN wins, and −0 is less than 0. Arguments as for {@link Tensor.sum}.
   *
   * As there, and a ValueError where an element of the result has no terms.
   *
   * Source: PyTorch, `torch.amax`.
   *
   * @example
   * new Tensor([[1, 7], [3, 5]]).amax(0); // → [3, 7]
   */
  amax(dim?: Dims, options?: DimsOptions): Tensor<D>;
  /**
   * The smallest element along dimensions, as {@link Tensor.amax}.
   *
   * Source: PyTorch, `torch.amin`.
   *
   * @example
   * new Tensor([[1, 7], [3, 5]]).amin(); // → 1
   */
  amin(dim?: Dims, options?: DimsOptions): Tensor<D>;
  /**
   * The position of the largest element along a dimension, or without `dim` in the flat tensor: the first of equals (0 and −0 are equal), or
   * the first NaN.
   *
   * ValueError for dim, for more than 8 dimensions, and where an element of the result has no terms.
   *
   * Source: NumPy, `numpy.argmax`; the names are PyTorch's, `torch.argmax`.
   *
   * @example
   * new Tensor([[1, 7, 7], [9, 5, 0]]).argmax(1); // → [1n, 0n]
   * new Tensor([[1, 7, 7], [9, 5, 0]]).argmax(1, { dtype: 'int32' }); // → [1, 0]
   */
  argmax<P extends PositionDType = 'int64'>(dim?: number | null, options?: DimsOptions & PositionOptions<P>): Tensor<P>;
  /**
   * The position of the smallest element, as {@link Tensor.argmax}.
   *
   * Source: NumPy, `numpy.argmin`; the names are PyTorch's, `torch.argmin`.
   *
   * @example
   * new Tensor([[1, 7], [9, 0]]).argmin(); // → 3n
   */
  argmin<P extends PositionDType = 'int64'>(dim?: number | null, options?: DimsOptions & PositionOptions<P>): Tensor<P>;
  // #end
  // #if sort
  /**
   * The positions along `dim` of the elements in ascending order, so that `t.take_along_dim(t.argsort(dim), dim)` is sorted. `dim` left out is
   * the last dimension.
   *
   * The sort is stable, also with `descending`: equal elements keep their order. NaN of any sign is last in both directions, and −0 equals 0.
   * Any dtype. The positions are int64, or int32 with `{ dtype: 'int32' }`. ValueError for dim, and for more than 2^32 − 1 elements.
   *
   * Source: PyTorch, `torch.argsort` with `stable=True`; NaN as in NumPy, `numpy.argsort`.
   *
   * @example
   * new Tensor([[30, 10, 20], [5, 5, 1]]).argsort(); // → [[1n, 2n, 0n], [2n, 0n, 1n]]
   * new Tensor([2, NaN, 7]).argsort(0, { descending: true }); // → [2n, 0n, 1n]
   */
  argsort<P extends PositionDType = 'int64'>(dim?: number, options?: SortOptions & PositionOptions<P>): Tensor<P>;
  /**
   * The elements along `dim` in the order of {@link Tensor.argsort}, with the bits that they have, and their positions.
   *
   * Source: PyTorch, `torch.sort` with `stable=True`; NaN as in NumPy, `numpy.sort`.
   *
   * @example
   * const { values, indices } = new Tensor([30, 10, 20]).sort();
   * values; // → [10, 20, 30]
   * indices; // → [1n, 2n, 0n]
   */
  sort<P extends PositionDType = 'int64'>(dim?: number, options?: SortOptions & PositionOptions<P>): Sorted<D, P>;
  // #end

  /**
   * A tensor with the same values; the data is copied when one of the two is written to.
   *
   * @example
   * const t = Tensor.zeros([2]);
   * t.clone().mul_(0).scatter_(0, [1], 5); // → [0, 5]
   * t; // → [0, 0]
   */
  clone(): Tensor<D>;
  /**
   * The same values in another shape of the same size. One of the sizes may be −1: it follows from the others.
   *
   * @example
   * Tensor.arange(4).reshape([2, -1]); // → [[0, 1], [2, 3]]
   */
  reshape(shape: readonly number[]): Tensor<D>;
  /**
   * The values in another dtype. To an integer: integers wrap, fractions are cut, floats beyond the range become its
   * nearest end, NaN becomes 0. To a float: rounded to nearest, ties to even.
   *
   * @example
   * new Tensor([1.9, -1.9]).astype('int32'); // → [1, -1]
   */
  astype<To extends DType>(dtype: To): Tensor<To>;
  /**
   * A tensor with the same values on that device.
   *
   * @example
   * const here = await t.to('cpu');
   * here.device; // → 'cpu'
   */
  to(device: Device): Promise<Tensor<D>>;

  /**
   * The values in row-major order, always a copy, as they are at the call. `out` receives them without a new allocation
   * (same kind and length). As all functions that return a promise, it resolves in a later task whenever many tensors were made, so that
   * the garbage collector can free those that the program forgot.
   *
   * @example
   * await t.data(); // → [1, 2, 3, 4]
   * await t.data({ out: new Float32Array(4) }); // → [1, 2, 3, 4]
   */
  data(options?: { out?: undefined }): Promise<ArrayOf<D>>;
  /** Into your own array. Resolves to that array. */
  data<Out extends TypedArray | Float16ArrayLike>(options: { out: Out }): Promise<Out>;
  data(options?: { out?: TypedArray | Float16ArrayLike | undefined }): Promise<TypedArray>;
  /**
   * {@link Tensor.data} at once, on the CPU only. On WebGPU it throws a RuntimeError that says to await `data()`.
   *
   * @example
   * Tensor.ones([3], { device: 'cpu' }).data_sync(); // → [1, 1, 1]
   */
  data_sync(options?: { out?: undefined }): ArrayOf<D>;
  /** Into your own array, which is also the result. */
  data_sync<Out extends TypedArray | Float16ArrayLike>(options: { out: Out }): Out;
  data_sync(options?: { out?: TypedArray | Float16ArrayLike | undefined }): TypedArray;
  /**
   * Calls `callback` with the tensor's own memory, as the typed array that {@link Tensor.data} would copy it to: writes to the array
   * change the tensor, without a copy. Returns the callback's result, and throws the callback's error. Its writes stay, even if it throws
   * or returns a promise.
   *
   * On the CPU only: a RuntimeError says to move the tensor first. While the callback runs, every call of the library is a RuntimeError
   * (`'reentrant-call'`), a second `with_data` too. After it has returned, the array has no elements. So it must not be an `async`
   * function: that is a TypeError before the call. A clone or a reshape keeps its values. Write through the array and not through its
   * `buffer`, which is the whole memory of the library.
   *
   * @example
   * const t = Tensor.zeros([4], { device: 'cpu' });
   * t.with_data((view) => { for (let i = 0; i < view.length; i++) view[i] = i * i; });
   * await t.tolist(); // → [0, 1, 4, 9]
   */
  with_data<Result>(callback: (view: ArrayOf<D>) => Result): Result;
  /**
   * The values as nested arrays: numbers, bigints for 64-bit integers, booleans. TypeScript does not know how deep: `tolist<number[][]>()`
   * says it.
   *
   * @example
   * await new Tensor([[1, 2], [3, 4]]).tolist(); // → [[1, 2], [3, 4]]
   */
  tolist<Nested = NestedOf<D>>(): Promise<Nested>;
  /**
   * The value of a tensor with one element; ValueError for other tensors.
   *
   * @example
   * await new Tensor([[7]]).item(); // → 7
   */
  item(): Promise<ScalarOf<D>>;
  // #if files
  /**
   * A `.npy` file for NumPy's `load`: version 1, little-endian, C order. NumPy has no bfloat16: that is a TypeError which
   * says to use `astype('float32')`.
   *
   * @example
   * const file = new Blob([await t.to_npy()]);
   */
  to_npy(): Promise<Fresh<Uint8ArrayConstructor>>;
  /**
   * The tensor as ImageData, for `context.putImageData` or `createImageBitmap`: uint8 of the shape `[height, width, 4]` (RGBA, not
   * multiplied by alpha), `[height, width, 3]` (RGB), `[height, width, 1]` or `[height, width]` (grey); the last three are opaque. Where
   * the platform has no ImageData, as in Node, it is an object with `data`, `width`, `height` and `colorSpace`.
   *
   * `colorSpace` names the colour space of the numbers, and changes no number. Left out: that of the picture from which
   * {@link Tensor.from_image} made this very tensor, else `'srgb'`. For a new tensor computed from it, give the option. RuntimeError
   * (`engine-too-old`) for `'display-p3'` in an engine without it.
   *
   * TypeError for another dtype, ValueError for another shape.
   *
   * @example
   * const grey = new Tensor([[0, 255]], { dtype: 'uint8' });
   * (await grey.to_image()).data; // → [0, 0, 0, 255, 255, 255, 255, 255]
   */
  to_image(options?: { colorSpace?: 'srgb' | 'display-p3' | undefined }): Promise<Picture>;
  // #end
  /**
   * Compares bit for bit: any NaN equals any NaN, and −0 differs from 0. Shapes and dtypes must match too.
   *
   * @example
   * await new Tensor([0, NaN]).equals(new Tensor([0, NaN])); // → true
   * await new Tensor([0]).equals(new Tensor([-0])); // → false
   */
  equals(other: Tensor): Promise<boolean>;
  /**
   * The values in NumPy's layout. On WebGPU, and where more than 262,144 values would be shown: shape, dtype and device. Node's console
   * shows shape, dtype and device, and on the CPU the values.
   *
   * @example
   * String(new Tensor([1.5, 2, -3], { device: 'cpu' })); // → '[ 1.5  2.  -3. ]'
   */
  toString(): string;

  /**
   * The object for `JSON.stringify`: dtype, shape and the flat values, 64-bit integers as text. In JSON, NaN and infinities become null,
   * and −0 becomes 0. On the CPU only: a RuntimeError says to move the tensor first. `structuredClone` and `postMessage` refuse a tensor:
   * send its data.
   *
   * @example
   * JSON.stringify(Tensor.ones([2], { device: 'cpu' })); // → '{"dtype":"float32","shape":[2],"data":[1,1]}'
   */
  toJSON(): { dtype: D; shape: number[]; data: (number | string | boolean)[] };

  /**
   * The live `GPUBuffer` of a tensor on WebGPU: little-endian elements in row-major order, bool as bytes. Work recorded so
   * far is submitted first, so what you submit afterwards finds the values. It is a storage buffer and a source of copies,
   * for reading: a clone or a reshape may share it.
   *
   * Valid until this tensor is written to, moved or disposed of: call this again each time. The buffer may be longer than the tensor;
   * bind it with a `size` where your shader asks for the length. RuntimeError for a tensor on the CPU.
   *
   * @example
   * const resource = { buffer: t.gpu_buffer(), size: t.size * 4 };
   */
  gpu_buffer(): GpuBuffer;

  /**
   * Frees the memory now. The tensor cannot be used afterwards; disposing of it again does nothing. Without this call the garbage
   * collector frees the memory some time later, between tasks. Awaited reads, such as {@link Tensor.item}, end the task whenever many
   * tensors were made; a loop without `await` is one task, so in it nothing is freed.
   *
   * @example
   * const t = Tensor.zeros([1000, 1000]);
   * t.dispose();
   */
  dispose(): void;
  /** {@link Tensor.dispose}, at the end of the block of `using t = …`. */
  [Symbol.dispose](): void;
}

export interface Parameter<D extends DType = DType> extends Tensor<D> {}
/** The class {@link Parameter}. Its static methods make plain tensors. */
interface ParameterConstructor extends Omit<TensorConstructor, 'prototype'> {
  new <D extends DType = DType>(bytes: ArrayBufferLike | DataView, options: TensorOptions & { dtype: D }): Parameter<D>;
  /** As a {@link Tensor}'s. */
  new <D extends DType | undefined = never, Data extends TensorLike = TensorLike>(data: Data, options?: WithDType<D>): Parameter<Told<D, DTypeOf<Data>>>;
  readonly prototype: Parameter;
}
/**
 * A named tensor that operators update, such as the weights of a model. It is a Tensor in every way.
 *
 * @class
 * @example
 * const x = new Parameter([[1, 1, 1], [2, 2, 2]], { name: 'x' });
 */
export const Parameter: ParameterConstructor;

/**
 * With an index that was checked before: see {@link IndexPlan}. Tuples of one number are the rows of input_x.
 *
 * @example
 * const plan = IndexPlan.nd([2, 2], [[1], [1]]);
 * scatter_mul(Tensor.ones([2, 2]), plan, [[2, 3], [4, 5]]); // → [[1, 1], [8, 15]]
 */
export function scatter_mul<T extends Tensor>(input_x: T, plan: IndexPlan, updates: TensorLike): T;
/**
 * `input_x[indices[i…], :] *= updates[i…, :]` in place; returns input_x, which may be a plain Tensor too.
 *
 * - indices of any rank, values in −n … n − 1 with n = `input_x.shape[0]`; `updates.shape` is
 *   `indices.shape + input_x.shape[1:]`; a number multiplies every row.
 * - Row-major order of indices, rounded to input_x's dtype after each multiplication.
 * - updates of a narrower dtype are converted to input_x's before they are multiplied.
 *
 * RuntimeError where input_x would have to change its dtype; TypeError for indices' dtype and for dtypes that do not
 * convert; ValueError for shapes; IndexError for an index value.
 *
 * Source: MindSpore, `ops.scatter_mul`.
 *
 * @example
 * const x = new Parameter([[1, 1, 1], [2, 2, 2]], { name: 'x' });
 * scatter_mul(x, [0, 1], [[2, 2, 2], [2, 2, 2]]); // → [[2, 2, 2], [4, 4, 4]]
 */
export function scatter_mul<T extends Tensor>(input_x: T, indices: TensorLike, updates: TensorLike, options?: ModeOptions): T;
/** With an index that was checked before, of tuples of one number: see {@link IndexPlan}. */
export function scatter_update<T extends Tensor>(x: T, plan: IndexPlan, updates: TensorLike): T;
/**
 * `x[indices[i…], :] = updates[i…, :]` in place; returns x. If several updates name one row, the last in row-major order of indices wins.
 *
 * Shapes, order, the conversion of updates and errors are those of {@link scatter_mul}.
 *
 * Source: MindSpore, `ops.scatter_update`.
 *
 * @example
 * scatter_update(new Tensor([1, 2, 3]), [2, 0, 2], [7, 8, 9]); // → [8, 2, 9]
 */
export function scatter_update<T extends Tensor>(x: T, indices: TensorLike, updates: TensorLike, options?: ModeOptions): T;
/** With an index that was checked before, of tuples of one number: see {@link IndexPlan}. */
export function scatter_add<T extends Tensor>(x: T, plan: IndexPlan, updates: TensorLike, options?: SumOptions): T;
/**
 * `x[indices[i…], :] += updates[i…, :]` in place; returns x. {@link Tensor.scatter_add} is the method, for other slots.
 *
 * Shapes, order, the conversion of updates and errors are those of {@link scatter_mul}.
 *
 * Source: MindSpore, `ops.scatter_add`.
 *
 * @example
 * scatter_add(new Tensor([1, 2]), [1, 1], [10, 20]); // → [1, 32]
 */
export function scatter_add<T extends Tensor>(x: T, indices: TensorLike, updates: TensorLike, options?: ModeOptions & SumOptions): T;
/** With an index that was checked before, of tuples of one number: see {@link IndexPlan}. */
export function scatter_sub<T extends Tensor>(x: T, plan: IndexPlan, updates: TensorLike, options?: SumOptions): T;
/**
 * `x[indices[i…], :] -= updates[i…, :]` in place; returns x. bool has no difference: a TypeError.
 *
 * Shapes, order, the conversion of updates and errors are those of {@link scatter_mul}.
 *
 * Source: MindSpore, `ops.ScatterSub`.
 *
 * @example
 * scatter_sub(new Tensor([1, 2]), [1, 1], [10, 20]); // → [1, -28]
 */
export function scatter_sub<T extends Tensor>(x: T, indices: TensorLike, updates: TensorLike, options?: ModeOptions & SumOptions): T;
/** With an index that was checked before, of tuples of one number: see {@link IndexPlan}. */
export function scatter_div<T extends Tensor>(x: T, plan: IndexPlan, updates: TensorLike): T;
/**
 * `x[indices[i…], :] /= updates[i…, :]` in place; returns x. Integers are truncated toward zero, and an integer divisor of 0 is a
 * ValueError that names it; floats follow IEEE 754. bool has no quotient: a TypeError.
 *
 * Shapes, order, the conversion of updates and errors are those of {@link scatter_mul}.
 *
 * Source: MindSpore, `ops.scatter_div`.
 *
 * @example
 * scatter_div(new Tensor([-7, 8], { dtype: 'int32' }), [0, 1], 2); // → [-3, 4]
 * scatter_div(new Tensor([1, 2], { dtype: 'int32' }), [0, 1], [1, 0]); // throws ValueError zero-divisor argument 'updates' position [1]
 */
export function scatter_div<T extends Tensor>(x: T, indices: TensorLike, updates: TensorLike, options?: ModeOptions): T;
/** With an index that was checked before, of tuples of one number: see {@link IndexPlan}. */
export function scatter_max<T extends Tensor>(x: T, plan: IndexPlan, updates: TensorLike): T;
/**
 * `x[indices[i…], :] = max(x[indices[i…], :], updates[i…, :])` in place; returns x. NaN wins, and −0 is less than 0.
 *
 * Shapes, order, the conversion of updates and errors are those of {@link scatter_mul}.
 *
 * Source: MindSpore, `ops.scatter_max`.
 *
 * @example
 * scatter_max(new Tensor([3, 0]), [0, 1, 0], [1, 2, 8]); // → [8, 2]
 */
export function scatter_max<T extends Tensor>(x: T, indices: TensorLike, updates: TensorLike, options?: ModeOptions): T;
/** With an index that was checked before, of tuples of one number: see {@link IndexPlan}. */
export function scatter_min<T extends Tensor>(x: T, plan: IndexPlan, updates: TensorLike): T;
/**
 * `x[indices[i…], :] = min(x[indices[i…], :], updates[i…, :])` in place; returns x. NaN wins, and −0 is less than 0.
 *
 * Shapes, order, the conversion of updates and errors are those of {@link scatter_mul}.
 *
 * Source: MindSpore, `ops.scatter_min`.
 *
 * @example
 * scatter_min(new Tensor([3, 0]), [0, 1, 0], [1, 2, 8]); // → [1, 0]
 */
export function scatter_min<T extends Tensor>(x: T, indices: TensorLike, updates: TensorLike, options?: ModeOptions): T;

// #if groups
/** With the rows of the winners. */
export function segment_reduce<Data extends TensorLike>(data: Data, reduce: 'amax' | 'amin', options: SegmentOptions & WithIndices): Winners<Tensor<DTypeOf<Data>>>;
/** Either, where a variable says which. */
export function segment_reduce<Data extends TensorLike>(data: Data, reduce: 'amax' | 'amin', options: SegmentOptions & EitherIndices): Tensor<DTypeOf<Data>> | Winners<Tensor<DTypeOf<Data>>>;
// #end
// #if segments
/**
 * `out[s, :]` = the reduction of the rows of segment s: neighbours along the first dimension, in order, rounded to data's dtype
 * after each. The result has a row for each segment.
 *
 * - Offsets begin with 0, never decrease and end with the number of rows. Lengths are not negative, and their sum is the number of rows.
 *   Both have one dimension, int32 or int64, and are arrays or tensors on the CPU.
 * - A segment starts from `initial`, else from 0, 1, −∞ or ∞ (for integers the ends of the dtype). A segment without rows has this value;
 *   its mean is `initial`, else NaN, or 0 for integers.
 *
 * ValueError for `reduce`, ranks, offsets and lengths; TypeError for dtypes, and for a mean of bool; RuntimeError for an `initial`
 * that does not fit.
 *
 * Source: PyTorch, `torch.segment_reduce`.
 *
 * @example
 * segment_reduce([1, 2, 3, 4, 5], 'sum', { lengths: [2, 0, 3] }); // → [3, 0, 12]
 * segment_reduce([1, 2, 3, 4, 5], 'amax', { offsets: [0, 2, 5] }); // → [2, 5]
 * segment_reduce([4, 9, 9], 'amax', { lengths: [3], return_indices: true }).indices; // → [1n]
 */
export function segment_reduce<Data extends TensorLike>(data: Data, reduce: Reduction, options: SegmentOptions & WithoutIndices): Tensor<DTypeOf<Data>>;
// #end
// #if groups

/**
 * Softmax over the entries of src that have the same index along `dim`: `exp(src[i] − m) / Σ exp(src[j] − m)`, where m is the largest entry of
 * the group. dim is the last one if it is left out.
 *
 * - An index of one dimension lies along dim; any other has src's rank, and sizes equal to src's or 1. It is not negative.
 * - Each step is rounded in src's dtype, and the sum is exact, rounded once. float16 and bfloat16 are computed in float32. On WebGPU exp is
 *   within the bound of that activation, and float64 is refused.
 * - A group with NaN or Infinity, or of -Infinity alone, gets NaN.
 * - With `ignore_index`, an entry whose index has this value joins no group and gives 0. With `size`, any other index is below it.
 *
 * TypeError for dtypes, ValueError for dim, ranks and sizes, IndexError for an index that is negative or not below `size`, and not ignored;
 * RuntimeError without `size` for an index that was computed on WebGPU, whose largest value is not known here.
 *
 * Source: torch_scatter, `composite.scatter_softmax`.
 *
 * @example
 * scatter_softmax([3, 5, 3], [0, 2, 0]); // → [0.5, 1, 0.5]
 * scatter_softmax([3, 5, 3], [0, -1, 0], 0, { ignore_index: -1 }); // → [0.5, 0, 0.5]
 */
export function scatter_softmax<Source extends TensorLike>(src: Source, index: TensorLike, dim?: number, options?: GroupOptions): Tensor<DTypeOf<Source>>;
/** The options of {@link scatter_softmax} and {@link scatter_logsumexp}. */
export interface GroupOptions {
  /** The number of groups, which is that of the rows of a logsumexp along dim. Left out: the largest index and one more. */
  size?: number | undefined;
  /** Entries whose index has this value are skipped: they join no group, and a softmax gives 0. Left out: every entry counts. */
  ignore_index?: number | bigint | undefined;
}
/**
 * The logarithm of the sum of exponentials of each group: `m + log(Σ exp(src[j] − m))`, where m is the largest entry of the group. A group
 * without entries, or of -Infinity alone, gives -Infinity. Arguments, precision and errors are those of {@link scatter_softmax}; an index that is
 * not below `size` is an IndexError.
 *
 * Source: torch_scatter, `composite.scatter_logsumexp`.
 *
 * @example
 * scatter_logsumexp([1000, 7], [0, 2]); // → [1000, -Infinity, 7]
 * scatter_logsumexp([[1], [2]], [0, 0], 0, { size: 2 }); // ≈ [[2.313262], [-Infinity]]
 */
export function scatter_logsumexp<Source extends TensorLike>(src: Source, index: TensorLike, dim?: number, options?: GroupOptions): Tensor<DTypeOf<Source>>;
/** How to multiply by a sparse matrix: see {@link spmm}. */
export interface SpmmOptions extends ModeOptions, SumOptions {
  /** The number of rows of the result. Left out: that of the plan, or the largest row + 1. */
  size?: number | undefined;
  /** How the products of a row are combined. Left out: their sum. */
  reduce?: Exclude<Reduction, 'prod'> | undefined;
}
/**
 * The product of a sparse matrix and a dense one, which is one step over a graph: `out[rows[e], …] += values[e] * dense[columns[e], …]` for
 * each entry e, in order. No row for each entry is in memory on the CPU, but for exact sums; nor on WebGPU with a plan for `rows`, in most
 * calls.
 *
 * - `rows` and `columns` have one dimension and the same length, int32 or int64. Each may be an {@link IndexPlan.select} along dim 0, for
 *   `[size]` rows of any length: later calls then check, upload and sort nothing. `values` has one element for each entry; `undefined`: 1.
 * - `dense` has a row for each column of the matrix, and any dtype; arrays for values take it. The result has its shape, with `size` rows.
 * - Each product is rounded or wrapped, then each sum, in the order of e: the bits of `index_add` of the products to zeros. A mean is that
 *   sum divided once by the number of entries; `sum: 'exact'` makes both exact. A row without entries is 0.
 * - Entries whose row or column `mode: 'drop'` drops or `ignore_index` ignores are left out.
 *
 * TypeError for dtypes and for a mean of bool; ValueError for ranks, for lengths that differ, for a plan of another size and for `reduce`;
 * IndexError for an index value; RuntimeError if rows that were computed on WebGPU come without `size`.
 *
 * Source: `torch_sparse.spmm`; SciPy, `csr_array @ dense`.
 *
 * @example
 * const dense = new Tensor([[1, 2], [3, 4]]);
 * spmm([0, 2], [0, 1], [10, 100], dense); // → [[10, 20], [0, 0], [300, 400]]
 * spmm([0, 0], [0, 1], undefined, dense, { reduce: 'mean' }); // → [[2, 3]]
 */
export function spmm<Dense extends TensorLike>(rows: TensorLike | IndexPlan, columns: TensorLike | IndexPlan, values: TensorLike | undefined, dense: Dense, options?: SpmmOptions): Tensor<DTypeOf<Dense>>;
// #end

// #if gradients
/** The operators that {@link vjp} knows. */
export type Differentiable = Words<'DIFFERENTIABLE'>;
/** A line for each of them: the arguments behind self, and the names of the gradients. */
interface Gradients {
  scatter_: [Along<[src: TensorLike], ReduceOptions>, 'self' | 'src'];
  scatter_add: [Along<[src: TensorLike], ModeOptions & SumOptions> | AtTuples<[updates: TensorLike], ModeOptions & SumOptions>, 'self' | 'src' | 'updates'];
  scatter_reduce: [Along<[src: TensorLike, reduce: Reduction], ScatterReduceOptions>, 'self' | 'src'];
  scatter_nd: [AtTuples<[updates: TensorLike], NdOptions>, 'self' | 'updates'];
  scatter_mul: [[indices: TensorLike | IndexPlan, updates: TensorLike], 'self' | 'updates'];
  index_add: [Along<[src: TensorLike], IndexAddOptions>, 'self' | 'src'];
  gather: [Along<[], IndexOptions & SumOptions>, 'self'];
  gather_nd: [AtTuples<[], GatherNdOptions & SumOptions>, 'self'];
  index_select: [Along<[], IndexOptions & SumOptions>, 'self'];
  take_along_dim: [[index: TensorLike, dim?: number, options?: IndexOptions & SumOptions], 'self'];
  // #if segments
  segment_reduce: [[reduce: Reduction, options: SegmentOptions], 'data'];
  // #end
  // #if groups
  scatter_softmax: [[index: TensorLike, dim?: number, options?: GroupOptions], 'src'];
  scatter_logsumexp: [[index: TensorLike, dim?: number, options?: GroupOptions], 'src'];
  spmm: [[columns: TensorLike | IndexPlan, values: TensorLike | undefined, dense: TensorLike, options?: SpmmOptions], 'values' | 'dense'];
  // #end
  // #if masks
  where: [[x: TensorLike, y: TensorLike, options?: SumOptions], 'x' | 'y'];
  compress: [[x: TensorLike, options?: CompressOptions], 'x'];
  // #end
  elementwise_mul: [Aligned, 'x' | 'y'];
  elementwise_add: [Aligned, 'x' | 'y'];
  elementwise_sub: [Aligned, 'x' | 'y'];
  elementwise_div: [Aligned, 'x' | 'y'];
  elementwise_max: [Aligned, 'x' | 'y'];
  elementwise_min: [Aligned, 'x' | 'y'];
  activate: [[act: Activation], 'x'];
  mul: [[other: TensorLike, options?: SumOptions], 'x' | 'y'];
  add: [[other: TensorLike, options?: SumOptions], 'x' | 'y'];
  sub: [[other: TensorLike, options?: SumOptions], 'x' | 'y'];
  div: [[other: TensorLike, options?: DivOptions & SumOptions], 'x' | 'y'];
  maximum: [[other: TensorLike, options?: SumOptions], 'x' | 'y'];
  minimum: [[other: TensorLike, options?: SumOptions], 'x' | 'y'];
  // #if dims
  sum: [[dim?: Dims, options?: SumDimsOptions], 'self'];
  prod: [[dim?: Dims, options?: SumDimsOptions], 'self'];
  mean: [[dim?: Dims, options?: SumDimsOptions], 'self'];
  amax: [[dim?: Dims, options?: DimsOptions], 'self'];
  amin: [[dim?: Dims, options?: DimsOptions], 'self'];
  // #end
}
/** Arguments behind a dim and an index, or behind a plan, which has a mode and an `ignore_index` of its own. */
type Along<Args extends unknown[], Options> =
  | [dim: number, index: TensorLike, ...args: Args, options?: Options]
  | [plan: IndexPlan, ...args: Args, options?: Omit<Options, 'mode' | 'ignore_index'>];
/** Arguments behind index tuples, or behind a plan, which has a mode and an `ignore_index` of its own. */
type AtTuples<Args extends unknown[], Options> =
  | [indices: TensorLike, ...args: Args, options?: Options]
  | [plan: IndexPlan, ...args: Args, options?: Omit<Options, 'mode' | 'ignore_index' | 'batch_dims'>];
/** The arguments of {@link elementwise_mul} behind x, by name or by position. */
type Aligned =
  | [y: TensorLike, options?: ElementwiseOptions & SumOptions]
  | [y: TensorLike, axis?: number, act?: Activation | null, name?: string | null, options?: SumOptions];
/** The names of the gradient of what is scattered. */
type Sources = 'src' | 'updates';
/** What a scatter with these arguments scatters. */
type SourceOf<Args> = Args extends [number, unknown, infer Src, ...unknown[]] ? Src : Args extends [unknown, infer Src, ...unknown[]] ? Src : never;
/** The name of its gradient. `never` if TypeScript does not know it: for a plan of scatter_add, and for what may be a number. */
type NameOf<Name, Args extends unknown[]> =
  Extract<SourceOf<Args>, Scalar> extends never
    ? Sources extends Name ? (Args[0] extends number ? 'src' : Args[0] extends IndexPlan ? never : 'updates') : Name
    : never;
/** The gradient of what is scattered; a number has none. */
type OfSource<Name extends string, Known extends string, Src, D extends DType> =
  [Src] extends [Scalar] ? unknown : [Known] extends [never] ? Partial<Record<Name, Tensor<OwnOr<Src, D>>>> : Record<Known, Tensor<OwnOr<Src, D>>>;
/** The gradients by these names, where self has the dtype `D`. */
type GradientsOf<Name extends string, Args extends unknown[], D extends DType> =
  Record<Exclude<Name, Sources>, Tensor<D>> & OfSource<Name & Sources, NameOf<Name, Args> & Sources, SourceOf<Args>, D> extends infer All
    ? { [Each in keyof All]: All[Each] } // one list of properties, which editors show
    : never;
/**
 * The gradients of `sum(op(self, ...args) * cotangent)`: `{ self, src }` of a scatter along a dimension, `{ self, updates }` of one at
 * tuples or rows, `{ self }` of a gather and where a number is scattered, `{ x, y }` of a product. No operand is changed.
 *
 * - `args` are the operator's arguments, which may include an {@link IndexPlan}. `cotangent` has the result's shape and dtype; arrays
 *   take self's dtype.
 * - There is no tape: each gradient is computed by other calls, in a fixed order, so that CPU and WebGPU give the same bits. Some
 *   activations are exact only to some units in the last place, and their derivatives use such activations: the page gives the bounds.
 * - They are the gradients of the defined result, including duplicates. Only the last of several replacements has a gradient. The
 *   gradient of a factor is the product of the other factors, even if these are zeros or infinities. Terms that tie for a maximum or a
 *   minimum share its gradient evenly. Entries that `mode: 'drop'` drops have no gradient.
 * - `scatter_`: to src only where `src.shape` is `index.shape`; with `reduce` zeros, as its page says. Use `scatter_add` or
 *   `scatter_reduce` for the gradients of a sum or a product.
 *
 * TypeError for operands that have no floating-point dtype and for the dtype of `cotangent`, ValueError for its shape and for an
 * unknown operator, and the errors of the operator.
 * Gradients of gathers and products are sums; `{ sum: 'exact' }` in the last options, or after all arguments, makes these exact.
 *
 * @example
 * vjp('gather', [1, 10, 100], [5, 6, 7], 0, [2, 0, 2]).self; // → [10, 0, 101]
 * const { self, src } = vjp('scatter_reduce', [1, 1], [2, 3], 0, [0, 0], [5, 7], 'prod');
 * self; // → [35, 1]
 * src; // → [14, 10]
 */
export function vjp<Op extends Exclude<Differentiable, 'spmm' | 'where' | 'compress'>, Self extends TensorLike, Args extends Gradients[Op][0]>(
  op: Op,
  cotangent: TensorLike,
  self: Self,
  ...args: Args
): Op extends 'scatter_softmax' | 'scatter_logsumexp' ? { src: Tensor<DTypeOf<Self>> } : GradientsOf<Gradients[Op][1], Args, DTypeOf<Self>>;
// #if masks
/** Of {@link where}, whose first argument is a mask: the gradients have the dtype of the cotangent. */
export function vjp<X extends TensorLike, Y extends TensorLike>(
  op: 'where',
  cotangent: TensorLike,
  mask: TensorLike,
  x: X,
  y: Y,
  options?: SumOptions,
): X extends Tensor ? { x: Tensor<DTypeOf<X>>; y: Tensor<DTypeOf<X>> } : { x: Tensor; y: Tensor };
/** Of {@link compress}, at once. */
export function vjp<X extends TensorLike>(op: 'compress', cotangent: TensorLike, mask: TensorLike, x: X, options?: CompressOptions): { x: Tensor<DTypeOf<X>> };
// #end
// #if group_by
/** Of `groups.reduce(values, how, options)`: {@link Groups}. Rows and NaN that are left out get 0. TypeError for a statistic without a gradient. */
export function vjp<X extends TensorLike>(
  op: 'group_reduce',
  cotangent: TensorLike,
  values: X,
  groups: Groups,
  how: 'sum' | 'mean' | 'min' | 'max' | 'var' | 'std' | 'first' | 'last',
  options?: { skip_nan?: boolean | undefined; ddof?: number | undefined; empty?: Scalar | undefined; dtype?: Float | undefined },
): { values: Tensor<DTypeOf<X>> };
// #end
// #if groups
/** Of {@link spmm}, whose first argument is an index: the gradients have the dtype of `dense`. */
export function vjp<Values extends TensorLike | undefined, Dense extends TensorLike>(
  op: 'spmm',
  cotangent: TensorLike,
  rows: TensorLike | IndexPlan,
  columns: TensorLike | IndexPlan,
  values: Values,
  dense: Dense,
  options?: SpmmOptions,
): Values extends undefined ? { dense: Tensor<DTypeOf<Dense>> } : { values: Tensor<DTypeOf<Dense>>; dense: Tensor<DTypeOf<Dense>> };
// #end
// #end

// #if exact
/**
 * Exact sums in parts: chunks, workers and machines add their terms in any order, and the result has the bits of one call. Each slot, an
 * element of `shape`, keeps the exact sum of its terms and their count. Reading rounds the sum once. The sums live on
 * one device, and count in {@link memory} like a tensor.
 *
 * @example
 * const sums = new ExactSum([2]);
 * sums.add(0, [0, 0, 1], [1e8, 1, 5]).add(0, [0], [-1e8]);
 * sums.sum(); // → [1, 5]
 * sums.count(); // → [3n, 1n]
 */
export class ExactSum<D extends Float = 'float32'> {
  /**
   * New sums without terms, on the default device of new tensors if `device` is left out. TypeError for a dtype that is no float;
   * RuntimeError for `'webgpu'` if no GPU runs.
   *
   * @example
   * new ExactSum([2, 3], { dtype: 'float64' }).shape; // → [2, 3]
   */
  constructor(shape: readonly number[], options?: { dtype?: D | undefined; device?: Device | undefined });
  /** The shape of the sums. */
  readonly shape: number[];
  /** The dtype of the terms and of the rounded sums. */
  readonly dtype: D;
  /** Where the sums are. */
  readonly device: Device;
  /** With an index that was checked before. */
  add(plan: IndexPlan, src: TensorLike): this;
  /** At index tuples. */
  add(indices: TensorLike, updates: TensorLike, options?: ModeOptions): this;
  /**
   * Adds src at the slots of index along a dimension, by the rules and with the errors of {@link Tensor.scatter_add}; returns this. A
   * call that fails adds nothing. Plain arrays become the dtype of the sums; a typed array or tensor of another one is a TypeError. Sums of
   * the shape [] have one slot, 0 along dim 0.
   *
   * @example
   * new ExactSum([2]).add(0, [0, 1, 0], [1, 2, 3]).sum(); // → [4, 2]
   * new ExactSum([]).add(0, 0, 1e8).add(0, [0, 0], [1, -1e8]).sum(); // → 1
   */
  add(dim: number, index: TensorLike, src: TensorLike, options?: ModeOptions): this;
  /**
   * Adds the terms of other sums; returns this. TypeError for another dtype, ValueError for another shape, RuntimeError for
   * another device.
   *
   * @example
   * const other = new ExactSum([1]).add(0, [0], [2]);
   * new ExactSum([1]).add(0, [0], [1]).merge(other).sum(); // → [3]
   */
  merge(other: ExactSum<D>): this;
  /**
   * The sums as bytes; equal sums give equal bytes. `docs/EXACT_SUM.md` in the repository specifies them, for other programs.
   *
   * @example
   * const sums = new ExactSum([1]).add(0, [0], [7]);
   * ExactSum.from_bytes(await sums.to_bytes()).sum(); // → [7]
   */
  to_bytes(): Promise<Uint8Array>;
  /**
   * The sums from the bytes of {@link ExactSum.to_bytes}, on the default device if `device` is left out; a ValueError for other bytes.
   *
   * @example
   * const bytes = await new ExactSum([2]).add(0, [1], [7]).to_bytes();
   * ExactSum.from_bytes(bytes).count(); // → [0n, 1n]
   */
  static from_bytes(bytes: Uint8Array | ArrayBufferLike, options?: { device?: Device | undefined }): ExactSum<any>;
  /**
   * The sums, rounded once; +0 for a slot without terms.
   *
   * @example
   * new ExactSum([1]).add(0, [0, 0, 0], [1e8, 1, -1e8]).sum(); // → [1]
   */
  sum(): Tensor<D>;
  /**
   * The sums divided by the counts, rounded once; NaN for a slot without terms.
   *
   * @example
   * new ExactSum([1]).add(0, [0, 0], [1, 2]).mean(); // → [1.5]
   */
  mean(): Tensor<D>;
  /**
   * The number of terms of each slot.
   *
   * @example
   * new ExactSum([2]).add(0, [1, 1], [5, 5]).count(); // → [0n, 2n]
   */
  count(): Tensor<'int64'>;
  /**
   * Frees the memory now. Other methods throw afterwards; a second time does nothing.
   *
   * @example
   * const sums = new ExactSum([1000]);
   * sums.dispose();
   */
  dispose(): void;
  /** {@link ExactSum.dispose}, at the end of the block of `using sums = …`. */
  [Symbol.dispose](): void;
}
// #end

/**
 * An index that is checked once and used for many calls on tensors of one shape: it says *where*, the operator says
 * *what*. Every operator that takes an index, but for `take_along_dim`, takes a plan in place of its dim and index, or of its
 * indices, and gives the bits of the same call without a plan. So does `trace`.
 *
 * A plan made from arrays or from a tensor on the CPU serves both devices; the positions are uploaded once. A plan made from a tensor on
 * WebGPU serves WebGPU, and after `await plan.ready()` both. Later changes of the index tensor do not matter.
 *
 * A call throws as it would without a plan. If self has another shape than the plan's, it throws `shape-mismatch`, in the operator's
 * class.
 *
 * @example
 * const bins = IndexPlan.along([256], 0, new Uint8Array([0, 255, 255]));
 * const counts = Tensor.zeros([256]);
 * for (let frame = 0; frame < 60; frame++) counts.scatter_add_(bins, 1);
 * bins.dispose();
 */
export class IndexPlan {
  private constructor();
  /**
   * For operators along `dim`, on tensors of `shape`: `self[…, index[i…], …]`.
   *
   * `dim` in −r … r − 1; index int32 or int64, of rank r from 1 to 8, values in −s … s − 1 for the size s along `dim`;
   * `index.shape[d] ≤ shape[d]` for d ≠ dim. Along `dim` it may be longer, which `scatter_` then refuses.
   *
   * ValueError for dim, ranks and sizes, TypeError for index's dtype; IndexError for an index value, unless only WebGPU
   * knows it: then each call checks it there, until {@link IndexPlan.ready}.
   *
   * @example
   * const plan = IndexPlan.along([2, 3], 1, [[2], [0]]);
   * new Tensor([[1, 2, 3], [4, 5, 6]]).gather(plan); // → [[3], [4]]
   */
  static along(shape: readonly number[], dim: number, index: TensorLike, options?: ModeOptions): IndexPlan;
  /**
   * For index tuples into tensors of `shape`: `self[indices[…, 0], …, indices[…, K − 1], :]`, with K the size of the last
   * dimension of indices, K ≤ r. Sources have the shape `indices.shape[:-1] + shape[K:]`.
   *
   * Errors as for {@link IndexPlan.along}.
   *
   * @example
   * const plan = IndexPlan.nd([3, 2], [[2], [0]]);
   * Tensor.zeros([3, 2]).scatter_(plan, [[1, 2], [3, 4]]); // → [[3, 4], [0, 0], [1, 2]]
   */
  static nd(shape: readonly number[], indices: TensorLike, options?: ModeOptions): IndexPlan;
  /**
   * For slices along `dim` of tensors of `shape`, named by an index of one dimension: `self[…, index[i], …]`. `index_select`,
   * `index_add`, `index_copy` and `index_fill` take one in place of their dim and index.
   *
   * Errors as for {@link IndexPlan.along}.
   *
   * @example
   * const plan = IndexPlan.select([2, 3], 1, [2, 0]);
   * new Tensor([[1, 2, 3], [4, 5, 6]]).index_select(plan); // → [[3, 1], [6, 4]]
   */
  static select(shape: readonly number[], dim: number, index: TensorLike, options?: ModeOptions): IndexPlan;
  /** The shape of the tensors that the plan is for. */
  readonly shape: number[];
  /**
   * How many updates a call applies: index entries, or tuples; for slices, entries times the sizes before the dimension. A slice along
   * the first dimension is one update.
   */
  readonly updates: number;
  /**
   * A description in one line.
   *
   * @example
   * String(IndexPlan.along([3], 0, [2, 0])); // → 'IndexPlan(shape=[3], updates=2)'
   */
  toString(): string;
  /**
   * The object for `JSON.stringify`.
   *
   * @example
   * JSON.stringify(IndexPlan.along([3], 0, [2, 0])); // → '{"shape":[3],"updates":2}'
   */
  toJSON(): { shape: number[]; updates: number };
  /**
   * Whether two entries name the same destination, so that their order can matter. Computed at the first read. RuntimeError
   * (`wrong-device`) while only WebGPU knows the index: `await plan.ready()` first.
   */
  readonly has_duplicates: boolean;
  /**
   * The number of updates of each slot: an int32 tensor on the CPU, a new one at each read. Its shape is the plan's for
   * {@link IndexPlan.along}, `[shape[dim]]` for {@link IndexPlan.select}, and `shape[:K]` for {@link IndexPlan.nd}. Dropped entries are not
   * counted. RuntimeError (`wrong-device`) as for {@link IndexPlan.has_duplicates}.
   */
  readonly counts: Tensor<'int32'>;
  /**
   * Resolves when every index value is known and checked here. At once, unless the index is on WebGPU: then its values are
   * read back, once. Rejects with the IndexError for a bad one.
   *
   * @example
   * const plan = IndexPlan.along([3], 0, new Tensor([0, 2, 0], { dtype: 'int32' }));
   * await plan.ready();
   * plan.has_duplicates; // → true
   */
  ready(): Promise<void>;
  /**
   * Frees the memory now, on both devices. The plan cannot be used afterwards; disposing of it again does nothing.
   *
   * @example
   * const plan = IndexPlan.along([3], 0, [0, 2]);
   * plan.dispose();
   */
  dispose(): void;
  /** {@link IndexPlan.dispose}, at the end of the block of `using plan = …`. */
  [Symbol.dispose](): void;
}

/** The names that `act` takes, each with Paddle's default attributes. */
export type Activation = Words<'ACTIVATIONS'>;
/** How to combine two tensors: see {@link elementwise_mul} and its siblings. */
export interface ElementwiseOptions {
  /** The dimension of x that the first dimension of y belongs to. −1, the default, aligns the last dimensions. */
  axis?: number | undefined;
  /** The activation of each result; left out or null: none. */
  act?: Activation | null | undefined;
  /** The name of the result. */
  name?: string | null | undefined;
}
export function elementwise_mul<X extends TensorLike>(x: X, y: TensorLike, axis?: number, act?: Activation | null, name?: string | null): Tensor<DTypeOf<X>>;
/**
 * `act(x ⊙ y)`, with y aligned to x from `axis`: Paddle's rule.
 *
 * The shape of y, without trailing 1s, must be a run of x's dimensions that begins at `axis`. The result has x's shape and
 * lod. The dtypes must be equal; arrays and numbers take x's.
 *
 * ValueError for shapes, `axis` and an unknown `act`; TypeError for dtypes.
 *
 * Source: Paddle 1.8, `fluid.layers.elementwise_mul`.
 *
 * @example
 * const x = Tensor.ones([2, 3, 4, 5]);
 * elementwise_mul(x, Tensor.arange(12).reshape([3, 4]), { axis: 1, act: 'relu' });
 * elementwise_mul([[1, 2], [3, 4]], [10, -1], { axis: 0, act: 'relu' }); // → [[10, 20], [0, 0]]
 */
export function elementwise_mul<X extends TensorLike>(x: X, y: TensorLike, options?: ElementwiseOptions): Tensor<DTypeOf<X>>;
export function elementwise_add<X extends TensorLike>(x: X, y: TensorLike, axis?: number, act?: Activation | null, name?: string | null): Tensor<DTypeOf<X>>;
/**
 * `act(x + y)`, by the rules of {@link elementwise_mul}. bool is OR.
 *
 * Source: Paddle 1.8, `fluid.layers.elementwise_add`.
 *
 * @example
 * elementwise_add([[1, 2], [3, 4]], [10, 2], { axis: 0 }); // → [[11, 12], [5, 6]]
 */
export function elementwise_add<X extends TensorLike>(x: X, y: TensorLike, options?: ElementwiseOptions): Tensor<DTypeOf<X>>;
export function elementwise_sub<X extends TensorLike>(x: X, y: TensorLike, axis?: number, act?: Activation | null, name?: string | null): Tensor<DTypeOf<X>>;
/**
 * `act(x − y)`, by the rules of {@link elementwise_mul}. TypeError for bool.
 *
 * Source: Paddle 1.8, `fluid.layers.elementwise_sub`.
 *
 * @example
 * elementwise_sub([[1, 2], [3, 4]], [10, 2], { axis: 0, act: 'relu' }); // → [[0, 0], [1, 2]]
 */
export function elementwise_sub<X extends TensorLike>(x: X, y: TensorLike, options?: ElementwiseOptions): Tensor<DTypeOf<X>>;
export function elementwise_div<X extends TensorLike>(x: X, y: TensorLike, axis?: number, act?: Activation | null, name?: string | null): Tensor<DTypeOf<X>>;
/**
 * `act(x / y)`, by the rules of {@link elementwise_mul}. Quotients of integers are truncated; a zero among integer
 * divisors is a ValueError with its position, on WebGPU at the next read. TypeError for bool.
 *
 * Source: Paddle 1.8, `fluid.layers.elementwise_div`.
 *
 * @example
 * elementwise_div([[1, 2], [3, 4]], [10, 2], { axis: 0 }); // → [[0.1, 0.2], [1.5, 2]]
 */
export function elementwise_div<X extends TensorLike>(x: X, y: TensorLike, options?: ElementwiseOptions): Tensor<DTypeOf<X>>;
export function elementwise_max<X extends TensorLike>(x: X, y: TensorLike, axis?: number, act?: Activation | null, name?: string | null): Tensor<DTypeOf<X>>;
/**
 * `act(max(x, y))`, by the rules of {@link elementwise_mul}. NaN wins, and −0 is below 0.
 *
 * Source: Paddle 1.8, `fluid.layers.elementwise_max`.
 *
 * @example
 * elementwise_max([[1, 2], [3, 4]], [10, 2], { axis: 0 }); // → [[10, 10], [3, 4]]
 */
export function elementwise_max<X extends TensorLike>(x: X, y: TensorLike, options?: ElementwiseOptions): Tensor<DTypeOf<X>>;
export function elementwise_min<X extends TensorLike>(x: X, y: TensorLike, axis?: number, act?: Activation | null, name?: string | null): Tensor<DTypeOf<X>>;
/**
 * `act(min(x, y))`, by the rules of {@link elementwise_mul}. NaN wins, and −0 is below 0.
 *
 * Source: Paddle 1.8, `fluid.layers.elementwise_min`.
 *
 * @example
 * elementwise_min([[1, 2], [3, 4]], [10, 2], { axis: 0 }); // → [[1, 2], [2, 2]]
 */
export function elementwise_min<X extends TensorLike>(x: X, y: TensorLike, options?: ElementwiseOptions): Tensor<DTypeOf<X>>;
/**
 * `act(x)`: an activation alone, which is what `elementwise_mul(x, 1, { act })` computes. The result has x's shape and lod.
 *
 * ValueError for an unknown `act`; TypeError if it does not take x's dtype. WebGPU refuses some activations of float64.
 *
 * Source: Paddle 1.8, the activations of `fluid.layers`.
 *
 * @example
 * activate([-1, 0.5, 2], 'relu'); // → [0, 0.5, 2]
 */
export function activate<X extends TensorLike>(x: X, act: Activation): Tensor<DTypeOf<X>>;

// #if masks
/**
 * x where the mask is true, else y, moved bit for bit. All three are broadcast as in NumPy. The mask is bool. x and y have one dtype, or one of them
 * is a plain value or array, which takes the dtype of the other.
 *
 * TypeError for another mask (`t.ne(0)` makes one), for two dtypes, for two plain values, and for a fraction among integers. ValueError for shapes that
 * do not broadcast.
 *
 * Source: NumPy, `numpy.where`.
 *
 * @example
 * const t = new Tensor([1, NaN, 3]);
 * where(t.isnan(), 0, t); // → [1, 0, 3]
 * where([[true], [false]], t, [7, 8, 9]); // → [[1, NaN, 3], [7, 8, 9]]
 */
export function where<X extends TensorLike, Y extends TensorLike>(mask: TensorLike, x: X, y: Y): Tensor;
/**
 * The positions of the elements that are not 0, in the flat tensor, ascending; a NaN is not 0. Any dtype; a mask has the positions of its true elements.
 * Positions are int64, or int32 with `{ dtype: 'int32' }`.
 *
 * With `size` exactly so many: cut, or filled up with `fill`. Then it is no promise, and nothing is read back from a GPU. Without it the length of the
 * result depends on the values; on WebGPU the promise waits for a read of one number.
 *
 * ValueError for more than 2^31 − 1 elements, a negative size, and a `fill` without a size.
 *
 * Source: NumPy, `numpy.flatnonzero`; `size` is that of JAX, `jax.numpy.flatnonzero`.
 *
 * @example
 * flatnonzero([[0, 5], [7, 0]], { size: 3 }); // → [1n, 2n, -1n]
 * await flatnonzero([0, NaN, 3], { dtype: 'int32' }); // → [1, 2]
 */
export function flatnonzero<P extends PositionDType = 'int64'>(x: TensorLike, options: PositionOptions<P> & { size: number; fill?: number | undefined }): Tensor<P>;
export function flatnonzero<P extends PositionDType = 'int64'>(x: TensorLike, options?: PositionOptions<P>): Promise<Tensor<P>>;
/**
 * {@link flatnonzero} at once, on the CPU. RuntimeError (`wrong-device`) for a tensor on a GPU.
 *
 * @example
 * flatnonzero_sync(new Tensor([3, 1, 2], { device: 'cpu' }).gt(1)); // → [0n, 2n]
 */
export function flatnonzero_sync<P extends PositionDType = 'int64'>(x: TensorLike, options?: PositionOptions<P>): Tensor<P>;
/** Along which dimension {@link compress} selects. */
export interface CompressOptions {
  /** The dimension. Left out: 0. */
  dim?: number | undefined;
}
/** Tensors of the dtypes of others. */
type Compressed<X extends readonly Tensor[]> = { -readonly [K in keyof X]: Tensor<DTypeOf<X[K]>> };
/**
 * The slices of x along `dim` where the mask is true, in their order, bit for bit. The mask is bool, of one dimension as long as `dim`. An array of tensors
 * is selected from by one mask, whose positions are found once. A promise, because the length of the result depends on the mask; on WebGPU it
 * waits for a read of one number. x is taken as it is at the call.
 *
 * TypeError for another mask (`t.ne(0)` makes one); ValueError for a mask of another length. Of several tensors all are checked first.
 *
 * Source: NumPy, `numpy.compress`.
 *
 * @example
 * await compress([true, false, true], [[1, 2], [3, 4], [5, 6]]); // → [[1, 2], [5, 6]]
 * const [price, amount] = [new Tensor([3, 12, 7]), new Tensor([1, 2, 5])];
 * const [dear, many] = await compress(price.gt(5), [price, amount]);
 * dear; // → [12, 7]
 * many; // → [2, 5]
 */
export function compress<const X extends readonly Tensor[]>(mask: TensorLike, x: X, options?: CompressOptions): Promise<Compressed<X>>;
export function compress<X extends TensorLike>(mask: TensorLike, x: X, options?: CompressOptions): Promise<Tensor<DTypeOf<X>>>;
/**
 * {@link compress} at once, on the CPU. RuntimeError (`wrong-device`) for a tensor on a GPU.
 *
 * @example
 * const t = new Tensor([3, 12, 7], { device: 'cpu' });
 * compress_sync(t.gt(5), t); // → [12, 7]
 */
export function compress_sync<const X extends readonly Tensor[]>(mask: TensorLike, x: X, options?: CompressOptions): Compressed<X>;
export function compress_sync<X extends TensorLike>(mask: TensorLike, x: X, options?: CompressOptions): Tensor<DTypeOf<X>>;
// #end

// #if sort
/** The distinct elements of a tensor: see {@link unique}. */
export interface Unique<D extends DType = DType, P extends PositionDType = 'int64'> {
  /** The distinct elements, in ascending order. */
  values: Tensor<D>;
  /** The first place of each in the flat tensor. */
  index: Tensor<P>;
  /** For each element of the tensor the position of its value in `values`; in the tensor's shape. */
  inverse: Tensor<P>;
  /** How often each occurs. */
  counts: Tensor<P>;
}
/**
 * The distinct elements of x in ascending order, and where they are: `values[inverse[i]]` equals `x[i]`. A promise, because the length of the
 * result depends on the values; on WebGPU it waits for a read of one number.
 *
 * All NaN are one value, at the end, and −0 and 0 are one. `values[k]` has the bits of its first element, x[index[k]]. Any dtype; x is read as
 * a flat tensor. index, inverse and counts are int64, or int32 with `{ dtype: 'int32' }`. ValueError for more than 2^32 − 1 elements.
 *
 * Source: NumPy, `numpy.unique`.
 *
 * @example
 * const { values, inverse, counts } = await unique([3, 1, 3, 2, 1]);
 * values; // → [1, 2, 3]
 * inverse; // → [2n, 0n, 2n, 1n, 0n]
 * counts; // → [2n, 1n, 2n]
 */
export function unique<X extends TensorLike, P extends PositionDType = 'int64'>(x: X, options?: PositionOptions<P>): Promise<Unique<DTypeOf<X>, P>>;
/**
 * {@link unique} at once, on the CPU. RuntimeError (`wrong-device`) for a tensor on a GPU.
 *
 * @example
 * const x = new Tensor([3, 1, 3, 2, 1], { device: 'cpu' });
 * const { values, counts } = unique_sync(x, { dtype: 'int32' });
 * values; // → [1, 2, 3]
 * counts; // → [2, 1, 2]
 */
export function unique_sync<X extends TensorLike, P extends PositionDType = 'int64'>(x: X, options?: PositionOptions<P>): Unique<DTypeOf<X>, P>;

/** How to search: see {@link searchsorted}. */
export interface SearchOptions {
  /** Whether an element goes behind equal edges. Left out: before them. */
  right?: boolean | undefined;
}
/**
 * Where each element of x belongs in a row of sorted edges: how many edges are less than it, or with `right` not greater. The result has x's
 * shape.
 *
 * Numbers of different dtypes are compared by their values. NaN is behind everything and equal to NaN, and −0 equals 0. Numbers in plain arrays
 * become floats of the other operand's dtype, else float64.
 *
 * The result is int64, or int32 with `{ dtype: 'int32' }`. ValueError for edges that are no row, and for edges that are not sorted, with the position. For edges on WebGPU this error comes with the next
 * read.
 *
 * Source: NumPy, `numpy.searchsorted`.
 *
 * @example
 * searchsorted([1, 2, 2, 5], [0, 2, 9]); // → [0n, 1n, 4n]
 * searchsorted([1, 2, 2, 5], [0, 2, 9], { right: true }); // → [0n, 3n, 4n]
 */
export function searchsorted<P extends PositionDType = 'int64'>(edges: TensorLike, x: TensorLike, options?: SearchOptions & PositionOptions<P>): Tensor<P>;
// #end

/** The options that {@link bincount}, {@link histogram} and {@link histogramdd} share. */
export interface CountOptions<Weights extends TensorLike | undefined = TensorLike | undefined, Out extends CountDType | undefined = CountDType | undefined> extends SumOptions {
  /** The weights, a number for each sample. Left out: 1 is added for each. */
  weights?: Weights;
  /** For each sample whether it counts, as bool. Everything is as if the others were not there: ranges, lengths and errors too. */
  mask?: TensorLike | undefined;
  /** The dtype of the result: counts are converted to it; weights are converted to it and then summed in it. */
  dtype?: Out;
}
/** The dtypes of counts. */
export type CountDType = Exclude<DType, 'bool'>;
/** Options of {@link bincount}. */
export interface BincountOptions<Weights extends TensorLike | undefined = TensorLike | undefined, Out extends CountDType | undefined = CountDType | undefined> extends CountOptions<Weights, Out> {
  /** The least length of the result; left out: 0. */
  minlength?: number | undefined;
  /** The length of the result. Larger values are skipped, and on WebGPU no value needs to be known. */
  length?: number | undefined;
  /** The dimension along which values are counted. The other dimensions stay, in front of the counts. Left out: x has rank 1. */
  dim?: number | undefined;
  /** Elements of this value are skipped, as a mask skips them. Left out: every element counts. */
  ignore_index?: number | bigint | undefined;
}
/**
 * Counts each integer: `out[x[i]] += 1` for every i, or `+= weights[i]`, in order. The result is as long as the largest value needs.
 *
 * - x has any integer dtype, no negative values, and rank 1 unless `dim` is given.
 * - The counts are int64. Weights of float32 give float32, all others float64; weights and mask have x's shape.
 *
 * ValueError for a negative value, with its position, and for shapes; TypeError for x of another dtype. On WebGPU the largest value must
 * be known unless `length` is given: it is for an x that was uploaded, without mask and ignore_index. Else it is a RuntimeError.
 *
 * Source: NumPy, `numpy.bincount`; the dtype of weighted sums is PyTorch's.
 *
 * @example
 * bincount([3, 1, 3, 0]); // → [1n, 1n, 0n, 2n]
 * bincount([0, 1, 1], { weights: [0.5, 1, 2], minlength: 3 }); // → [0.5, 3, 0]
 * bincount([1, -1, 1], { ignore_index: -1 }); // → [0n, 2n]
 * bincount([[0, 1, 1], [2, 2, 9]], { dim: 1, length: 3, dtype: 'int32' }); // → [[1, 2, 0], [0, 0, 2]]
 */
export function bincount<Weights extends TensorLike | undefined = never, Out extends CountDType | undefined = never>(
  x: TensorLike,
  options?: BincountOptions<Weights, Out>,
): Tensor<Told<Out, Summed<Weights, 'int64', { [Name in DType]: Name extends 'float32' ? Name : 'float64' }>>>;

// #if group_by
/** A statistic of the values in a group: see {@link Groups.reduce}. */
export type GroupStatistic = Words<'GROUP_STATISTICS'>;

/** The dtype of a statistic of values of a dtype. */
type StatisticDType<How, D extends DType> = How extends 'count' | 'nunique' | 'argmin' | 'argmax'
  ? 'int32'
  : How extends 'sum'
    ? SumOf<D>
    : How extends 'mean' | 'var' | 'std' | 'median'
      ? D extends Float
        ? D
        : 'float64'
      : D;

/** How a statistic of groups is computed. */
export interface GroupStatisticOptions {
  /** Leaves NaN out, of each element of a row on its own. */
  skip_nan?: boolean | undefined;
  /** By how many the divisor of `var` and `std` is less than the number of values: 1 if left out. */
  ddof?: number | undefined;
  /** What `min`, `max`, `mode`, `first` and `last` are for a group without values. */
  empty?: Scalar | undefined;
  /** Converts the values first. The sum has this dtype. */
  dtype?: DType | undefined;
}

/**
 * Groups rows by their codes: row i is in group `codes[i]`, one of 0 … size - 1. Groups that nobody has are there too. The codes are integers of
 * any dtype, in one dimension; plain numbers become int32. Rows with the code `ignore_index`, and those for which `mask` is false, are left out, and
 * their codes are not checked. It checks and counts once, and serves any number of calls. Nothing is read back from a GPU.
 *
 * TypeError for codes of bool or floats and for a mask that is not bool; ValueError for codes of another rank, a negative size, and a
 * mask of another length; IndexError, with its position, for a code that is no group, on a GPU at the next read.
 *
 * @example
 * const groups = group_by([2, 0, 2, 2, 0], 3);
 * groups.counts; // → [2, 0, 3]
 * groups.reduce(new Tensor([1, 2, 3, 4, 6]), 'mean', { skip_nan: true }); // → [4, NaN, 2.6666667]
 */
export function group_by(
  codes: TensorLike,
  size: number,
  options?: { ignore_index?: number | bigint | undefined; mask?: TensorLike | undefined },
): Groups;

/**
 * Rows in groups, from {@link group_by}. They count in {@link memory} like a tensor, and a scope frees them. `counts`, `offsets` and `order`
 * belong to them and go with them.
 *
 * @example
 * const groups = group_by([2, 0, 2, 2, 0], 3);
 * groups.counts; // → [2, 0, 3]
 */
export class Groups {
  private constructor();
  /** How many groups there are. */
  readonly size: number;
  /** How many rows there are, with those that are left out. */
  readonly rows: number;
  /** Where the groups are. Values are there too; those on the CPU are brought to a GPU. */
  readonly device: Device;
  /** The rows of each group that are not left out. */
  readonly counts: Tensor<'int32'>;
  /**
   * Where each group begins in `order`, and at last where the last one ends: `[size + 1]`.
   *
   * @example
   * group_by([2, 0, 2, 2, 0], 3).offsets; // → [0, 2, 2, 5]
   */
  readonly offsets: Tensor<'int32'>;
  /**
   * The rows of group 0, then of 1, and so on, each in ascending order, then those that are left out. Made when it is first asked for.
   *
   * @example
   * group_by([2, 0, 2, 2, 0], 3).order; // → [1, 4, 0, 2, 3]
   */
  readonly order: Tensor<'int32'>;
  /**
   * A copy of the rows of one group, for groups on the CPU. IndexError for a group that does not exist.
   *
   * @example
   * const codes = new Tensor([2, 0, 2, 2, 0], { dtype: 'int32', device: 'cpu' });
   * group_by(codes, 3).members_sync(2); // → [0, 2, 3]
   */
  members_sync(group: number): Fresh<Int32ArrayConstructor>;
  /**
   * One number for each group and each element of a row: values has `rows` rows, and the result the shape `[size, ...values.shape.slice(1)]`.
   *
   * - `count`: how many there are, int32.
   * - `sum`, `mean`: exact and rounded once. Integers and bool are added in 64 bits, which wrap, as in {@link Tensor.sum}; their mean, var, std and median are float64.
   * - `min`, `max`: NaN wins, and -0 < 0, as in {@link Tensor.amin}.
   * - `var`: in float64, with the exact mean, each deviation and its square rounded, and their exact sum divided by the count less `ddof`.
   * - `std`: the root of `var`, in float64 and rounded once more to the dtype.
   * - `median`: quantile 0.5, see {@link Groups.quantile}.
   * - `mode`: the most frequent value, the smallest of several. `nunique`: how many distinct values there are, int32. -0 is 0, and NaN one value.
   * - `first`, `last`: in the order of the rows.
   * - `argmin`, `argmax`: the row, int32: the first of equals, or the first NaN.
   *
   * A group without values has the sum, count and nunique 0, the row -1, and else NaN. `min`, `max`, `mode`, `first` and `last` of integers have no NaN: a
   * ValueError with the group, on a GPU at the next read, unless `empty` says what they are.
   *
   * @example
   * const groups = group_by([1, 0, 1], 2);
   * groups.reduce(new Tensor([[1, 8], [2, 9], [3, 4]]), 'sum'); // → [[2, 9], [4, 12]]
   * groups.reduce(new Tensor([5, NaN, 3]), 'min', { skip_nan: true, empty: 0 }); // → [0, 3]
   */
  reduce<const How extends GroupStatistic, To extends DType>(
    values: TensorLike,
    how: How,
    options: GroupStatisticOptions & { dtype: To },
  ): Tensor<How extends 'sum' ? To : StatisticDType<How, To>>;
  /** Of the dtype of the values. */
  reduce<Values extends TensorLike, const How extends GroupStatistic>(values: Values, how: How, options?: GroupStatisticOptions): Tensor<StatisticDType<How, DTypeOf<Values>>>;
  /** The rows of each group. */
  reduce(how: 'count'): Tensor<'int32'>;
  /**
   * Several statistics at once, by their names.
   *
   * @example
   * const { sum, max } = group_by([1, 0, 1], 2).agg(new Tensor([5, 6, 7]), ['sum', 'max']);
   * sum; // → [6, 12]
   * max; // → [6, 7]
   */
  agg<const How extends readonly GroupStatistic[]>(values: TensorLike, how: How, options?: GroupStatisticOptions): { [Name in How[number]]: Tensor };
  /**
   * Quantiles of each group: of q from 0 to 1 the place `h = q * (n - 1)` among the n values in order, and between two values a and b
   * `a + (b - a) * (h - floor(h))`, each step in float64, rounded once to the dtype of the values (float64 for integers and bool). A NaN makes them NaN unless `skip_nan`
   * leaves it out. The result has the shape `[q.length, size, ...values.shape.slice(1)]`, without the first of these for one q.
   *
   * @example
   * const groups = group_by([0, 0, 1, 0], 2);
   * groups.quantile(new Tensor([1, 2, 9, 4]), [0.5, 0.75]); // → [[2, 9], [3, 9]]
   */
  quantile<Values extends TensorLike>(
    values: Values,
    q: number | readonly number[],
    options?: { skip_nan?: boolean | undefined },
  ): Tensor<StatisticDType<'median', DTypeOf<Values>>>;
  /**
   * For each row how many rows of its group come before it; -1 for rows that are left out.
   *
   * @example
   * group_by([2, 0, 2, 2, 0], 3).cumcount(); // → [0, 0, 1, 2, 1]
   */
  cumcount(): Tensor<'int32'>;
  /**
   * Frees the groups now, and the tensors that belong to them. Other methods throw afterwards; a second time does nothing.
   *
   * @example
   * const groups = group_by([0, 1], 2);
   * groups.dispose();
   */
  dispose(): void;
  /** {@link Groups.dispose}, at the end of the block of `using groups = …`. */
  [Symbol.dispose](): void;
}
// #end

// #if histograms
/** Options of {@link histogram}. */
export interface HistogramOptions<
  Bins extends TensorLike | undefined = TensorLike | undefined,
  Weights extends TensorLike | undefined = TensorLike | undefined,
  Density extends boolean | undefined = boolean | undefined,
  Out extends CountDType | undefined = CountDType | undefined,
> extends CountOptions<Weights, Out> {
  /** The number of bins of equal width, or the edges of the bins; left out: 10. Edges may be on WebGPU if x is. */
  bins?: Bins;
  /** The range of bins of equal width; left out: from the smallest value to the largest. */
  range?: readonly [number, number] | undefined;
  /** The dimension along which values are counted. The other dimensions stay, in front of the bins; all have the same bins. */
  dim?: number | undefined;
  /** Whether each count is divided by the width of its bin and by the sum of all; left out: false. */
  density?: Density;
}
/**
 * Counts the values of x into bins, as NumPy does: v is in bin i if `edges[i] <= v < edges[i + 1]`, the last bin includes its upper edge.
 * Values outside, and NaN, are not counted.
 *
 * - Edge i of equal bins is `low + i * ((high - low) / n)`. Edges have x's dtype where that is a float, else float64. Edges from a tensor
 *   or a typed array are returned unchanged. Among equal edges the last one counts.
 * - Counts are int64, weighted sums have the weights' dtype and are added in row-major order, densities are float64, if no dtype is given.
 * - Weights and mask have x's shape. A mask that keeps no value gives the range 0 to 1.
 *
 * TypeError for x of dtype bool. ValueError for a range that is not finite or decreases, for one with fewer numbers than edges, for NaN
 * or infinities in x without a range, for edges that decrease, and for shapes. For x on WebGPU, errors about a range computed from its
 * values come with the next read.
 *
 * Source: NumPy, `numpy.histogram`.
 *
 * @example
 * const { hist, edges } = histogram([0, 0.5, 1, 2, 9], { bins: 2, range: [0, 2] });
 * hist; // → [2n, 2n]
 * edges; // → [0, 1, 2]
 * histogram([1, 2, 1], { bins: [0, 1, 2, 3] }).hist; // → [0n, 2n, 1n]
 */
export function histogram<
  X extends TensorLike,
  Bins extends TensorLike | undefined = never,
  Weights extends TensorLike | undefined = never,
  Density extends boolean | undefined = never,
  Out extends CountDType | undefined = never,
>(
  x: X,
  options?: HistogramOptions<Bins, Weights, Density, Out>,
): { hist: Tensor<Told<Out, Dense<Density, Summed<Weights, 'int64'>>>>; edges: Tensor<OwnOr<Bins, FloatOf<X>>> };

/** The ranges of the bins of each column: see {@link HistogramddOptions}. */
type Ranges = readonly (readonly [number, number] | null | undefined)[];
/** Options of {@link histogramdd}. */
export interface HistogramddOptions<
  Bins extends TensorLike = TensorLike,
  Range extends Ranges | undefined = Ranges | undefined,
  Weights extends TensorLike | undefined = TensorLike | undefined,
  Out extends CountDType | undefined = CountDType | undefined,
> extends CountOptions<Weights, Out> {
  /** The number of bins of equal width for every column, or an entry for each column: their number, or their edges. Left out: 10. */
  bins?: number | readonly Bins[] | undefined;
  /** The range of the bins of each column; null or undefined: from the smallest value to the largest. */
  range?: Range;
}
/**
 * Counts the rows of sample, `[n, d]`, into bins of d dimensions; a row is counted where each of its numbers is in a bin, by the rule
 * of {@link histogram}. The counts have the shape `[bins of column 0, bins of column 1, …]`; there are 1 to 8 columns.
 *
 * - Counts are float64, weighted sums have the weights' dtype, if no dtype is given. Weights and mask have an element for each row.
 * - If a range is given, its edges are float64, whatever dtype the sample has.
 *
 * Errors are those of {@link histogram}.
 *
 * Source: NumPy, `numpy.histogramdd`.
 *
 * @example
 * const points = [[0.1, 0.2], [0.9, 0.1], [0.8, 0.1]];
 * const { hist, edges } = histogramdd(points, { bins: 2, range: [[0, 1], [0, 1]] });
 * hist; // → [[1, 0], [2, 0]]
 * edges[0]; // → [0, 0.5, 1]
 */
export function histogramdd<
  X extends TensorLike,
  Bins extends TensorLike = never,
  Range extends Ranges | undefined = never,
  Weights extends TensorLike | undefined = never,
  Out extends CountDType | undefined = never,
>(
  sample: X,
  options?: HistogramddOptions<Bins, Range, Weights, Out>,
): { hist: Tensor<Told<Out, Summed<Weights, 'float64'>>>; edges: Tensor<OwnOr<Bins, FloatOf<X>> | ([Range] extends [never] ? never : 'float64')>[] };

/** Options of {@link bin_codes}. */
export interface BinCodesOptions<Bins extends TensorLike = TensorLike, Range extends Ranges | undefined = Ranges | undefined> {
  /** The number of bins of equal width for every column, or an entry for each column: their number, or their edges. Left out: 10. */
  bins?: number | readonly Bins[] | undefined;
  /** The range of the bins of each column; null or undefined: from the smallest value to the largest. */
  range?: Range;
}
/**
 * The bin of each row of sample, `[n, d]` or `[n]`, as one int32 code: bins are numbered in row-major order, from 0 to size − 1. A row with a number
 * outside of all bins, or NaN, has −1. The bins are those of {@link histogramdd}, and so are the edges. `group_by(codes, size, { ignore_index: -1 })` groups
 * rows by their bins.
 *
 * Errors are those of {@link histogram}; ValueError for more than 2^28 − 1 bins.
 *
 * Source: SciPy, the `binnumber` of `scipy.stats.binned_statistic_dd`, without its border bins.
 *
 * @example
 * const points = [[0.1, 0.2], [0.9, 0.1], [0.8, 3]];
 * const { codes, size } = bin_codes(points, { bins: 2, range: [[0, 1], [0, 1]] });
 * codes; // → [0, 2, -1]
 * size; // → 4
 */
export function bin_codes<X extends TensorLike, Bins extends TensorLike = never, Range extends Ranges | undefined = never>(
  sample: X,
  options?: BinCodesOptions<Bins, Range>,
): { codes: Tensor<'int32'>; edges: Tensor<OwnOr<Bins, FloatOf<X>> | ([Range] extends [never] ? never : 'float64')>[]; size: number };

/** A statistic of the values in a bin. */
export type Statistic = Words<'STATISTICS'>;
/** Options of {@link binned_statistic}. */
export interface BinnedOptions<Bins extends TensorLike = TensorLike, Range extends Ranges | undefined = Ranges | undefined> {
  /**
   * The number of bins of equal width for every column, or an entry for each column: their number, or their edges. A tensor or a typed array
   * holds the edges of the one column. Left out: 10.
   */
  bins?: number | readonly Bins[] | Bins | undefined;
  /** The range of the bins of each column; null or undefined: from the smallest value to the largest. */
  range?: Range;
  /** For each sample whether it counts, as bool: see {@link CountOptions}. */
  mask?: TensorLike | undefined;
}
/**
 * A statistic of the values in each bin. The bins are those of {@link histogramdd}; a sample of rank 1 is one column.
 *
 * - values is `[n]`, a value for each sample; or `[k, n]`, and the result has k such statistics in front. A count needs none: null.
 * - A count is float64, the others have the dtype of the values. Sums and means of floats are exact, rounded once: no order and no device
 *   changes a bit. Sums of integers wrap. NaN wins a minimum and a maximum, and −0 < +0.
 * - In a bin without values a count and a sum are 0, the others NaN.
 *
 * TypeError for the mean, minimum or maximum of integers: use `values.astype('float64')`. ValueError for another length of values or mask. The
 * other errors are those of {@link histogramdd}.
 *
 * Source: SciPy, `scipy.stats.binned_statistic_dd`.
 *
 * @example
 * const { statistic, edges } = binned_statistic([0.1, 0.2, 2.5], [1, 2, 5], 'mean', { bins: 3, range: [[0, 3]] });
 * statistic; // → [1.5, NaN, 5]
 * edges[0]; // → [0, 1, 2, 3]
 */
export function binned_statistic<X extends TensorLike, Bins extends TensorLike = never, Range extends Ranges | undefined = never>(
  sample: X,
  values: TensorLike | null,
  statistic: 'count',
  options?: BinnedOptions<Bins, Range>,
): { statistic: Tensor<'float64'>; edges: Tensor<OwnOr<Bins, FloatOf<X>> | ([Range] extends [never] ? never : 'float64')>[] };
export function binned_statistic<X extends TensorLike, Values extends TensorLike, Which extends Statistic, Bins extends TensorLike = never, Range extends Ranges | undefined = never>(
  sample: X,
  values: Values,
  statistic: Which,
  options?: BinnedOptions<Bins, Range>,
): { statistic: Tensor<DTypeOf<Values> | ('count' extends Which ? 'float64' : never)>; edges: Tensor<OwnOr<Bins, FloatOf<X>> | ([Range] extends [never] ? never : 'float64')>[] };
// #end

// #if trace
/** One write of a scatter. */
export interface Step {
  /** Position in the order in which updates are applied. */
  k: number;
  /** Coordinates of the index entry. */
  index: number[];
  /** Coordinates in src or updates; null for a number. */
  source: number[] | null;
  /** Coordinates written in self. */
  destination: number[];
  /** The value in self before the write. */
  before: Scalar;
  /** The update. */
  operand: Scalar;
  /** The value in self after the write. */
  after: Scalar;
}
/** One read of a gather, as {@link trace} reports it. */
export interface Read {
  /** Position in the row-major order of the result. */
  k: number;
  /** Coordinates of the index entry; for a tuple, without the position in it. */
  index: number[];
  /** Coordinates read in self. */
  source: number[];
  /** Coordinates in the result. */
  destination: number[];
  /** The value. */
  value: Scalar;
}
/**
 * Runs the named operator on a copy of self, in the order and with the arithmetic of every call, and reports each write. The
 * arguments are those of the operator; tensors among them, and self, must be on the CPU. Up to 10,000 writes.
 *
 * @example
 * const x = new Tensor([1, 10], { device: 'cpu' });
 * trace('scatter_mul', x, [1, 1], [2, 3]).steps.map(({ before, after }) => [before, after]); // → [[10, 20], [20, 60]]
 */
export function trace(op: Words<'SCATTERS'>, self: Tensor, ...args: unknown[]): { steps: Step[]; result: Tensor };
/**
 * The same for a gather: each element that it reads, in row-major order of the result. Up to 10,000 reads.
 *
 * @example
 * const t = new Tensor([[1, 2], [3, 4]], { device: 'cpu' });
 * trace('gather', t, 1, [[1], [0]]).steps[0]; // → { k: 0, index: [0, 0], source: [0, 1], destination: [0, 0], value: 2 }
 */
export function trace(op: Words<'GATHERS'>, self: Tensor, ...args: unknown[]): { steps: Read[]; result: Tensor };
// #end

/** The facts of every error of this library. */
export interface ErrorFacts {
  /** Stable, kebab-case: `'index-out-of-range'`, `'shape-mismatch'`, `'unknown-reduce'`, … */
  code: string;
  /** The operator: `'Tensor.scatter_'`. */
  op: string;
  /** The argument at fault. */
  argument?: string;
  /** The dimension at fault. */
  dim?: number;
  /** Coordinates in the argument. */
  position?: number[];
  /** The value at fault. */
  value?: number | string | boolean;
  /** The smallest and the largest allowed number, or the allowed words. */
  allowed?: [number, number] | string[];
  /** The shapes that do not fit, by argument. */
  shapes?: Record<string, number[]>;
}
/**
 * An argument of the right kind with an unusable value. Wrong kinds are native TypeErrors, with the same facts.
 *
 * @example
 * Tensor.ones([1]).scatter_(0, [0], 1, { reduce: 'sum' }); // throws ValueError unknown-reduce
 */
export class ValueError extends Error {
  /** {@link ErrorFacts.code} */
  readonly code: string;
  /** {@link ErrorFacts.op} */
  readonly op: string;
}
export interface ValueError extends ErrorFacts {}
/**
 * Any other error.
 *
 * @example
 * Tensor.ones([1]).scatter_(1, [0], 1); // throws RuntimeError dim-out-of-range
 */
export class RuntimeError extends Error {
  /** {@link ErrorFacts.code} */
  readonly code: string;
  /** {@link ErrorFacts.op} */
  readonly op: string;
}
export interface RuntimeError extends ErrorFacts {}
/**
 * An index outside its range; a RuntimeError, as on the reference page.
 *
 * @example
 * Tensor.ones([2]).gather(0, [5]); // throws IndexError index-out-of-range argument 'index' position [0] value 5 allowed [-2, 1]
 */
export class IndexError extends RuntimeError {}
