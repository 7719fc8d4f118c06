import type { BackendInfo, Device } from './index.js';

/** How to verify: see {@link verify}. */
export interface VerifyOptions {
  /** What is compared with the CPU. Left out: WebGPU, software adapters included. `'cpu'` compares recorded results only. */
  device?: Device | undefined;
  /** After how long no further call begins: 10. Recorded calls come first; one group of each kind is made in any case. */
  seconds?: number | undefined;
  /** What the random calls are drawn from, 0 to 2^31 - 1; a report names it, so that a run can be repeated. Left out: another one each time. */
  seed?: number | undefined;
  /** Gets the number of calls that are done, several times a second. Where it returns false, the run ends, and the report covers the calls so far. */
  on_progress?: ((done: number, of: number) => void | boolean) | undefined;
}

/** What came of calls on one device. */
export interface VerifyCounts {
  /** How many were made. */
  of: number;
  /** Whose result had the right bits, or that both devices refused with the same error. */
  same: number;
  /** Whose result had others, or that failed. */
  different: number;
  /** That the device refused because it does not have them. */
  not_supported: number;
}

/** A call that went wrong. */
export interface VerifyFailure {
  /** `'recorded'`: other bits than were recorded; `'random'`: other bits than the CPU's. */
  kind: 'recorded' | 'random';
  /** The name of the recorded call, or the seed and the number of the random one. */
  id: string;
  /** The call in a line. */
  call: string;
  /** Where it ran. */
  device: Device;
  /** Of the result. */
  dtype?: string;
  /** Which result it was, of a call that has several. */
  result?: number;
  /** Coordinates of the first element that differs. */
  position?: number[];
  /** The bits of that element, as a hexadecimal number. */
  got?: string;
  /** What they should be. */
  expected?: string;
  /** How many elements differ. */
  differing?: number;
  /** The error, where only one of the two devices threw it. */
  error?: { name: string; code: string | null; message: string; from: string };
}

/** What {@link verify} found. Plain data: `JSON.stringify` takes it. */
export interface VerifyReport {
  /** Of this interface. */
  format: 1;
  /**
   * `'same'`: every result had the right bits. `'different'`: one did not. `'no-answer'`: the adapter did not answer in time.
   * `'not-compared'`: no other device than the CPU was there to be compared.
   */
  outcome: 'same' | 'different' | 'no-answer' | 'not-compared';
  /** The same in words. */
  verdict: string;
  /** Of the package. */
  version: string;
  /** When it ended, in ISO 8601. */
  date: string;
  /** What was compared: `'cpu'` where there was nothing else. */
  device: Device;
  /** Why the CPU was the only device; else null. */
  reason: string | null;
  /** Of the random calls. */
  seed: number;
  /** What `seconds` was. */
  seconds_allowed: number;
  /** How long it took. */
  seconds: number;
  /** Whether every recorded call ran. */
  complete: boolean;
  /** Whether the device answered in time. */
  answered: boolean;
  /** Recorded calls beside what was recorded, by device. */
  recorded: { cpu: VerifyCounts; webgpu?: VerifyCounts };
  /** Random calls on the device beside the same on the CPU; null where there is only the CPU. */
  random: VerifyCounts | null;
  /** The first 20 that went wrong. */
  failures: VerifyFailure[];
  /** What the device does not have: operator and dtype, the code of the error, how many calls. */
  not_supported: { call: string; code: string; count: number }[];
  /** The adapter, its limits and its arithmetic. */
  backend: BackendInfo;
  /** What ran it. */
  platform: { runtime: string; user_agent: string; system: string; cores: number | null };
}

/**
 * Makes some 190 recorded calls and up to 600 random ones on a device and on the CPU, and compares their bits. Starts the library where
 * it has not started, and starts WebGPU where it can; new tensors go to the device that they went to before, and all that
 * it makes is freed. What `on_progress` throws, it rejects with.
 *
 * Where there is no WebGPU, the report says so, and has the recorded calls on the CPU. It rejects for options of a wrong kind, and where
 * the library cannot start; whatever a call does is a part of the report.
 *
 * It works on the library of `scatterwise`. That of `scatterwise/inline` or `scatterwise/cpu` is another one.
 *
 * @example
 * import { verify } from 'scatterwise/verify';
 * const { outcome, verdict, failures } = await verify({ seconds: 2 });
 * console.log(verdict);
 */
export function verify(options?: VerifyOptions): Promise<VerifyReport>;
