#!/bin/sh
# A compiler (RUSTC_WORKSPACE_WRAPPER) that takes SIMD away from the crates of this workspace. An empty RUSTFLAGS would
# do so for dependencies too, and have all of them compiled again.
case " $* " in
  *' --target wasm32-unknown-unknown '*) exec "$@" -C target-feature=-simd128 ;;
  *) exec "$@" ;;
esac
