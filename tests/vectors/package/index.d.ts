/** The dtypes of the vectors. */
export type DType = 'bool' | 'int8' | 'uint8' | 'int16' | 'uint16' | 'int32' | 'uint32' | 'int64' | 'uint64' | 'float16' | 'bfloat16' | 'float32' | 'float64';

/**
 * A tensor as data: its elements in row-major order. `data` is a Uint8Array of 0 and 1 for bool, a Uint16Array of bits for float16 and
 * bfloat16, a BigInt64Array or BigUint64Array for 64-bit integers, and else the typed array of the dtype.
 */
export interface Value {
  dtype: DType;
  shape: number[];
  data: ArrayLike<number> | ArrayLike<bigint>;
}

/**
 * An argument: a `Value`, a number, bigint, boolean or string, or a list of these. It has no narrower type, because only the operator says
 * which, and in a call that has to be refused it may be anything.
 */
export type Operand = any;

/** One call. `op` names the operator, `args` are in the order of its parameters; README.md has a table of both. */
export interface Call {
  id: string;
  op: string;
  /** A tensor, except in a few calls that have to be refused, and null in calls of `ExactSum`. */
  self: Value;
  args: Record<string, Operand>;
  options: Record<string, Operand>;
}

/** One result, or several: a list, or by their names. */
export type Result = Value | Value[] | Record<string, Value | Value[]>;

/** A library, as the runner sees it. */
export interface Adapter {
  name: string;
  version?: string;
  /** 'cpu', 'wasm', 'webgpu', 'threads': which of its backends this is. */
  device?: string;
  /**
   * Makes a call. Returns its result; or a text, or nothing, where the library does not offer the call. An error that it throws is a refusal
   * of the library. Hand `watch` a function that reads self: the runner calls it after the call, also after a refused one.
   */
  call(call: Call, watch: (readSelf: () => Value | undefined | Promise<Value | undefined>) => void): Result | string | undefined | Promise<Result | string | undefined>;
}

/** `kept`: as the vector says. `refused`: an error where there is a result. `differs`: other bits, or no error where there should be one. */
export type Outcome = 'kept' | 'differs' | 'refused' | 'not offered';

/** Which vectors: one choice or several of each kind; all given kinds have to fit. `id` is the beginning of ids, or a pattern. */
export interface Only {
  promise?: string | string[];
  op?: string | string[];
  file?: string | string[];
  dtype?: DType | DType[];
  id?: string | string[] | RegExp;
  required?: boolean;
}

export interface Verdict {
  outcome: Outcome;
  got?: string;
  expected?: string;
  why?: string;
  /** The message of the error that kept the vector. It should be your library's. */
  error?: string;
  /** Which of several results that are accepted: 'once', 'after each step', 'also accepted'. */
  as?: string;
  /** Whether only the sign of a zero differs. */
  sign?: boolean;
  /** Whether self changed in a call that is not in place. A promise about the result does not count that. */
  changed?: boolean;
}

export interface Report {
  /** The version of the vectors. */
  vectors: string;
  adapter: { name: string; version?: string; device?: string };
  counts: Record<Outcome, number>;
  /** By promise: the counts, and the ids of those that differ, the smallest call first. */
  promises: Record<string, Record<Outcome, number> & { differing: string[] }>;
  results: ({ id: string; op: string; file: string; size: number; required: boolean; promises: Record<string, Verdict> } & Verdict)[];
}

export interface Vector {
  id: string;
  op: string;
  file: string;
  tags: string[];
  required: boolean;
  promises: string[];
  [field: string]: unknown;
}

export function run(adapter: Adapter, options?: { only?: Only; repeats?: number; beside?: Adapter; vectors?: Vector[]; onResult?(result: Report['results'][number]): void }): Promise<Report>;
export function load(only?: Only): Promise<Vector[]>;

/** What a promise means, whose word it is, and the ids of its vectors. */
export interface NamedPromise {
  title: string;
  definition: string;
  source: string;
  ours?: string;
  onnx: string;
  onnx_url: string;
  stablehlo: string;
  stablehlo_url: string;
  judge: 'expect' | 'again' | 'beside';
  vectors: string[];
}
export interface Index {
  version: string;
  files: Record<string, { about: string; count: number; oracles: Record<string, string> }>;
  operators: Record<string, { files: string[]; vectors: number }>;
  promises: Record<string, NamedPromise>;
}
export function readIndex(): Promise<Index>;

/** The elements as plain numbers; bigints for 64-bit integers. */
export function numbersOf(value: Value): (number | bigint)[];
/**
 * A value of plain numbers, bigints or booleans. Throws an `Unfit` for one that the dtype does not have: a fraction or a number out of range of an
 * integer dtype, or one between the floats of a float dtype. With `round`, a float dtype takes the float nearest to each.
 */
export function fromNumbers(dtype: DType, shape: ArrayLike<number>, numbers: Iterable<number | bigint | boolean> | ArrayLike<number | bigint | boolean>, options?: { round?: boolean }): Value;
/** What a dtype does not have. The runner counts it as a result that differs; every other error of an adapter is a refusal of its library. */
export class Unfit extends RangeError {}
/** The array of the elements of each dtype; bits for the half types. */
export const ARRAYS: Record<DType, { new (buffer: ArrayBuffer): ArrayLike<number> | ArrayLike<bigint> }>;
/** A recorded tensor, which has `data` in base64 or `gen`, as a value. */
export function valueOf(tensor: object): Value;
/** A value or a recorded tensor as text. */
export function shown(value: object): string;
