//! Every dtype on WebGPU against the CPU, bit for bit.

mod calls;
mod convert;
mod definition;
mod devices;
mod elements;
mod pairs;
mod table;
mod twin;
