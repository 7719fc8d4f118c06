"""Exact sums as scatterwise writes them: docs/EXACT_SUM.md. Whole numbers of any size, no package."""
import struct

DTYPES = ["float16", "bfloat16", "float32", "float64"]
# For each dtype: bits of a significand, exponents of the smallest number and of the first one that is too large.
FORMATS = {"float16": (11, -24, 16), "bfloat16": (8, -133, 128), "float32": (24, -149, 128), "float64": (53, -1074, 1024)}
UNIT = {"float16": -149, "bfloat16": -149, "float32": -149, "float64": -1074}


class ExactSum:
    """`kinds`, `counts` and `sums`, each with a number for every place; a sum is in units."""

    def __init__(self, shape, dtype, counts, sums, kinds):
        self.shape, self.dtype, self.counts, self.sums, self.kinds = shape, dtype, counts, sums, kinds

    @classmethod
    def from_bytes(cls, data):
        magic, version, dtype, rank = struct.unpack_from("<4sBBH", data)
        if magic != b"XSUM" or version != 1:
            raise ValueError("no exact sums, or a later version")
        shape = struct.unpack_from(f"<{rank}Q", data, 8)
        first, words = struct.unpack_from("<II", data, 8 + 8 * rank)
        places = 1
        for size in shape:
            places *= size
        at = 16 + 8 * rank
        if len(data) != at + places * (9 + 4 * words):
            raise ValueError("the length is wrong")
        counts = list(struct.unpack_from(f"<{places}Q", data, at))
        at += 8 * places
        cut = [data[at + 4 * words * k : at + 4 * words * (k + 1)] for k in range(places)]
        sums = [int.from_bytes(each, "little", signed=True) << 32 * first for each in cut]
        return cls(shape, DTYPES[dtype], counts, sums, list(data[at + 4 * words * places :]))

    def merge(self, other):
        if (self.shape, self.dtype) != (other.shape, other.dtype):
            raise ValueError("another shape or dtype")
        # 0 gives way to any kind, then 1 does; the same infinity twice stays, and all else is NaN.
        kind = lambda a, b: max(a, b) if min(a, b) < 2 or a == b else 4
        kinds = [kind(*pair) for pair in zip(self.kinds, other.kinds)]
        sums = [a + b if k == 1 else 0 for a, b, k in zip(self.sums, other.sums, kinds)]
        return ExactSum(self.shape, self.dtype, [a + b for a, b in zip(self.counts, other.counts)], sums, kinds)

    def to_bytes(self):
        # Words from the lowest that is not 0 anywhere to the highest that has a bit or a sign.
        used = [s for s in self.sums if s]
        first = min(((s & -s).bit_length() - 1) // 32 for s in used) if used else 0
        end = max(max((s if s >= 0 else ~s).bit_length() // 32 + 1, first + 1) for s in used) if used else 0
        head = struct.pack(f"<4sBBH{len(self.shape)}Q", b"XSUM", 1, DTYPES.index(self.dtype), len(self.shape), *self.shape)
        words = b"".join((s >> 32 * first).to_bytes(4 * (end - first), "little", signed=True) for s in self.sums)
        return head + struct.pack(f"<II{len(self.sums)}Q", first, end - first, *self.counts) + words + bytes(self.kinds)

    def sum(self):
        """The sums, each rounded once to nearest, ties to even."""
        fixed = {0: -0.0, 2: float("inf"), 3: float("-inf"), 4: float("nan")}
        rounded = lambda k: fixed[self.kinds[k]] if self.kinds[k] != 1 else round_once(self.sums[k], self.dtype)
        return [rounded(k) if self.counts[k] else 0.0 for k in range(len(self.sums))]


def round_once(units, dtype):
    digits, least, beyond = FORMATS[dtype]
    size = abs(units)
    cut = max(size.bit_length() - digits, least - UNIT[dtype])
    kept = size << -cut if cut <= 0 else size >> cut
    if cut > 0:
        rest, half = size - (kept << cut), 1 << (cut - 1)
        kept += rest > half or (rest == half and kept & 1)
    exponent = cut + UNIT[dtype]
    if kept and kept.bit_length() + exponent > beyond:
        return float("inf") if units > 0 else float("-inf")
    value = float(kept) * 2.0**exponent if exponent >= -1022 else float(kept) * 2.0**-1022 * 2.0 ** (exponent + 1022)
    return value if units >= 0 else -value
