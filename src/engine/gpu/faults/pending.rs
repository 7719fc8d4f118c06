//! Futures that may yield errors, and errors that are not reported yet.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::pin::Pin;

use crate::Error;

type Answer = Pin<Box<dyn Future<Output = Vec<Error>>>>;

/// Both are in the order of the calls.
#[derive(Default)]
pub(crate) struct Pending {
    answers: RefCell<VecDeque<Answer>>,
    found: RefCell<VecDeque<Error>>,
}

/// A future that a caller awaits. If the caller gives up, the future returns to the queue for the next caller.
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
    pub(crate) fn expect<E: IntoIterator<Item = Error>>(&self, answer: impl Future<Output = E> + 'static) {
        self.answers.borrow_mut().push_back(Box::pin(async { answer.await.into_iter().collect() }));
    }

    /// Awaits all futures, and keeps their errors. Other calls may run meanwhile.
    pub(crate) async fn wait(&self) {
        loop {
            let answer = self.answers.borrow_mut().pop_front();
            let mut awaited = Awaited { pending: self, answer };
            let Some(answer) = awaited.answer.as_mut() else { break };
            self.keep(answer.await);
            awaited.answer = None;
        }
    }

    pub(crate) fn keep(&self, errors: impl IntoIterator<Item = Error>) {
        self.found.borrow_mut().extend(errors);
    }

    /// Takes the first error that is not reported yet. The error then counts as reported.
    pub(crate) fn report(&self) -> Option<Error> {
        self.found.borrow_mut().pop_front()
    }
}
