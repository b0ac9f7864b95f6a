"""Error messages: a library of PyTorch is there and cannot be loaded."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

IMPORTS = re.compile(r"[/\\]torch[/\\]__init__\.py$")


TELLS_WHO = re.compile(r"\(required by|^An issue occurred while importing '(?:pyg-lib|torch-\w+)")

BRINGS = (
    (r"libopenblas|sgesdd|[sd]gemm", say("install-openblas")),
    (r"libgomp", say("install-libgomp")),
    (r"libmpi", say("use-build-without-mpi")),
    (r"libpython", say("add-libpython")),
    (r"libshm", say("reinstall-torch")),
    (r"libtorch|libc10", say("import-torch-first")),
    (r"libomp\.dylib", say("install-libomp")),
    (r"libiomp5", say("install-intel-openmp")),
    (r"libmkl", say("install-mkl")),
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
        says = say("compiled-part-missing")
        if lib := failure.groups.get("lib"):
            says = say("library-missing-or-damaged", lib=lib)
        yield failure.hit(says)


@explains("part-of-the-system-missing")
def part_of_the_system_missing(failure: Failure) -> Hits:
    yield failure.hit(_missing_part(failure.groups["file"]))


def _of_windows(failure: Failure, file: str) -> Message:
    """Why one of PyTorch's own libraries is not loaded."""
    code = re.search(r"\[WinError (\d+)\]", failure.message)
    number = code[1] if code is not None else ""
    if file == "fbgemm.dll" and number in ("", "126"):
        return say("fbgemm-needs-openmp")
    if number == "193":
        return say("dll-damaged", file=file)
    if number == "1114":
        return say("dll-does-not-start", file=file)
    if number == "127":
        return say("dll-meets-other-version", file=file)
    return say("dll-not-loaded", file=file)


def _unnamed(failure: Failure) -> Message:
    """The same where Windows does not say which one."""
    if re.search(r"WinError 193|not a valid Win32|不是有效的 ?Win32", failure.message):
        return say("some-dll-for-another-python")
    if re.search(
        r"WinError (?:127|182)|procedure could not be found|cannot run %1", failure.message
    ):
        return say("some-dll-meets-other-version")
    return say("some-dll-not-loaded")


def _of_the_system(failure: Failure, version: str) -> Message:
    """What helps where the C library or the C++ library of a system is too old."""
    if not version.startswith("GLIBC_"):
        return say("cxx-library-too-old", version=version)
    if re.search(r"required by \S{1,300}/(?:torch/|functorch)", failure.message) or not _told(
        failure
    ):
        return say("glibc-too-old-for-torch", version=version)
    return say("glibc-too-old-for-package", version=version)


def _told(failure: Failure) -> bool:
    return "required by" in failure.message or "importing '" in failure.message


def _missing_part(file: str) -> Message:
    """What one of PyTorch's libraries needs, and what brings it."""
    found = (advice for name, advice in BRINGS if re.search(name, file))
    return say("part-missing", file=file, advice=next(found, say("install-part")))
