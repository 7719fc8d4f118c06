// Part g: calls with nearly no stack left. A function calls itself until the stack is full; on the way back every level makes the call,
// with a little more room each time, until it works. Paddings of the frames move the end of the stack about.

import { callables } from './callables.js';
import { attempt, isAllowed, kindOf, say } from './outcome.js';
import { templatesOf } from './templates.js';
import { World } from './world.js';

/** Calls are made with 0 to 12 more arguments in each frame. */
const PADDINGS = 13;
/** Levels that still make the call after it first worked: it has to go on working. */
const BEYOND = 3;
/** Levels that make the call, at most. */
const MOST = 3000;
/** Rounds between two collections. */
const OFTEN = 200;

/** Yields `{ name, callable, ran, problems }` for each way back up the stack: see `parts` in run.js. */
export async function* overflowPart(stage, { calls, platform }) {
  const start = stage.memory();
  // Starting and compiling ahead are for other tests; what disposes of self leaves nothing to call.
  const all = callables(stage).filter(({ key }) => !/^(init|initSync|set_device|warm_up)$|dispose/.test(key));
  for (let n = 0, count = 0; count < calls; n++) {
    const callable = all[n % all.length];
    const templates = templatesOf(callable);
    const padding = Math.floor(n / all.length) % PADDINGS;
    const template = templates[Math.floor(n / all.length / PADDINGS) % templates.length];
    const { value: w, error } = attempt(() => new World(stage));
    if (error) {
      yield { name: 'making tensors', problems: [`the next call fails: ${say(error)}`] };
      continue;
    }
    const args = template(w);
    const self = w.selfOf(callable);
    const results = [];
    const ran = descend(padding, () => callable.call(self, args), results);
    count += ran;
    const problems = [];
    for (const { value, threw, error } of results) {
      const kind = threw ? kindOf(error) : 'value';
      stage.count(kind);
      if (threw && !isAllowed(kind)) problems.push(`throws ${kind === 'trap' ? 'a trap' : 'a raw error'}: ${say(error)}`);
      if (!threw) w.keepAll(value);
      if (!threw) problems.push(...(await w.lookAt(value)));
    }
    problems.push(...(await w.after({ wasRefused: false })).filter((problem) => !problem.startsWith('memory()')));
    yield { name: `${callable.name} with padding ${padding}`, callable: callable.name, ran, problems: problems.length > 0 ? problems : null };
    // An interrupted call may leave something to the collector; memory that no collection frees is a leak.
    if (n % OFTEN === OFTEN - 1) yield* leaked(stage, start, platform);
  }
  yield* leaked(stage, start, platform);
}

/** Yields a fault if memory is not as at the `start` after some collections; else nothing. */
async function* leaked(stage, start, platform) {
  if (!platform.collect) return;
  let now;
  for (let n = 0; n < 8; n++) {
    await platform.collect();
    now = stage.memory();
    if (now.tensors === start.tensors && now.cpu_bytes === start.cpu_bytes) return;
  }
  yield { name: 'after a collection', callable: 'a collection', ran: 0, problems: [`memory() was ${JSON.stringify(start)} and is ${JSON.stringify(now)}`] };
  Object.assign(start, now); // so that it is reported once
}

/**
 * Makes the call from the end of the stack up, and adds how each ended to `results`. Returns how often it was made. `padding` is how many
 * arguments more each frame has. Nothing here may need more stack than a level that failed, so nothing is looked at yet.
 */
function descend(padding, call, results) {
  let tried = 0;
  let worked = 0;
  /** One level: it goes deeper first, until the stack is full, and then makes the call with the rest of it. */
  const down = (...padded) => {
    try {
      down(...padded);
    } catch {
      // The end of the stack, or of one of the levels below.
    }
    if (worked > BEYOND || tried >= MOST) return;
    tried += 1;
    try {
      results.push({ value: call() });
      worked += 1;
    } catch (error) {
      results.push({ error, threw: true });
      if (error?.code) worked += 1; // refused for a reason of its own
    }
  };
  down(...Array(padding).fill(0));
  return tried;
}
