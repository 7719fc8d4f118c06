//! Scatters by lists of the entries that name one row. A list has any order, so each pass sorts what it applies.

use crate::engine::gpu::shaders::pass::{Lists, Rows};
use crate::engine::gpu::{DeviceBuffer, Pass, Update};
use crate::index::gpu::Index;
use crate::scatter::gpu::strategy::{MEDIUM, SHORT};
use crate::scatter::gpu::traversal::Traversal;

/// Threads of a workgroup that take turns to apply tiles, and the updates of a turn: as in `shaders/scatter/tile.wgsl`.
const LANES: usize = 8;
const TURN: usize = 128;
/// Most elements for a workgroup of `medium_lists.wgsl`: most such workgroups find no list, and a few thousand keep a device busy.
const EACH_MEDIUM: usize = 8;
/// The same for `long_lists.wgsl`, where a few hundred do.
const EACH_LONG: usize = 4;

/// Words that note the lists for `medium_lists.wgsl` and `long_lists.wgsl`: two counts, and a row for each.
pub(crate) fn words_of_longer(entries: usize) -> usize {
    2 + entries / (SHORT + 1) + entries / (MEDIUM + 1)
}

impl Traversal<'_> {
    /// One thread per element of the table, and a workgroup per element of a row with a longer list. `longer` is the scratch memory in which
    /// a pass notes the lists for the next one.
    pub(crate) fn lists(&self, index: &Index, lists: &DeviceBuffer, longer: &DeviceBuffer) {
        let plan = self.plan;
        let (updates, row) = (plan.entries() * plan.row().len, plan.row().len);
        let update_rounds = 1 + self.combine().rounds();
        let longest_run = index.orders.longest_run(plan);
        let Rows { index: format, entries, entry_count } = Rows::new(plan, index);
        let update = Update::new(self.value);
        let mut params = Lists { index: format, entries, update, entry_count, each: 0, begin: 0, end: 0 };
        let record = |pass, params: &Lists, index, threads| {
            let rounds = self.rounds_for(threads, updates);
            self.pass(pass, params, index).scratch(longer).rounds(rounds).record(threads);
        };
        record(Pass::ShortLists, &params, lists, plan.table_len());
        if longest_run <= SHORT {
            return;
        }
        let (most, workgroup) = (self.gpu.rounds(), self.gpu.workgroup());
        // Rounds of a turn.
        let turn = TURN * update_rounds;
        // Rounds to look at four entries, with those of `decode` and `position_of` in shaders/lib, and to order or place their updates.
        let four = 32 + 4 * (plan.loops().len() + plan.components().len());
        // For each list: one thread collects it, each orders a part, and each of `LANES` has a turn at most.
        let tile = 4 * workgroup;
        let each = (most / (MEDIUM + MEDIUM.div_ceil(tile) * (MEDIUM + four) + turn)).clamp(1, EACH_MEDIUM);
        params.each = each as u32;
        let groups = (plan.entries() / (SHORT + 1) * row).div_ceil(each);
        record(Pass::MediumLists, &params, lists, groups * workgroup);
        if longest_run <= MEDIUM {
            return;
        }
        let turns = tile / TURN;
        let each = (most / (four + turn)).clamp(1, EACH_LONG);
        params.each = each as u32;
        // An entry is in one list, so a workgroup applies it to the elements of one row at most. But the last turn of each element may be
        // short. On an NVIDIA H200 an update of a tile took 83 ns, a fifth of what `LONG_ROUNDS` counts for a round.
        let turns = (each.min(row) * turns + each - 1).min(each * turns);
        // As many tiles as leave a thread rounds for one turn more than the average.
        let tiles = most.saturating_sub(turn) / (each * four + (turns * turn).div_ceil(LANES));
        let steps = tiles.max(1) * tile;
        let groups = (plan.entries() / (MEDIUM + 1) * row).div_ceil(each);
        for begin in (0..plan.entries()).step_by(steps) {
            (params.begin, params.end) = (begin as u32, plan.entries().min(begin + steps) as u32);
            record(Pass::LongLists, &params, &index.buffer, groups * workgroup);
        }
    }
}
