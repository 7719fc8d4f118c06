#!/bin/sh
# Runs the compiler, as RUSTC_WORKSPACE_WRAPPER, and takes SIMD away from the crates of this workspace. An empty RUSTFLAGS would
# do so for dependencies too, and have all of them compiled again.
case " $* " in
  *' --target wasm32-unknown-unknown '*) exec "$@" -C target-feature=-simd128 ;;
  *) exec "$@" ;;
esac
