// Ends the running task now and then, so that forgotten tensors are freed.
//
// Engines free them by finalizers, which run between tasks. A value on the CPU is known at once, and `await` of a known value does not end
// the task: a loop that awaits nothing else is one task, however long it runs. So after many new tensors, a read resolves in a later task.
//
// A message begins a task in every engine. A timer would wait for 4 ms, and tests replace timers and setImmediate by functions that never
// run. Where there are no messages, as in Jest's jsdom, every read resolves in the running task.

/** How long a read waits for a task of low priority, in ms. */
const LATEST = 4;
/** How many tasks reads may still wait for; 0 for none, so that they resolve in the running task. */
let due = 0;
/** The promise of the task in which waiting reads resolve; undefined if none waits. */
let pause;
/** Whether a finalizer has run since the pause began. */
let isFreed = false;

/** Has the next read wait until a finalizer has run, at most for a number of tasks: an engine collects in parts, within several tasks. */
export function endTask(tasks) {
  if (typeof MessageChannel === 'function') due = Math.max(due, tasks);
}

export function noteFinalizer() {
  isFreed = true;
}

/** A promise of a value that is known: what each function returns that reads or makes tensors and has nothing else to wait for. */
export function resolved(value) {
  if (due === 0) return Promise.resolve(value);
  pause ??= Promise.resolve().then(endTasks); // on an empty stack: the caller's may be nearly full
  return pause.then(() => value); // reads that are called during a pause wait too, so that reads resolve in their order
}

/** Ends tasks until a finalizer has run or none is due any more. */
async function endTasks() {
  isFreed = false;
  while (due > 0) {
    await nextTask().catch(() => {}); // the platform's class may be gone by now, such as after a test
    due = isFreed ? 0 : due - 1;
  }
  pause = undefined;
}

/**
 * A promise that resolves in a later task. Chromium collects in tasks of low priority, for which a message leaves no time: there it is a task
 * of the lowest priority, or in a busy page one after LATEST. Each message has its own channel, because Deno delivers several messages of
 * a channel within one task.
 */
const nextTask = () =>
  new Promise((resolve) => {
    const { scheduler } = globalThis;
    if (typeof scheduler?.postTask === 'function') {
      scheduler.postTask(resolve, { priority: 'background' });
      scheduler.postTask(resolve, { delay: LATEST });
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close(); // an open port keeps Node running
      resolve();
    };
    port2.postMessage(0);
  });
