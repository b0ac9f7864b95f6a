"""What is said of a program as it was started, or of what it gave to a tracer."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

REFUSED = re.compile(
    r"(?:^|\s)(?P<file>[\w.-]{1,80}\.py): error: (?P<said>(?:the following arguments are required|"
    r"unrecognized arguments|argument |ambiguous option).{1,120}?)(?=\s{2}|\n|$)"
)
"""Of argparse."""

IN_PLAIN = {
    "formatting in JoinedStr": 'f"{x:.3f}", a format in an f-string',
    "conversion in JoinedStr": 'f"{x!r}", a conversion in an f-string',
    "kind of augmented assignment": "this operator before `=`, as in `@=`",
    "a single generator": "a comprehension over two loops",
}
"""What TorchScript calls parts of a program -> how they are written."""


def refused_arguments(text: str) -> str:
    """That a program did not take its command line, as a sentence; nothing where none says so."""
    found = REFUSED.search(text)
    if found is None:
        return ""
    return (
        f"{found['file']} ended by itself, as it does not take what it was given: {found['said']}"
    )


def told_of_attribute(name: str, own: bool) -> str:
    """What TorchScript does not take of an attribute, or of a method; `own` where it is the module's."""
    if own:
        return (
            f"the compiler knows no `{name}`: set it in __init__, to what has a type of TorchScript; a "
            "package may be written for a newer PyTorch"
        )
    return f"the compiler cannot take `{name}` along: leave it out, annotate it, or ignore the function"


def told_of_traced(kind: str) -> str:
    """One line about what went into a traced model or came out of it, and is no tensor."""
    if kind == "NoneType":
        return (
            "None is among what the model takes or gives, and tracing takes tensors alone: leave it out, "
            "in a wrapper's forward that returns a tuple of tensors"
        )
    if kind in ("int", "float", "bool", "str"):
        return (
            f"a plain {kind} is among what the model takes or gives, and a trace keeps no such argument: "
            "bind it before, functools.partial or an attribute"
        )
    return (
        f"a `{kind}` goes into the model or comes out of it, and tracing takes tensors alone: "
        "a wrapper whose forward takes tensors and returns a tuple of them"
    )


def unheard(what: str) -> str:
    """Why nothing is heard of rank 0, by what the system said of it."""
    if what.startswith("host"):
        return (
            "the name in MASTER_ADDR or init_method is not known on this machine: the IP address of the "
            "first one, without http://"
        )
    if what.startswith("N"):
        return (
            "no way leads from this machine to the address, or a firewall there refuses: an address that all "
            "nodes reach for MASTER_ADDR, and their interface for GLOO_SOCKET_IFNAME and NCCL_SOCKET_IFNAME"
        )
    return (
        "the store of rank 0 does not answer: rank 0 was not started (ranks count from 0), the address is "
        "another's, or a firewall stands between"
    )


NETWORK = re.compile(
    r"urlopen error|HTTP Error [45]\d\d|Connection reset by peer|ReadTimeoutError|Could not resolve host|"
    r"CERTIFICATE_VERIFY_FAILED|[Nn]ame or service not known|RPC failed; curl"
)


def not_fetched(failure: Failure) -> bool:
    """Whether a build ended as what it was to fetch did not come."""
    return NETWORK.search(f"{failure.told}\n{failure.message}") is not None


OF_CHECKS = {
    r"CUDAGuardImpl\.h": (
        "a tensor lies on the CPU where a step on the card wants it: model, inputs, targets and "
        "what forward makes to one device"
    ),
    r"/mps/|\.mm\b": (
        "a fault of this PyTorch on a Mac's GPU: x.contiguous() before it, a newer PyTorch, or the "
        "CPU"
    ),
    r"codegen[/\\]cuda": (
        "a fault of the fuser of TorchScript: torch._C._jit_set_nvfuser_enabled(False), or a newer "
        "PyTorch"
    ),
    r"handles_": (
        "expandable_segments of PYTORCH_CUDA_ALLOC_CONF met a card that is full, or another "
        "process: without it"
    ),
}
"""A place or a word of a check inside PyTorch -> what is behind it."""


def behind_a_check(message: str) -> str:
    """What is behind a check that has failed inside PyTorch, where its place tells."""
    found = (why for said, why in OF_CHECKS.items() if re.search(said, message))
    return next(found, "its fault or an extension's; try another version, and the CPU")
