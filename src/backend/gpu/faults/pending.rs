//! What may turn out to be an error: futures that somebody has to wait for, and the errors that they have found.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::pin::Pin;

use crate::error::Error;

/// What a wait has found.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) errors: Vec<Error>,
    /// A buffer for which the platform had no memory, and the first batch that may use it.
    pub(crate) refused: Option<(wgpu::Buffer, u64)>,
}

type Answer = Pin<Box<dyn Future<Output = Found>>>;

/// The futures, in the order of the calls, and errors that are not reported yet.
#[derive(Default)]
pub(crate) struct Pending {
    answers: RefCell<VecDeque<Answer>>,
    found: RefCell<VecDeque<Error>>,
}

/// The future that a caller waits for. If the caller gives up, it goes back into the queue for the next caller.
struct Awaited<'a> {
    pending: &'a Pending,
    answer: Option<Answer>,
}

impl Drop for Awaited<'_> {
    fn drop(&mut self) {
        if let Some(answer) = self.answer.take() {
            self.pending.answers.borrow_mut().push_front(answer);
        }
    }
}

impl Pending {
    /// Queues a future.
    pub(crate) fn expect(&self, answer: impl Future<Output = Found> + 'static) {
        self.answers.borrow_mut().push_back(Box::pin(answer));
    }

    /// Waits for the first future, and returns what it has found; `None` if there is none. Other calls run meanwhile.
    pub(crate) async fn next(&self) -> Option<Found> {
        let answer = self.answers.borrow_mut().pop_front();
        let mut awaited = Awaited { pending: self, answer };
        let found = awaited.answer.as_mut()?.await;
        // Nothing is left for `drop` to put back.
        awaited.answer = None;
        Some(found)
    }

    /// Keeps errors until they are reported.
    pub(crate) fn keep(&self, errors: impl IntoIterator<Item = Error>) {
        self.found.borrow_mut().extend(errors);
    }

    /// The first error that is not reported yet.
    pub(crate) fn report(&self) -> Option<Error> {
        self.found.borrow_mut().pop_front()
    }
}
