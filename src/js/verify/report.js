// The verdict of a run in words, and the system that it ran on. verify.d.ts describes a report.

/** A number with its word: `1 call`, `2 calls`. */
const plural = (count, word) => `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;

/**
 * The outcome of a report as a word for programs, and the verdict as sentences for people: `{ outcome, verdict }`. `cases` is the number
 * of recorded calls.
 */
export function verdict({ device, reason, recorded, random, complete, answered, failures, backend }, cases) {
  const all = [...Object.values(recorded), ...(random ? [random] : [])];
  const sum = (key, list = all) => list.reduce((total, counts) => total + counts[key], 0);
  const ofDevice = [recorded.webgpu, random].filter(Boolean); // the counts of the device that is compared with the CPU
  const compared = sum('same', ofDevice) + sum('different', ofDevice);
  const different = sum('different');
  const lacking = sum('not_supported', ofDevice);
  // These sentences follow every outcome.
  const rest = [
    lacking > 0 && `${plural(lacking, 'call')} that this device does not have ${lacking === 1 ? 'was' : 'were'} refused with an error that says so.`,
    !complete && answered && `It ended before all ${cases} recorded calls had run.`,
  ].filter(Boolean).join(' ');
  const told = (outcome, sentence) => ({ outcome, verdict: [sentence, rest].filter(Boolean).join(' ') });
  if (different > 0) {
    const [{ call, position = [], got, expected, error }] = failures;
    const first = error ? `${call}: ${error.message}` : `${call} at [${position}] has ${got} instead of ${expected}`;
    return told('different', `${different} of ${plural(sum('same') + different, 'comparison')} failed. The first: ${first}.`);
  }
  if (!answered) {
    const [name, results] = device === 'cpu' ? ['The CPU', recorded.cpu.same] : ['The adapter', compared];
    return told('no-answer', `${name} did not answer in time. What it had answered before, ${plural(results, 'result')}, had the right bits.`);
  }
  if (device === 'cpu' || compared === 0) {
    const why = device === 'cpu' ? reason : 'it ended before';
    return told('not-compared', `Nothing was compared with another device: ${why}. ${plural(recorded.cpu.same, 'recorded result')} had the right bits on the CPU.`);
  }
  return told('same', `All ${plural(compared, 'result')} of ${adapterName(backend)} had the CPU's bits.`);
}

function adapterName({ webgpu }) {
  return webgpu ? [webgpu.vendor, webgpu.architecture, webgpu.description].filter(Boolean).join(' ') || 'this adapter' : 'this adapter';
}

/** The system: the property `platform` of a report. */
export function platform() {
  const { navigator, process } = globalThis;
  const isNode = process?.versions?.node !== undefined;
  return {
    runtime: isNode ? `Node.js ${process.versions.node}` : 'browser',
    user_agent: navigator?.userAgent ?? '',
    system: isNode ? `${process.platform} ${process.arch}` : (navigator?.userAgentData?.platform ?? navigator?.platform ?? ''),
    cores: navigator?.hardwareConcurrency ?? null,
  };
}
