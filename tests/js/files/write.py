"""Writes the files that tests/js/files compares with: run it with NumPy 2.4, SciPy 1.17 and safetensors 0.8 (`python3
tests/js/files/write.py`) and commit them."""

import io
import json
import pathlib
import zipfile

import numpy as np
import safetensors
import safetensors.numpy
import scipy.sparse

files = pathlib.Path(__file__).parent / "files"
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
FLOATS = ["float16", "float32", "float64"]


def arrays():
    """One of each dtype that NumPy has, and of each kind of shape."""
    made = {"bool": np.array([[True, False], [False, True]])}
    for dtype in INTEGERS:
        limits = np.iinfo(dtype)
        made[dtype] = np.array([limits.min, limits.max, 7], dtype)
    for dtype in FLOATS:
        made[dtype] = np.array([[0.5, -0.0, 1e-7], [np.inf, -np.inf, np.nan]], dtype)
    made["scalar"] = np.array(1.5)
    made["empty"] = np.zeros((0, 3), "int32")
    return made


class Stream(io.RawIOBase):
    """A file that cannot be rewound: sizes come behind the data, in records of their own."""

    def __init__(self, path):
        super().__init__()
        self.file = open(path, "wb")

    def writable(self):
        return True

    def write(self, data):
        return self.file.write(data)

    def close(self):
        self.file.close()
        super().close()


def npy(array, **options):
    """The bytes of a .npy file."""
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


def write_npz():
    """The archives: as NumPy writes them, and with names, members and compressions that NumPy does not write."""
    line = np.arange(3, dtype="<f4")
    np.savez(files / "stored.npz", **arrays())
    np.savez_compressed(files / "compressed.npz", **arrays(), ramp=np.arange(5000, dtype="<i4"))
    np.savez(files / "unnamed.npz", line, line.astype(">f8"))
    np.savez(files / "layouts.npz", fortran=np.asfortranarray(np.arange(6, dtype="<i4").reshape(2, 3)), big=line.astype(">f4"))
    np.savez(files / "no_arrays.npz")
    np.savez(files / "mixed.npz", good=line, words=np.array(["one", "two"]), objects=np.array([{}, None], object))
    with zipfile.ZipFile(files / "names.npz", "w") as archive:
        for name in ["größe", "层/weight", "__proto__", "", "a.npy", "constructor"]:
            archive.writestr(f"{name}.npy", npy(line))
        archive.comment = b"PK\x05\x06 is how the record begins that follows"
    with zipfile.ZipFile(files / "other_members.npz", "w") as archive:
        archive.writestr("line.npy", npy(line))
        archive.writestr("read me.txt", "no array")
        archive.writestr("folder/", "")
    for name, method in {"bzip2": zipfile.ZIP_BZIP2, "lzma": zipfile.ZIP_LZMA}.items():
        with zipfile.ZipFile(files / f"{name}.npz", "w", method) as archive:
            archive.writestr("line.npy", npy(line))
    with zipfile.ZipFile(files / "zip64.npz", "w") as archive:
        for name in ["first", "second"]:
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                member.write(npy(line))
    with Stream(files / "streamed.npz") as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("line.npy", npy(line))


def write_kinds():
    """Every dtype of numbers in both orders of bytes, with no, one and three elements, and in Fortran's order, named by that. The values
    are 0, 1, 2, …"""
    made = {}
    for dtype in ["bool", *INTEGERS, *FLOATS]:
        for order in "<>":
            for count in [0, 1, 3]:
                made[f"{dtype} {order} {count}"] = np.arange(count).astype(np.dtype(dtype).newbyteorder(order))
            made[f"{dtype} {order} f"] = np.asfortranarray(np.arange(6).reshape(2, 3).astype(np.dtype(dtype).newbyteorder(order)))
            made[f"{dtype} {order} s"] = np.array(1).astype(np.dtype(dtype).newbyteorder(order))
    np.savez_compressed(files / "kinds.npz", **made)


def write_others():
    """One of each kind of array that has no tensor, beside one that has; and what SciPy writes of sparse matrices."""
    day = "2026-01-01"
    others = {
        "complex": np.zeros(2, "<c8"),
        "long_double": np.zeros(2, np.longdouble),
        "bytes": np.array([b"one"]),
        "text": np.array(["one"]),
        "date": np.array([day], "datetime64[D]"),
        "time": np.array([day], "datetime64[D]") - np.array([day], "datetime64[D]"),
        "objects": np.array([None], object),
        "raw": np.zeros(2, "V2"),
        "fields": np.zeros(2, [("x", "<f4")]),
        "deep": np.zeros((1,) * 40),
    }
    np.savez(files / "others.npz", good=np.arange(3, dtype="<f4"), **others, big=np.zeros((0, 3), ">i2"))
    matrix = [[0, 0, 5], [7, 0, 0]]
    scipy.sparse.save_npz(files / "sparse_csr.npz", scipy.sparse.csr_matrix(matrix))
    scipy.sparse.save_npz(files / "sparse_coo.npz", scipy.sparse.coo_array(matrix), compressed=False)


def bits(dtype, array):
    """A tensor of a dtype that NumPy may lack, made of the bytes of an array. The array comes with it, because the tensor points to its
    memory."""
    return safetensors.TensorSpec(dtype=dtype, shape=list(array.shape), data_ptr=array.ctypes.data, data_len=array.nbytes), array


def write_bits(name, tensors, metadata=None):
    """A file of what `bits` has made, by name."""
    specs = {key: spec for key, (spec, _) in tensors.items()}
    (files / f"{name}.safetensors").write_bytes(safetensors.serialize(specs, metadata))


def write_safetensors():
    """The files of the safetensors package."""
    made = {name: bits(str(array.dtype), array) for name, array in arrays().items()}
    # 0.5, −0 and NaN.
    made["bfloat16"] = bits("bfloat16", np.array([0x3F00, 0x8000, 0x7FC0], "uint16"))
    write_bits("all", made, {"format": "pt"})
    line = np.arange(3, dtype="<f4")
    names = ["größe", "层/weight", "__proto__", "", 'quo"te\\', "constructor", "7"]
    safetensors.numpy.save_file({name: line for name in names}, files / "names.safetensors")
    safetensors.numpy.save_file({}, files / "no_tensors.safetensors")
    eight = np.array([1, 2], "uint8")
    write_bits("float8", {"good": bits("float32", line), "small": bits("float8_e4m3fn", eight)})


def write_odd_safetensors():
    """A header as other writers make it, which safetensors reads: not padded, in another order than the data, so that the numbers are not
    aligned, and with tensors without elements at both ends."""
    offsets = {"late": ("F32", [1], 1, 5), "end": ("F64", [0, 3], 5, 5), "early": ("U8", [1], 0, 1), "begin": ("I64", [0], 0, 0)}
    header = {name: {"shape": shape, "data_offsets": [start, stop], "dtype": dtype} for name, (dtype, shape, start, stop) in offsets.items()}
    text = json.dumps(header).encode()
    path = files / "odd.safetensors"
    path.write_bytes(len(text).to_bytes(8, "little") + text + np.array([7], "uint8").tobytes() + np.array([1.5], "<f4").tobytes())
    assert safetensors.numpy.load_file(path)["late"] == 1.5


files.mkdir(exist_ok=True)
write_npz()
write_kinds()
write_others()
write_safetensors()
write_odd_safetensors()
