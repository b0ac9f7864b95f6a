"""Which library of the system PyTorch's own wants, and what brings it."""

from __future__ import annotations

import re

from keng.explain.advice.systems import AMDS
from keng.explain.failure import Failure

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


def of_windows(failure: Failure, file: str) -> str:
    """Why one of PyTorch's own libraries is not loaded."""
    code = re.search(r"\[WinError (\d+)\]", failure.message)
    number = code[1] if code is not None else ""
    if file == "fbgemm.dll" and number in ("", "126"):
        return OPENMP
    if number in CODES:
        return f"{file} {CODES[number]}"
    says = f"{file}, or a library that it needs, cannot be loaded"
    return f"{says}: install {RUNTIME}, then PyTorch again in a fresh environment"


def unnamed(failure: Failure) -> str:
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


def of_the_system(failure: Failure, version: str) -> str:
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


def missing_part(file: str) -> str:
    """What one of PyTorch's libraries needs, and what brings it."""
    cure = next((cure for name, cure in BRINGS if re.search(name, file)), "")
    cure = cure or "install it, or a PyTorch that was built for this system"
    return f"{file}, which torch's libraries need, is missing or of another version: {cure}"


OF_THE_TOOLKIT = re.compile(r"lib(?:cudart|cublas(?:Lt)?)\.so\.(\d{1,2})")
"""Libraries that are numbered as the CUDA to which they belong."""


def not_where_it_is_looked_for(failure: Failure, library: str) -> str:
    """Who wants a library of CUDA that is not found."""
    says = f"{library} is not installed where it is looked for"
    by_ctypes = "/ctypes/" in failure.raised_in and failure.passed_through("torch/__init__.py")
    if failure.raised_in.endswith("/torch/__init__.py") or by_ctypes:
        own = "PyTorch was built for a CUDA that is not here, or its nvidia-* packages are missing"
        return f"{says}: {own}: install it anew from its index, without --no-deps"
    number = OF_THE_TOOLKIT.match(library)
    if number is not None:
        built = f"what asks for it, an extension or PyTorch itself, was built for CUDA {number[1]}"
        return (
            f"{says}: {built}: its build for the CUDA that is here, "
            f"or beside an extension a PyTorch for CUDA {number[1]}"
        )
    other = "the package was built for another CUDA than PyTorch brings, or its nvidia-* package is missing"
    return f"{says}: {other}"


def of_a_crash(failure: Failure) -> str:
    """What may have ended a process inside of compiled code."""
    text = f"{failure.message} {failure.told}"
    names = "python -X faulthandler names the line"
    if failure.tells(AMDS):
        return f"{names}; a card that ROCm does not support, or HSA_OVERRIDE_GFX_VERSION for another one"
    if re.search(r"\b(?:while|when|on|at|after) (?:I )?import(?:ing)? torch\b", text):
        return (
            "another libtorch or CUDA in LD_LIBRARY_PATH, or torch twice: "
            "unset it, and a fresh environment; torch before other libraries"
        )
    return (
        f"{names}; a package built for another torch, or a "
        "library twice: a fresh environment, and num_workers=0"
    )


def broken_off(failure: Failure, name: str) -> str:
    """Where a package is imported that is not whole, and its own file asks for what is missing."""
    if f"-packages/{name}/" not in failure.raised_in or ".py" in failure.message:
        return ""
    says = f"an import of {name} broke off before, or its files are of two versions"
    return f"{says}: restart the notebook's kernel and read the first error, else install it anew"
