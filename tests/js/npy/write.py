"""Writes the files that tests/js/npy compares with: run it with NumPy 2.4 (`python3 tests/js/npy/write.py`) and commit them."""

import json
import pathlib
import string

import numpy as np

here = pathlib.Path(__file__).parent
files = here / "files"


def write(name, array, version=None):
    """One file; without a version (major, minor) NumPy takes the first that can hold the array."""
    with open(files / f"{name}.npy", "wb") as file:
        np.lib.format.write_array(file, array, version=version)


def write_files():
    """A file for each dtype, version, layout and shape, and for what has no counterpart here."""
    for dtype in ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]:
        write(dtype, np.array([[0, 1, 2], [3, 4, 255]]).astype(dtype))
    for dtype in ["float16", "float32", "float64"]:
        write(dtype, np.array([[0.5, -0.0, 1e-7], [np.inf, -np.inf, np.nan]], dtype))
    line = np.arange(3, dtype="<f4")
    write("version1", line, (1, 0))
    write("version2", line, (2, 0))
    write("version3", line, (3, 0))
    write("scalar", np.array(1.5, "<f8"))
    write("empty", np.zeros((0, 3), "<i4"))
    write("fortran", np.asfortranarray(np.arange(24, dtype="<i4").reshape(2, 3, 4)))
    write("big_endian", line.astype(">f4"))
    write("big_endian_int64", np.array([1, -2], ">i8"))
    write("complex", line.astype("<c8"))
    write("structured", np.zeros(2, [("x", "<f4"), ("y", "<i4")]))
    write("unicode", np.array(["one", "two"]))
    write("datetime", np.array(["2026-01-01"], "datetime64[D]"))
    with open(files / "object.npy", "wb") as file:
        np.save(file, np.array([{}, None], object), allow_pickle=True)


def printed_arrays():
    """Arrays whose text is recorded: values that NumPy prints in different ways, shapes that it shortens, and every dtype."""
    random = np.random.default_rng(1)
    floats = [
        [1, 2, 3],
        [0.1, 0.25, -3],
        [0.0, -0.0],
        [1e-5, 1],
        [1e-4, 1],
        [999, 1000],
        [1, 1001],
        [1e6, 1],
        [1e7, 1e6],
        [123456.5, 200000],
        [12345678, 2e7],
        [1e8, 1],
        [np.nan, 1, -np.inf],
        [np.nan, np.inf],
        [np.nan],
        [np.inf, 0.5],
        [1 / 3, 2 / 3],
        [1e-300, 1e300],
        [2**-9, 3 * 2**-9],
        [5 * 2**-9, 7 * 2**-9, 0.1],
        [2**-20, 1],
        [2**-20, 3 * 2**-20],
        [1e-45, 3e-45],
        [6e-8, 1e-7],
        [65504, 1],
        [3.4028235e38, -1],
        [100, -100.5],
        [-1e-10, 1e-10, np.nan, np.inf],
        [[1, 2.5], [-3, 4]],
        [[[1], [2]], [[3], [4.125]]],
        5.0,
        -0.0,
        1e-4,
        9e-5,
        999.5,
        123456,
        1e7,
        1e16,
        1 / 3,
        np.nan,
        -np.inf,
        [[0.0] * 20] * 2,
        [0.0] * 100,
        list(range(30)),
        (np.arange(60) / 7).reshape(3, 20).tolist(),
        random.normal(size=50).tolist(),
        (random.normal(size=50) * 10.0 ** random.integers(-12, 12, 50)).tolist(),
        (10.0 ** -np.arange(12)).tolist(),
    ]
    shaped = [[[], []], []]
    for dtype in ["float16", "float32", "float64"]:
        for values in floats + shaped:
            # The narrow types turn large values into infinities.
            with np.errstate(over="ignore"):
                yield np.array(values, dtype)
    yield np.float32(random.normal(size=(4, 5, 6)))
    for size in [[1000], [1001], [40, 40], [2, 600], [600, 2], [3, 20, 20], [8, 8, 8, 8]]:
        yield np.arange(np.prod(size), dtype="float32").reshape(size)
        yield np.arange(np.prod(size), dtype="int64").reshape(size) * -1001
        yield (np.arange(np.prod(size)) % 3 == 0).reshape(size)
    for dtype in ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]:
        limits = np.iinfo(dtype)
        yield np.array([limits.min, limits.max, 0, 7], dtype)
        yield np.array(limits.max, dtype)
    yield np.array([[True, False], [False, True]])
    yield np.array(True)
    yield np.array([False] * 40)
    yield np.array([-1, 100])
    yield np.zeros((2, 3, 1, 2, 1, 3))


def write_printed():
    """The values as bytes in hexadecimal, and NumPy's text of them. Arrays of more than 200 values follow a rule, which is written
    instead: 'third' (every third value is true), or [first value, step]."""
    cases = []
    for array in printed_arrays():
        case = {"dtype": str(array.dtype), "shape": list(array.shape), "text": str(array)}
        if array.size > 200:
            flat = array.ravel()
            third = bool(flat.dtype == bool)
            case["rule"] = "third" if third else [int(flat[0]), int(flat[1]) - int(flat[0])]
        else:
            case["bytes"] = array.tobytes().hex()
        cases.append(case)
    lines = ",\n".join(json.dumps(case) for case in cases)
    (here / "printed.json").write_text(f"[\n{lines}\n]\n")


def write_descrs():
    """What NumPy makes of texts for the dtype in a header: each dtype with its texts. Those that NumPy refuses, or that are no numbers, are
    under none."""
    letters = string.ascii_letters + "?"
    kinds = [f"{letter}{size}" for letter in "?biufcmMOSTUV" for size in (1, 2, 3, 4, 8, 16)]
    words = "bool bool_ byte ubyte short ushort int uint int_ intc uintc intp uintp long ulong longlong ulonglong half single double float".split()
    words += "longdouble complex str bytes object void float_ np.float32 float64, 2f4 f4,f4".split()
    words += [f"{kind}{bits}" for kind in ("int", "uint", "float", "complex") for bits in (8, 16, 32, 64, 128)]
    found = {}
    for name in [*letters, *kinds, *words]:
        for order in ["", "<", ">", "=", "|"]:
            try:
                dtype = np.dtype(order + name)
            except (TypeError, ValueError):
                dtype = None
            is_number = dtype is not None and dtype.kind in "biuf" and dtype.subdtype is None and dtype.itemsize < 16
            found.setdefault(dtype.name if is_number else "none", []).append(order + name)
    lines = ",\n".join(f"{json.dumps(dtype)}: {json.dumps(texts)}" for dtype, texts in found.items())
    (here / "descrs.json").write_text(f"{{\n{lines}\n}}\n")


files.mkdir(exist_ok=True)
write_files()
write_descrs()
write_printed()
