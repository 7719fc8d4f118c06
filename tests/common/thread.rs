//! The thread on which natively all tests of a binary run, one after the other, so that they share a GPU device:
//! compiling shaders takes a software adapter longer than running them. In a browser there is only one thread.

use std::cell::RefCell;
use std::panic::{catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, Once, PoisonError};
use std::thread;

thread_local! {
    /// What the test that runs here has said: the test harness only captures what its own threads print.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// How a test ended, and what it said.
type Outcome = (thread::Result<()>, String);

struct Worker {
    tests: Sender<fn()>,
    outcomes: Receiver<Outcome>,
}

static WORKER: Mutex<Option<Worker>> = Mutex::new(None);

/// Runs a test and prints what it said. After one that panics the next has a new thread, and with it a new device.
pub(crate) fn run(test: fn()) {
    let mut place = WORKER.lock().unwrap_or_else(PoisonError::into_inner);
    let worker = place.get_or_insert_with(Worker::start);
    worker.tests.send(test).unwrap();
    let (outcome, said) = worker.outcomes.recv().unwrap();
    print!("{said}");
    if let Err(panic) = outcome {
        *place = None;
        drop(place);
        resume_unwind(panic);
    }
}

/// Keeps a line for `run` to print; `false` where this is not the thread of the tests.
pub(crate) fn keep(line: &str) -> bool {
    SAID.with_borrow_mut(|said| said.as_mut().map(|said| said.extend([line, "\n"])).is_some())
}

impl Worker {
    fn start() -> Self {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let usual = take_hook();
            set_hook(Box::new(move |info| {
                if !keep(&info.to_string()) {
                    usual(info);
                }
            }));
        });
        let (tests, received) = channel::<fn()>();
        let (done, outcomes) = channel();
        thread::spawn(move || {
            for test in received {
                SAID.set(Some(String::new()));
                let outcome = catch_unwind(test);
                if done.send((outcome, SAID.take().unwrap_or_default())).is_err() {
                    return;
                }
            }
        });
        Self { tests, outcomes }
    }
}
