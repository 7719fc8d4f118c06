// Part e: memory filled to the brim, with tensors of every size down to one byte; refused by typed errors alone. No two live tensors share
// memory, and once they are disposed of all works again. Small: nearly all of the address space is taken first, which costs no memory.

import { attempt, kindOf, say } from './outcome.js';
import { Stage } from './world.js';

const PAGE = 65536;
/** How much is left to fill, in pages. */
const ROOM = 256;
const MOST_TENSORS = 60_000;

export async function* memoryPart(stage, { seed, calls, platform }) {
  const rounds = [...(platform.big ? [{ big: true }] : []), { shrinking: true }, { shrinking: false }, { bytes: true }];
  let left = calls;
  for (const round of rounds) {
    if (left <= 0) return;
    const found = await filled(stage, round, seed, left);
    left -= found.ran;
    yield { name: `filling ${JSON.stringify(round)}`, callable: 'filling memory', ...found };
  }
}

/** The memory that an instance exports, seen while it starts. */
async function watched(open) {
  const kept = { instantiate: WebAssembly.instantiate, instantiateStreaming: WebAssembly.instantiateStreaming, Instance: WebAssembly.Instance };
  let memory;
  const see = (result) => {
    memory ??= Object.values((result.instance ?? result).exports).find((each) => each instanceof WebAssembly.Memory);
    return result;
  };
  WebAssembly.instantiate = async (...all) => see(await kept.instantiate.apply(WebAssembly, all));
  WebAssembly.instantiateStreaming = async (...all) => see(await kept.instantiateStreaming.apply(WebAssembly, all));
  WebAssembly.Instance = new Proxy(kept.Instance, { construct: (Instance, all) => see(new Instance(...all)) });
  try {
    return { stage: await open(), memory };
  } finally {
    Object.assign(WebAssembly, kept);
  }
}

async function filled(from, round, seed, left) {
  const { stage, memory } = await watched(() => new Stage(from.load, from.device, from.plant).open());
  if (!memory) return { ran: 1, problems: ['the memory of the instance was not seen'] };
  if (!round.big) {
    for (let pages = 1 << 15; pages >= 1; pages >>= 1) {
      while (memory.buffer.byteLength / PAGE + pages <= PAGE - ROOM && attempt(() => memory.grow(pages)).value !== undefined);
    }
  }
  const start = stage.memory();
  const problems = [];
  const kept = [];
  let ran = 0;
  const { Tensor } = stage.lib;
  /** False when it is refused. */
  const make = (size) => {
    ran += 1;
    // Large ones are marked where they begin and end: to fill them would take too long.
    const mark = kept.length % 251;
    const { value, error, threw } = attempt(() => (size <= 1 << 20 ? Tensor.full([size], mark, { dtype: 'uint8' }) : Tensor.zeros([size], { dtype: 'uint8' }).scatter_(0, [0, size >> 1, size - 1], mark)));
    const kind = threw ? kindOf(error) : 'value';
    stage.count(kind);
    if (!threw) kept.push({ tensor: value, size, mark });
    else if (kind !== 'typed' || error.code !== 'out-of-memory') problems.push(`${size} bytes: ${kind === 'trap' ? 'throws a trap' : 'is not typed out-of-memory'}: ${say(error)}`);
    return !threw;
  };
  for (const size of sizes(round)) {
    while (ran < left && kept.length < MOST_TENSORS && problems.length === 0 && make(size));
    problems.push(...work(stage, kept));
    if (problems.length > 0) return { ran, problems };
  }
  for (const { tensor, size, mark } of kept) {
    const at = [0, size >> 1, size - 1];
    const { value, error } = attempt(() => (size <= 4096 ? tensor.data_sync() : tensor.gather(0, at).data_sync()));
    // A full memory may refuse the reading; it may not give other values.
    if (error && error.code !== 'out-of-memory') problems.push(`a tensor of ${size} bytes cannot be read: ${say(error)}`);
    if (value?.some((each) => each !== mark)) problems.push(`two tensors share memory: one of ${size} bytes holds ${value.find((each) => each !== mark)}, not ${mark}`);
    if (problems.length > 0) break;
  }
  for (const { tensor } of kept) {
    const { error, threw } = attempt(() => tensor.dispose());
    if (threw) return { ran, problems: [...problems, `dispose() throws ${say(error)} when memory is full`] };
  }
  problems.push(...(await stage.canary()), ...(await stage.close()));
  const { threw, error } = attempt(() => Tensor.zeros([ROOM * PAGE >> 2], { dtype: 'uint8' }).dispose());
  if (threw && !round.bytes) problems.push(`after dispose(): ${say(error)}`);
  const now = stage.memory();
  for (const name of ['tensors', 'cpu_bytes']) if (Math.abs(now[name] - start[name]) > (round.big ? 0 : 1 << 12)) problems.push(`memory().${name} was ${start[name]} and is ${now[name]}`);
  return { ran, problems: problems.length > 0 ? problems : null };
}

/** From 3 GiB, or the room that there is, down to a byte; or up, which leaves holes of every size. */
function sizes({ big, shrinking, bytes }) {
  if (bytes) return [1];
  const all = [];
  for (let size = big ? 3 * 2 ** 30 : ROOM * PAGE; size >= 1; size = Math.floor(size / (size > 4096 ? 4 : 7))) all.push(size);
  return shrinking === false ? all.reverse().slice(-6) : all;
}

/** Every kind of call with no memory left: it works or is refused as that, and never breaks anything. */
function work(stage, kept) {
  const { lib } = stage;
  const some = kept.at(-1)?.tensor ?? stage.table;
  const trials = [
    () => some.clone().dispose(),
    () => some.reshape([1, some.size]).dispose(),
    () => some.astype('float64').dispose(),
    () => some.mul(1).dispose(),
    () => some.mul_(1),
    () => some.gather(0, [0, 0]).dispose(),
    () => lib.IndexPlan.along([9], 0, [1, 2]).dispose(),
    () => stage.table.scatter_(1, stage.index, stage.src),
    () => new lib.Tensor([[1, 2], [3]]),
    () => stage.table.scatter_(0, [[9]], 1),
    () => String(stage.table),
    () => lib.trace('scatter_', stage.table, 0, [[0]], 1).result.dispose(),
    () => lib.elementwise_mul(stage.table, stage.table, { act: 'relu' }).dispose(),
  ];
  const problems = [];
  for (const trial of trials) {
    const { error, threw } = attempt(trial);
    if (threw && kindOf(error) !== 'typed') problems.push(`with memory full ${trial} throws ${kindOf(error) === 'trap' ? 'a trap' : 'a raw error'}: ${say(error)}`);
  }
  return problems;
}
