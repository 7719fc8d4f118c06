//! The terms of a call in parts, each with sums of its own, which are merged: no order changes an exact sum.

use std::iter::once;
use std::ops::Range;

use crate::engine::cpu::Cpu;
use crate::exact::cpu::sums::{ExactSums, PART};
use crate::exact::kernels::terms::{ExactTerms, InParts, Part};
use crate::{Result, reserved};

/// Each round has so many times the terms of the one before: the first rounds find out whether many terms are spilled.
const GROWTH: usize = 16;

impl ExactSums {
    /// Adds all terms of a call. On an error some of them were added.
    pub(crate) fn add_terms(&mut self, terms: &ExactTerms<'_>) -> Result<()> {
        let parts = if Cpu.has_threads() { Cpu.parts(terms.len(), self.slots()) } else { 1 };
        // If there is no memory for more sums, these are enough.
        match self.others(parts) {
            Ok(others) if parts > 1 => self.add_in_parts(terms, others),
            _ => self.add_range(terms, 0..terms.len()),
        }
    }

    /// Sums of no terms for all parts but the first, which adds to `self`.
    fn others(&self, parts: usize) -> Result<Vec<Self>> {
        let count = parts.saturating_sub(1);
        let mut others = reserved(self.op, count)?;
        for _ in 0..count {
            others.push(*Self::new(self.op, self.dtype, self.slots(), self.count_size())?);
        }
        Ok(others)
    }

    /// Adds all terms, divided among these and other sums.
    fn add_in_parts(&mut self, terms: &ExactTerms<'_>, mut others: Vec<Self>) -> Result<()> {
        let count = others.len() + 1;
        let edge = |part: usize| (terms.len() as u64 * part as u64 / count as u64) as usize;
        let mut shares = reserved(self.op, count)?;
        let own = once(&mut *self).chain(&mut others);
        shares.extend(own.zip(0..).map(|(sums, part)| Share { sums, rest: edge(part)..edge(part + 1) }));
        let mut round = PART;
        while shares.iter().any(|share| !share.rest.is_empty()) {
            round = add_round(terms, &mut shares, round)?;
        }
        others.iter().try_for_each(|other| self.merge(other))
    }
}

/// The sums of a part, and which elements it still has to add.
struct Share<'s> {
    sums: &'s mut ExactSums,
    rest: Range<usize>,
}

/// Adds at most `round` terms to each part. Returns how many to add in the next round: few where a part stopped.
fn add_round(terms: &ExactTerms<'_>, shares: &mut [Share<'_>], round: usize) -> Result<usize> {
    let mut parts = reserved("", shares.len())?;
    for Share { sums, rest } in &mut *shares {
        parts.push(Part {
            sums: sums.lend(),
            rest: rest.start..rest.end.min(rest.start.saturating_add(round)),
        });
    }
    Cpu.run(&InParts::new(terms, &mut parts));
    let mut left = reserved("", parts.len())?;
    left.extend(parts.into_iter().map(|part| part.rest));
    let mut next = round.saturating_mul(GROWTH);
    for (Share { sums, rest }, left) in shares.iter_mut().zip(left) {
        if rest.start < rest.end {
            sums.note(left.start - rest.start, left.end - rest.start)?;
            rest.start = left.start;
        }
        if !left.is_empty() {
            next = PART;
        }
    }
    Ok(next)
}
