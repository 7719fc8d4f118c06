import type { BackendInfo, Device } from './index.js';

/** How to verify: see {@link verify}. */
export interface VerifyOptions {
  /** The device to compare with the CPU. Left out: WebGPU, software adapters included. `'cpu'` compares recorded results only. */
  device?: Device | undefined;
  /** The time after which no further call begins; left out: 10. Recorded calls come first, and one group of each kind always runs. */
  seconds?: number | undefined;
  /** The seed of the random calls, 0 to 2^31 - 1. A report names it, so that you can repeat a run. Left out: a new one each time. */
  seed?: number | undefined;
  /**
   * Gets the number of finished calls, several times a second. If it returns false, the run ends, and the report covers the calls so far.
   */
  on_progress?: ((done: number, of: number) => void | boolean) | undefined;
}

/** The counts of calls on one device. */
export interface VerifyCounts {
  /** The calls that were made. */
  of: number;
  /** The calls with the right bits, or that both devices refused with the same error. */
  same: number;
  /** The calls with other bits, or that failed. */
  different: number;
  /** The calls that the device does not support. */
  not_supported: number;
}

/** A call that went wrong. */
export interface VerifyFailure {
  /** `'recorded'`: the bits differ from the recorded ones; `'random'`: they differ from the CPU's. */
  kind: 'recorded' | 'random';
  /** The name of the recorded call, or the seed and the number of the random one. */
  id: string;
  /** The call in a line. */
  call: string;
  /** Where it ran. */
  device: Device;
  /** The dtype of the result. */
  dtype?: string;
  /** The number of the result, if the call has several. */
  result?: number;
  /** Coordinates of the first element that differs. */
  position?: number[];
  /** The bits of that element, as a hexadecimal number. */
  got?: string;
  /** What they should be. */
  expected?: string;
  /** The number of elements that differ. */
  differing?: number;
  /** The error, if only one of the two devices threw it. */
  error?: { name: string; code: string | null; message: string; from: string };
}

/** The findings of {@link verify}. Plain data: `JSON.stringify` takes it. */
export interface VerifyReport {
  /** The version of this interface. */
  format: 1;
  /**
   * `'same'`: every result had the right bits. `'different'`: one did not. `'no-answer'`: the adapter did not answer in time.
   * `'not-compared'`: the CPU was the only device.
   */
  outcome: 'same' | 'different' | 'no-answer' | 'not-compared';
  /** The same in words. */
  verdict: string;
  /** The version of the package. */
  version: string;
  /** The end of the run, in ISO 8601. */
  date: string;
  /** The compared device; `'cpu'` if there was no other. */
  device: Device;
  /** Why the CPU was the only device; else null. */
  reason: string | null;
  /** The seed of the random calls. */
  seed: number;
  /** The value of `seconds`. */
  seconds_allowed: number;
  /** The duration of the run, in seconds. */
  seconds: number;
  /** Whether every recorded call ran. */
  complete: boolean;
  /** Whether the device answered in time. */
  answered: boolean;
  /** Counts of recorded calls compared with the recorded results, by device. */
  recorded: { cpu: VerifyCounts; webgpu?: VerifyCounts };
  /** Counts of random calls on the device compared with the CPU; null if there is only the CPU. */
  random: VerifyCounts | null;
  /** The first 20 failures. */
  failures: VerifyFailure[];
  /** The calls that the device does not support: operator and dtype, the code of the error, and the number of calls. */
  not_supported: { call: string; code: string; count: number }[];
  /** The adapter, its limits and its arithmetic. */
  backend: BackendInfo;
  /** The system of the run. */
  platform: { runtime: string; user_agent: string; system: string; cores: number | null };
}

/**
 * Makes some 190 recorded calls and up to 600 random ones on a device and on the CPU, and compares their bits. Starts the library, and
 * WebGPU if possible. Afterwards new tensors go to the same device as before, and all tensors of the run are freed. If `on_progress`
 * throws, it rejects with that error.
 *
 * Without WebGPU, the report says so, and has the recorded calls on the CPU. It rejects for options of a wrong kind, and if the library
 * cannot start; any error of a call is a part of the report.
 *
 * It works on the library of `scatterwise`, not on that of `scatterwise/inline` or `scatterwise/cpu`.
 *
 * @example
 * import { verify } from 'scatterwise/verify';
 * const { outcome, verdict, failures } = await verify({ seconds: 2 });
 * console.log(verdict);
 */
export function verify(options?: VerifyOptions): Promise<VerifyReport>;
