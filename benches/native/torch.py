"""The scatters of the native benchmark in PyTorch, on a CUDA device: `python3 benches/native/torch.py`.

NOT RUN YET: no machine with a CUDA device was at hand when this was written. To be run on the machine, and in the same
session, as `cargo bench -p scatterwise-bench --bench gpu`, and to be read beside it: the same shapes, the same kinds of
index, resident operands, medians of rounds. Sums of float32 depend on the order of atomics unless the
deterministic mode is on; the last column says whether ten runs without it gave one result.
"""

import math
import statistics
import sys

import torch

# How often each workload is timed, and the calls of which one time is made.
ROUNDS, CALLS = 11, 20


def zipf(rows, count, generator):
    """`count` row numbers below `rows`, few of them often: a rank with a uniform logarithm follows Zipf's law. The factor, a prime, keeps
    frequent rows from being neighbours."""
    ranks = torch.exp(torch.rand(count, generator=generator, dtype=torch.float64) * math.log(rows + 1))
    return ((ranks.long() - 1) * 7919) % rows


def workloads(device):
    """Yields the name of each workload, its table, and a function of the table that makes the call once. Most calls write to the table."""
    generator = torch.Generator().manual_seed(1)

    # Whole numbers from -8 to 8, factors of 1 and -1 that do not overflow when they are repeated, and index values.
    def numbers(*shape):
        return torch.randint(-8, 9, shape, generator=generator).float().to(device)

    def signs(*shape):
        return (torch.randint(0, 2, shape, generator=generator) * 2 - 1).float().to(device)

    def index(bound, *shape):
        return torch.randint(0, bound, shape, generator=generator).to(device)

    x, y = numbers(2048, 2048), numbers(2048, 2048)
    yield "multiply, same shape", x, lambda t: t * y
    plane = numbers(1, 128, 32, 1)
    yield "multiply at axis 1", numbers(32, 128, 32, 32), lambda t: t * plane
    row = numbers(1024)
    yield "multiply by a row", numbers(4096, 1024), lambda t: t * row
    at, src = index(4096, 1024, 4096), numbers(1024, 4096)
    yield "replace along 1", numbers(1024, 4096), lambda t: t.scatter_(1, at, src)
    for name, slots, updates in [("add, as many slots as updates", 1 << 20, 1 << 20), ("add into 16 slots", 16, 1 << 22)]:
        bins, values = index(slots, updates), numbers(updates)
        yield f"{name}: scatter_add_", numbers(slots), lambda t, bins=bins, values=values: t.scatter_add_(0, bins, values)
        yield f"{name}: index_add_", numbers(slots), lambda t, bins=bins, values=values: t.index_add_(0, bins, values)
    bins = index(256, 1 << 22)
    ones = torch.ones(1 << 22, device=device)
    yield "count into 256 slots", numbers(256), lambda t: t.scatter_add_(0, bins, ones)
    rows, factors = index(4096, 1024, 256), signs(1024, 256)
    yield "scatter multiply along 0", numbers(4096, 256), lambda t: t.scatter_reduce_(0, rows, factors, "prod")
    at_rows = zipf(50_000, 20_000, generator).to(device)
    updates = numbers(20_000, 128)
    yield "add rows, Zipf", numbers(50_000, 128), lambda t: t.index_add_(0, at_rows, updates)
    products = signs(20_000, 128)
    yield "multiply rows, Zipf", numbers(50_000, 128), lambda t: t.index_reduce_(0, at_rows, products, "prod")
    first, second, pairs = index(512, 200_000), index(512, 200_000), numbers(200_000, 16)
    yield "add at pairs", numbers(512, 512, 16), lambda t: t.index_put_((first, second), pairs, accumulate=True)
    columns = index(4096, 1024, 4096)
    yield "gather along 1", numbers(1024, 4096), lambda t: t.gather(1, columns)


def seconds(run, table):
    """The seconds of one call on the GPU, from CALLS in a row on the same table."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    for _ in range(CALLS):
        run(table)
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1e3 / CALLS


def one_result(run, table):
    """Whether ten runs from the same table give equal results."""
    results = [run(table.clone()) for _ in range(10)]
    return all(torch.equal(results[0], other) for other in results)


def main():
    """Prints a row of a Markdown table for each workload. A call that has no deterministic mode is refused in it."""
    if not torch.cuda.is_available():
        sys.exit("no CUDA device")
    device = torch.device("cuda")
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}\n")
    print("| workload | median | deterministic mode | one result of ten |\n| --- | ---: | ---: | --- |")
    for name, table, run in workloads(device):
        cells = []
        for is_deterministic in (False, True):
            torch.use_deterministic_algorithms(is_deterministic)
            try:
                run(table.clone())
                times = [seconds(run, table) for _ in range(ROUNDS)]
                cells.append(f"{statistics.median(times) * 1e3:.3f} ms")
            except RuntimeError:
                cells.append("refused")
        torch.use_deterministic_algorithms(False)
        print(f"| {name} | {' | '.join(cells)} | {'yes' if one_result(run, table) else 'no'} |")


main()
