//! Products of a sparse matrix and a dense one.

use crate::engine::cpu::run::Cpu;

impl Cpu {}
