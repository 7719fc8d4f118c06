"""python reduce.py FILE...: merges exact sums by Dask, in whatever order and on whatever processes it likes."""
import sys

import dask.bag
from exact_sum import ExactSum

if __name__ == "__main__":
    parts = dask.bag.from_sequence(sys.argv[1:]).map(lambda name: ExactSum.from_bytes(open(name, "rb").read()))
    print(*parts.fold(lambda one, other: one.merge(other)).compute().sum())
