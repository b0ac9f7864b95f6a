"""Error messages: an extension cannot be built, as a compiler, a header or a library is missing or too old."""

from __future__ import annotations

import re

from keng.explain.advice.extensions import not_built, without_cuda
from keng.explain.advice.programs import not_fetched
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains
from keng.tables import libraries
from keng.tables.compiled_parts import PLUGINS


@explains("compiler-missing")
def compiler_missing(failure: Failure) -> Hits:
    what = failure.groups["what"]
    tools = "Visual Studio Build Tools, started from its prompt (x64 Native Tools)"
    cure = tools if what == "cl" else "apt install build-essential, or set CC and CXX"
    yield failure.hit(f"the compiler `{what}` is not on the path: {cure}")


@explains("never-built")
def never_built(failure: Failure) -> Hits:
    file, asks = failure.groups["file"], {frame.function for frame in failure.frames}
    if "_import_module_from_library" in asks or file.endswith(".so") or re.fullmatch(PLUGINS, file):
        again = "delete ~/.cache/torch_extensions and read the first error of the next build"
        yield failure.hit(f"{file} was never built, as the build had failed: {again}")


@explains("says-only-that")
def says_only_that(failure: Failure) -> Hits:
    compiler = failure.groups.get("compiler")
    if not_fetched(failure) or (compiler and not failure.beside_torch):
        return  # nothing was compiled, or any package in C
    says = f"the build of {compiler or failure.groups['name']} failed: the first `error:` above this line is the cause"
    yield failure.hit(says)


@explains("compiled-part-missing")
def compiled_part_missing(failure: Failure) -> Hits:
    what = failure.groups["what"] or failure.groups["pyg"]
    line = failure.frames[-1].text if failure.frames else ""
    setting = re.search(r"\b_C\.(?:[A-Z]|clone\()|dir\(_C\)|from torch import", line)  # of yacs
    if (what == "_C" and setting) or libraries.tells_of(failure.message):
        return
    cpu = what.split()[0] in ("CPU", "GPU", "CUDA", "cuda")
    says = without_cuda(failure) if cpu else not_built(failure, what)
    yield failure.hit(says, sure=bool(line) or what not in ("_C", "_ext"))
