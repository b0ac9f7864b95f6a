"""Error messages: the compiler behind torch.compile failed, not the program."""

from __future__ import annotations

from keng.explain.advice.compiled import not_compiled, raised_behind, without_triton
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-triton")
def no_triton(failure: Failure) -> Hits:
    yield failure.hit(without_triton(failure))


@explains("an-old-card")
def an_old_card(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['card']}` is too old for Triton: backend='eager', or no torch.compile"
    )


@explains("no-compiler")
def no_compiler(failure: Failure) -> Hits:
    compiler, cure = failure.groups["compiler"], "install g++ or set CXX"
    if compiler.startswith("cl"):
        cure = "start from the x64 Native Tools prompt of Visual Studio"
    says = f"inductor finds no C++ compiler on this machine: {cure}"
    if compiler.startswith("C "):
        says = "Triton finds no C compiler on this machine: apt install build-essential, or CC=/path/to/gcc"
    yield failure.hit(says)


@explains("compiler-refuses")
def compiler_refuses(failure: Failure) -> Hits:
    yield failure.hit(not_compiled(failure))


@explains("raised-in-the-backend")
def raised_in_the_backend(failure: Failure) -> Hits:
    backend, error = failure.groups["backend"], failure.groups["error"]
    known = ("triton", "InvalidCxxCompiler", "CppCompileError")
    if not any(word in error for word in known):
        yield failure.hit(raised_behind(backend, error))


@explains("inductor-itself")
def inductor_itself(failure: Failure) -> Hits:
    op, error = failure.groups.get("op", ""), failure.groups.get("error", "").rstrip(". ")
    at = f" at {op}" if op else f" ({error})" if error else ""
    yield failure.hit(
        f"inductor failed{at}, not the program: another version, or torch.compile(..., backend='aot_eager')"
    )


@explains("no-link-to-the-driver")
def no_link_to_the_driver(failure: Failure) -> Hits:
    yield failure.hit(
        "Triton finds no file libcuda.so: the driver has libcuda.so.1 alone; sudo ldconfig with its folder, or a link of "
        "that name beside it"
    )


@explains("dynamo-itself")
def dynamo_itself(failure: Failure) -> Hits:
    yield failure.hit(
        f"dynamo itself failed ({failure.groups['error'].rstrip('. ')}), not the program: another version, or torch.compiler.disable() on the "
        "function that it names"
    )
