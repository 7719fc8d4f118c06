//! The thread on which all tests made by `one_thread!` run natively, one after the other. They share a GPU device, because a software
//! adapter takes longer to compile shaders than to run them. A browser has only one thread.

use std::cell::RefCell;
use std::panic::{catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, Once, PoisonError};
use std::thread;

thread_local! {
    /// The lines of the test that runs on this thread, `None` on any other thread. They are kept because the test harness only
    /// captures what its own threads print.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// How a test ended, and the lines that it kept.
type Outcome = (thread::Result<()>, String);

/// The thread of the tests, seen from outside: it answers every test with one outcome.
struct Worker {
    tests: Sender<fn()>,
    outcomes: Receiver<Outcome>,
}

static WORKER: Mutex<Option<Worker>> = Mutex::new(None);

/// Runs a test on the shared thread, prints the lines that it kept, and panics if it did. After a test that panics the next one
/// has a new thread, and with it a new device.
pub(crate) fn run(test: fn()) {
    let mut place = WORKER.lock().unwrap_or_else(PoisonError::into_inner);
    let worker = place.get_or_insert_with(Worker::start);
    worker.tests.send(test).unwrap();
    let (outcome, said) = worker.outcomes.recv().unwrap();
    // This thread is one of the harness, which captures what is printed here.
    print!("{said}");
    if let Err(panic) = outcome {
        *place = None;
        drop(place); // a panic that holds the lock would poison it
        resume_unwind(panic);
    }
}

/// Keeps a line for `run` to print; `false` where this is not the thread of the tests.
pub(crate) fn keep(line: &str) -> bool {
    SAID.with_borrow_mut(|said| said.as_mut().map(|said| said.extend([line, "\n"])).is_some())
}

impl Worker {
    /// Starts the thread. The first call also has messages of panics kept with the lines of their test, for all threads to
    /// come: the panic hook belongs to the process.
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
