//! What the native benchmarks share: the workloads, the loops that one would write by hand, clocks and tables.

pub mod clock;
pub mod plain;
pub mod table;
pub mod workload;
