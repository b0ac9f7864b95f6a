"""Runs a whole program under watch as `python` runs it: `keng run [-m] target args...`."""

from __future__ import annotations

import importlib.util
import io
import linecache
import os
import sys
from collections.abc import Callable, Iterable
from importlib.machinery import BuiltinImporter, SourceFileLoader
from pathlib import Path
from pkgutil import get_importer, read_code
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from keng._util.texts import sentence
from keng.model import Finding, Pitfall
from keng.run.findings import Result
from keng.run.plan import Plan
from keng.run.shutdown import told_first
from keng.run.tracebacks import ended_with, in_threads, strip
from keng.run.watch import Watch


class TorchMissing(Exception):  # noqa: N818
    """There is no torch in this environment."""


class Refused(Exception):  # noqa: N818
    """A program that Python would not begin to run: the message and exit code are Python's own."""

    def __init__(self, says: str, code: int) -> None:
        super().__init__(says)
        self.code = code


class Program(NamedTuple):
    """A program before it runs: `code` is called last, for it may not compile."""

    code: Callable[[], CodeType]
    argv0: str
    path0: str | None
    attributes: dict[str, Any]


def run(
    target: str,
    args: list[str],
    *,
    module: bool = False,
    pitfalls: Iterable[Pitfall],
    on_finding: Callable[[Finding], None] | None = None,
    on_error: Callable[[BaseException], None] | None = None,
    on_end: Callable[[Result], None] | None = None,
    plan: Plan | None = None,
) -> int:
    """Runs a script, a folder or zip file with a `__main__.py`, or with `module` a module. Returns its
    exit code. `on_error` is handed the exceptions that ended it, or a thread of it, after Python's own
    traceback was printed, and a SystemExit that was raised where another exception had been caught.
    Callbacks are not called in forked children that come out here. `plan` is for runs of several ranks.

    Raises: TorchMissing before anything runs; KeyboardInterrupt where the program was interrupted, so
    that Python ends as it does then.
    """
    if importlib.util.find_spec("torch") is None:
        raise TorchMissing("PyTorch is not installed here")
    process = os.getpid()
    plan = (plan or Plan())._replace(follows=True)
    if on_end is not None:
        plan = plan._replace(
            on_abort=lambda: on_end(watching.result), on_asked=lambda: on_end(watching.result)
        )
    watching = Watch(pitfalls, on_finding, plan).start()

    def explain(error: BaseException) -> None:
        if on_error is not None and os.getpid() == process:
            on_error(error)

    try:
        program = _module(target) if module else _script(target)
        with in_threads(explain):
            raised = _execute(program, args)
    except Refused as refusal:
        print(refusal, file=sys.stderr)
        return refusal.code
    with told_first():
        code, error = _outcome(raised)
        if os.getpid() == process:
            result = watching.stop(_ending(code, error))
            broke = error if error is not None else _swallowed(raised, code)
            if isinstance(broke, (Exception, SystemExit)):
                explain(broke)
            if on_end is not None:
                on_end(result)
    if isinstance(error, KeyboardInterrupt):
        sys.excepthook = lambda *_: None  # it has been printed; Python must still die of it
        raise error
    return code


def _ending(code: int, error: BaseException | None) -> str:
    if error is not None:
        return ended_with(error)
    return sentence("rank_exited", code=code) if code else sentence("rank_ended")


def _swallowed(raised: BaseException | None, code: int) -> SystemExit | None:
    """What Hydra and its like raise when they have caught and printed an error of the program."""
    caught = isinstance(raised, SystemExit) and isinstance(raised.__context__, Exception)
    return raised if code and caught else None  # type: ignore[return-value]


def _execute(program: Program, args: list[str]) -> BaseException | None:
    sys.argv[:] = [program.argv0, *args]
    if program.path0 is not None and not getattr(sys.flags, "safe_path", False):
        sys.path[0] = program.path0
    main = ModuleType("__main__")
    vars(main).update(program.attributes, __builtins__=sys.modules["builtins"])
    if sys.version_info < (3, 14):
        main.__annotations__ = {}
    sys.modules["__main__"] = main
    return _raised_by(lambda: exec(program.code(), vars(main)))


def _outcome(error: BaseException | None) -> tuple[int, BaseException | None]:
    """The exit code, and what broke the program, printed as Python prints it. No exception is being
    handled here, which would show as the context of one that a hook raises."""
    if error is None:
        return 0, None
    if isinstance(error, SystemExit):
        return _exit_code(error.code), None
    strip(error)
    _print(error)
    return 1, error


def _raised_by(program: Callable[[], None]) -> BaseException | None:
    try:
        program()
    except BaseException as error:
        return error
    return None


def _exit_code(code: object) -> int:
    if code is None:
        return 0
    if isinstance(code, int):
        return code
    print(code, file=sys.stderr)
    return 1


def _print(error: BaseException) -> None:
    """As Python prints what nobody caught, by the program's own hook where it has set one."""
    sys.stdout.flush()
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, error.__traceback__
    other = _raised_by(lambda: sys.excepthook(type(error), error, error.__traceback__))
    if other is not None:
        print("Error in sys.excepthook:", file=sys.stderr)
        strip(other)
        sys.__excepthook__(type(other), other, other.__traceback__)
        print("\nOriginal exception was:", file=sys.stderr)
        sys.__excepthook__(type(error), error, error.__traceback__)


def _stdin() -> Program:
    text, path = sys.stdin.buffer.read(), "<stdin>"
    lines = text.decode("utf-8", "replace").splitlines(keepends=True)
    linecache.cache[path] = len(text), None, lines, path  # for who shows the code of a place
    attributes = {**_of_file(path), "__loader__": BuiltinImporter}
    return Program(lambda: _compile(text, path), "-", "", attributes)


def _script(target: str) -> Program:
    if target == "-":
        return _stdin()
    path = os.path.abspath(target)
    if _is_container(target):
        return _container(target, path, get_importer(path))
    try:
        text = Path(target).read_bytes()
    except OSError as error:
        says = f"{sys.executable}: can't open file '{path}': [Errno {error.errno}] {error.strerror}"
        raise Refused(says, 2) from None
    # A compiled file begins with a number that no source can.
    compiled = read_code(io.BytesIO(text))
    code = (lambda: compiled) if compiled is not None else (lambda: _compile(text, path))
    return Program(code, target, os.path.dirname(os.path.realpath(target)), _of_file(path))


def _of_file(path: str) -> dict[str, Any]:
    return {
        "__file__": path,
        "__loader__": SourceFileLoader("__main__", path),
        "__package__": None,
        "__spec__": None,
        "__cached__": None,
    }


def _compile(text: bytes, path: str) -> CodeType:
    return compile(text, path, "exec", dont_inherit=True)


def _is_container(target: str) -> bool:
    import zipfile

    return os.path.isdir(target) or zipfile.is_zipfile(target)


def _container(target: str, path: str, importer: Any) -> Program:
    spec = importer.find_spec("__main__")
    if spec is None or spec.loader is None:
        raise Refused(f"{sys.executable}: can't find '__main__' module in '{path}'", 1)
    code = lambda: spec.loader.get_code("__main__")  # noqa: E731
    return Program(code, target, path, _of_spec(spec))


def _module(name: str) -> Program:
    # The module is looked for from the folder one is in.
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = os.getcwd()
    spec = _find(name)
    if spec is not None and spec.submodule_search_locations is not None:
        package, name = name, f"{name}.__main__"
        spec = _find(name)
        if spec is None:
            raise Refused(
                f"{sys.executable}: No module named {name}; {package!r} is a package and cannot be "
                "directly executed",
                1,
            )
    if spec is None or spec.loader is None:
        raise Refused(f"{sys.executable}: No module named {name}", 1)
    loader: Any = spec.loader
    return Program(lambda: loader.get_code(name), spec.origin or name, None, _of_spec(spec))


def _find(name: str) -> Any:
    try:
        return importlib.util.find_spec(name)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        says = f"{sys.executable}: Error while finding module specification for {name!r}"
        raise Refused(f"{says} ({type(error).__name__}: {error})", 1) from None


def _of_spec(spec: Any) -> dict[str, Any]:
    return {
        "__file__": spec.origin,
        "__loader__": spec.loader,
        "__package__": spec.parent,
        "__spec__": spec,
        "__cached__": spec.cached,
    }
