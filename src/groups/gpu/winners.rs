//! Maxima and minima with the updates that won. First the maximum; then every update that has its bits competes by its position.

use crate::engine::gpu::device::Gpu;
use crate::plan::index::addressing::Addressing;

impl Gpu {}

/// How many entries one round of the meeting loop has, and its rounds: the position of an entry is its coordinate there.
pub(crate) fn meeting(plan: &Addressing) -> (u32, u32) {
    let Some(number) = plan.meeting_loop() else { return (1, 1) };
    let inside: usize = plan.loops().iter().skip(number + 1).map(|l| l.len).product();
    (inside.max(1) as u32, plan.loops().get(number).map_or(1, |l| l.len.max(1)) as u32)
}
