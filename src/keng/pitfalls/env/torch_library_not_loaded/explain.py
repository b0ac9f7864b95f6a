"""Error messages: a library of PyTorch is there and cannot be loaded."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

IMPORTS = re.compile(r"[/\\]torch[/\\]__init__\.py$")


TELLS_WHO = re.compile(r"\(required by|^An issue occurred while importing '(?:pyg-lib|torch-\w+)")

RUNTIME = "the Visual C++ redistributable (x64)"
CODES = {
    "193": "is damaged, or for another Python: one of 64 bits, and PyTorch again in a fresh environment",
    "1114": (
        f"cannot start: {RUNTIME} of today, no older msvcp140.dll on "
        "PATH, and import torch before PyQt and others that bring one"
    ),
    "127": (
        "finds another version of a library first: no other CUDA, "
        "cuDNN or MKL on PATH, and PyTorch again in a fresh environment"
    ),
}
"""The number that Windows gives -> what is wrong with the library."""
OPENMP = (
    "fbgemm.dll wants libomp140.x86_64.dll, which torch 2.4.0 does not bring: 2.4.1 or later, or the C++ "
    "build tools of Visual Studio, which have it"
)
BRINGS = (
    (r"libopenblas|sgesdd|[sd]gemm", "apt install libopenblas-dev, which boards with ARM want"),
    (r"libgomp", "apt install libgomp1"),
    (r"libmpi", "a PyTorch built without MPI, as the wheels are, or the MPI it was built with"),
    (
        r"libpython",
        (
            "the lib folder of the Python that it was built for "
            "in LD_LIBRARY_PATH, or apt install libpython3-dev"
        ),
    ),
    (r"libshm", "the installation is damaged: pip install --force-reinstall --no-cache-dir torch"),
    (
        r"libtorch|libc10",
        "import torch before the extension that looks for it; else it was built for another version",
    ),
    (r"libomp\.dylib", "brew install libomp"),
    (
        r"libiomp5",
        "conda install mkl intel-openmp, or PyTorch by pip in a fresh environment, which brings its own",
    ),
    (r"libmkl", "conda install mkl, or pip install mkl, and all that uses it from one channel"),
)
"""A library, or a function of it, that is not found -> what brings it."""


@explains("dll-not-loaded")
def dll_not_loaded(failure: Failure) -> Hits:
    yield failure.hit(_of_windows(failure, failure.groups["file"]))


@explains("extension-not-loaded")
def extension_not_loaded(failure: Failure) -> Hits:
    yield failure.hit(_unnamed(failure))


@explains("something-not-loaded")
def something_not_loaded(failure: Failure) -> Hits:
    if any(IMPORTS.search(frame.path) or "torch._C" in frame.text for frame in failure.frames):
        yield from extension_not_loaded(failure)


@explains("system-too-old")
def system_too_old(failure: Failure) -> Hits:
    where = [frame for frame in failure.frames if IMPORTS.search(frame.path)]
    if not where and not TELLS_WHO.search(failure.message):
        return
    yield failure.hit(_of_the_system(failure, failure.groups["version"]))


@explains("compiled-part-missing")
def compiled_part_missing(failure: Failure) -> Hits:
    if IMPORTS.search(failure.raised_in) or not failure.groups.get("its"):
        says = say("torch-c-compiled-part")
        if lib := failure.groups.get("lib"):
            says = say("pytorch-missing-or-damaged", lib=lib)
        yield failure.hit(says)


@explains("part-of-the-system-missing")
def part_of_the_system_missing(failure: Failure) -> Hits:
    yield failure.hit(_missing_part(failure.groups["file"]))


def _of_windows(failure: Failure, file: str) -> str:
    """Why one of PyTorch's own libraries is not loaded."""
    code = re.search(r"\[WinError (\d+)\]", failure.message)
    number = code[1] if code is not None else ""
    if file == "fbgemm.dll" and number in ("", "126"):
        return OPENMP
    if number in CODES:
        return f"{file} {CODES[number]}"
    says = f"{file}, or a library that it needs, cannot be loaded"
    return f"{says}: install {RUNTIME}, then PyTorch again in a fresh environment"


def _unnamed(failure: Failure) -> str:
    """The same where Windows does not say which one."""
    if re.search(r"WinError 193|not a valid Win32|不是有效的 ?Win32", failure.message):
        return (
            "a library for another kind of Python, or a damaged one: "
            "a Python of 64 bits, and all again in a fresh environment"
        )
    if re.search(
        r"WinError (?:127|182)|procedure could not be found|cannot run %1", failure.message
    ):
        return (
            "another version of a library is found first: no other CUDA, "
            "MKL or Python on PATH, and PyTorch again in a fresh environment"
        )
    return (
        "a library that it needs is missing or too old: "
        f"{RUNTIME}, no older copy of it beside Python, then install again"
    )


def _of_the_system(failure: Failure, version: str) -> str:
    """What helps where the C library or the C++ library of a system is too old."""
    says = f"the system's library lacks {version}"
    if not version.startswith("GLIBC_"):
        beside = "conda install -c conda-forge libstdcxx-ng, with its lib folder first in LD_LIBRARY_PATH"
        return f"{says}: {beside}, or a newer system"
    if re.search(r"required by \S{1,300}/(?:torch/|functorch)", failure.message) or not _told(
        failure
    ):
        return (
            f"{says}: an older release (torch 2.5 and before run "
            "with glibc 2.17), or a newer system, as a container is"
        )
    return f"{says}: build it from source here, or an older release, or a newer system"


def _told(failure: Failure) -> bool:
    return "required by" in failure.message or "importing '" in failure.message


def _missing_part(file: str) -> str:
    """What one of PyTorch's libraries needs, and what brings it."""
    cure = next((cure for name, cure in BRINGS if re.search(name, file)), "")
    cure = cure or "install it, or a PyTorch that was built for this system"
    return f"{file}, which torch's libraries need, is missing or of another version: {cure}"
