"""A server that forks `python -m MODULE` and `python SCRIPT` from a process that has imported torch.

A forked process finds none of the preloaded packages in `sys.modules`: `import torch` goes through the
finders and hands over the module that was imported before the fork, with all that its import had brought.
So what waits for the import of torch sees it, and what must not import torch is found out.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import gc
import importlib
import io
import marshal
import os
import runpy
import selectors
import signal
import socket
import sys
import weakref
from collections.abc import Callable, Iterator
from functools import partial
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

ROOMS = ("check", "ckpt", "cli", "explain", "pitfalls", "ranks", "report", "run", "source")
"""Of keng, whose modules are loaded."""
REQUEST = 1 << 20
"""Bytes of the longest request: the arguments and the environment."""


class Request(NamedTuple):
    """A process to fork: the words after `python`, and where it runs. Its three streams come with it."""

    words: list[str]
    cwd: str
    environment: dict[str, str]
    new_session: bool


class Loader:
    """Hands a preloaded module over in place of executing its file."""

    def __init__(self, module: ModuleType, then: Callable[[], None]) -> None:
        self._module, self._then = module, then
        self._spec: Any = module.__spec__

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec
        self._then()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._spec.loader, name)


class Preloaded:
    """Finds the modules that imports of one package brought, which were taken out of `sys.modules` since."""

    def __init__(self, package: str, *more: str) -> None:
        before = set(sys.modules)
        for name in (package, *more):
            importlib.import_module(name)
        self._package = _package(package)
        self.modules = {
            each: sys.modules[each]
            for each in sys.modules
            if each not in before and _package(each) not in sys.stdlib_module_names
        }
        self._attributes: dict[str, tuple[ModuleType, str]] = {}

    def hide(self) -> None:
        for name, module in self.modules.items():
            del sys.modules[name]
            home, _, attribute = name.rpartition(".")
            parent = sys.modules.get(home)
            if parent is not None and vars(parent).get(attribute) is module:
                delattr(parent, attribute)
                self._attributes[name] = parent, attribute
        sys.meta_path.insert(0, self)  # type: ignore[arg-type]

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name not in self.modules:
            return None
        module = self.modules[name]
        was: Any = module.__spec__
        loader: Any = Loader(module, partial(self._bring, _package(name)))
        spec = ModuleSpec(name, loader, origin=was.origin)
        spec.submodule_search_locations = was.submodule_search_locations
        spec.has_location = was.has_location
        return spec

    def _bring(self, package: str) -> None:
        """The whole import, or of another package that it brought that package alone."""
        whole = package == self._package
        for name in [n for n in self.modules if whole or _package(n) == package]:
            module = self.modules.pop(name)
            sys.modules.setdefault(name, module)
            if name in self._attributes:
                parent, attribute = self._attributes[name]
                setattr(parent, attribute, module)


def _package(name: str) -> str:
    return name.partition(".")[0]


def _of_keng() -> Iterator[str]:
    """The modules of keng that need no library but torch."""
    home = Path(importlib.import_module("keng").__path__[0])
    for file in sorted(file for room in ROOMS for file in home.joinpath(room).rglob("*.py")):
        if file.parent.name != "cases" and not file.stem.startswith("__"):
            yield ".".join(file.relative_to(home.parent).with_suffix("").parts)


def serve(name: str) -> Callable[[], object]:
    """Answers requests at an abstract socket until every client has gone; returns, in a forked process,
    what it is to run. A client that asks for nothing keeps the server alive. Where another server has the
    name, this one ends."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        listener.bind(f"\0{name}")
    except OSError:
        sys.exit()
    listener.listen(64)
    with _nothing_left_for_the_end():
        # An optimizer imports torch._dynamo when it is first stepped.
        hidden = [Preloaded("torch"), Preloaded("torch._dynamo"), Preloaded("keng", *_of_keng())]
    begin = partial(_begin, sys.modules["numpy"].random.seed, sys.modules["keng.report.places"])
    for each in reversed(hidden):
        each.hide()
    _outlive_python([module for each in hidden for module in each.modules.items()])
    gc.collect()
    gc.freeze()  # else each search for garbage in a process copies the memory of all of torch
    return _Server(listener, begin).serve()


def _begin(seed: Callable[[], None], places: Any) -> None:
    """What modules do at the start of a process, in the folder that it starts in; `random` sees to itself."""
    seed()
    places.HERE = os.getcwd()


def shorten() -> None:
    """Has Python print the error without the frame that called what was to run."""
    hook = sys.excepthook

    def excepthook(kind: type[BaseException], error: BaseException, trace: Any) -> None:
        error.__traceback__ = trace.tb_next
        hook(kind, error, trace.tb_next)

    sys.excepthook = excepthook


@contextlib.contextmanager
def _nothing_left_for_the_end() -> Iterator[None]:
    """What libraries register for the end of Python is dropped: it would run where torch is not imported."""
    register = atexit.register

    def register_own(function: Any, *args: Any, **more: Any) -> Any:
        own = _package(function.__module__ or "") in sys.stdlib_module_names
        return register(function, *args, **more) if own else function

    atexit.register = register_own  # type: ignore[assignment]
    try:
        yield
    finally:
        atexit.register = register
        weakref.finalize._registry.clear()  # type: ignore[attr-defined]


def _outlive_python(modules: list[tuple[str, ModuleType]]) -> None:
    """At the very end Python takes modules apart, and the libraries of torch free what they hold, which
    would copy the memory of all of torch. It is left out for the preloaded modules. What is registered
    first runs last: after all that a program has registered."""
    atexit.register(lambda: [sys.modules.pop(name, None) for name, _ in modules])
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(modules))
    libc = ctypes.CDLL(None)
    libc.on_exit(libc._exit, None)


class _Server:
    def __init__(self, listener: socket.socket, begin: Callable[[], None]) -> None:
        self._begin = begin
        self._ready = selectors.DefaultSelector()
        self._ready.register(listener, selectors.EVENT_READ, self._accept)
        self._clients: set[socket.socket] = set()

    def serve(self) -> Callable[[], object]:
        while True:
            for key, _ in self._ready.select():
                forked = key.data(key.fileobj)
                if forked is not None:
                    return forked  # type: ignore[no-any-return]
            if not self._clients:
                os._exit(0)  # nothing of torch needs an end

    def _accept(self, listener: socket.socket) -> None:
        client, _ = listener.accept()
        self._clients.add(client)
        self._ready.register(client, selectors.EVENT_READ, self._answer)

    def _answer(self, client: socket.socket) -> Callable[[], object] | None:
        message, streams, _, _ = socket.recv_fds(client, REQUEST, 3)
        if not message:
            self._leave(client)
            return None
        pid = os.fork()
        if not pid:
            self._close()
            forked = _process(Request(*marshal.loads(message)), streams)
            self._begin()
            return forked
        for stream in streams:
            os.close(stream)
        client.send(str(pid).encode())
        self._ready.modify(client, selectors.EVENT_READ, partial(self._kill, pid))
        end = partial(self._end, pid, client)
        self._ready.register(os.pidfd_open(pid), selectors.EVENT_READ, end)
        return None

    def _kill(self, pid: int, client: socket.socket) -> None:
        """A process does not outlive who asked for it, as a real one ends by what ends that one."""
        self._leave(client)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    def _end(self, pid: int, client: socket.socket, watched: int) -> None:
        _, status = os.waitpid(pid, 0)
        self._ready.unregister(watched)
        os.close(watched)
        if client in self._clients:
            with contextlib.suppress(BrokenPipeError):
                client.send(str(os.waitstatus_to_exitcode(status)).encode())
            self._leave(client)

    def _leave(self, client: socket.socket) -> None:
        self._ready.unregister(client)
        self._clients.remove(client)
        client.close()

    def _close(self) -> None:
        for key in list(self._ready.get_map().values()):
            os.close(key.fd)
        for client in self._clients:
            client.detach()
        self._ready.close()


def _process(request: Request, streams: list[int]) -> Callable[[], object]:
    """Makes this process what Python would have started for the request."""
    if request.new_session:
        os.setsid()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(request.environment)
    os.chdir(request.cwd)
    unbuffered = "-u" in request.words[:1] or bool(os.environ.get("PYTHONUNBUFFERED"))
    sys.stdin, sys.stdout, sys.stderr = (_stream(number, unbuffered) for number in range(3))
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr
    sys.executable = request.environment.get("KENG_TESTS_PYTHON", sys.executable)
    sys.orig_argv = [sys.executable, *request.words]
    main = sys.modules["__main__"] = ModuleType("__main__")
    vars(main).update(__builtins__=sys.modules["builtins"], __annotations__={})
    first, *rest = request.words[request.words[0] == "-u" :]
    if first == "-m":
        sys.argv, sys.path[0] = ["-m", *rest[1:]], os.getcwd()
        return partial(runpy._run_module_as_main, rest[0])  # type: ignore[attr-defined]
    sys.argv, sys.path[0] = [first, *rest], os.path.dirname(os.path.realpath(first))
    file = os.path.abspath(first)
    vars(main).update(__file__=file, __cached__=None, __loader__=SourceFileLoader("__main__", file))
    return partial(exec, compile(Path(file).read_bytes(), file, "exec"), vars(main))


def _stream(number: int, unbuffered: bool) -> io.TextIOWrapper:
    """A standard stream as Python opens it at its start."""
    buffered = not number or not unbuffered
    binary: Any = os.fdopen(number, "wb" if number else "rb", -1 if buffered else 0, closefd=False)
    raw = binary.raw if buffered else binary
    raw.name = ("<stdin>", "<stdout>", "<stderr>")[number]
    own = (sys.__stdin__, sys.__stdout__, sys.__stderr__)[number]
    lines = number == 2 or (buffered and raw.isatty())
    return io.TextIOWrapper(binary, own.encoding, own.errors, "\n", lines, not buffered)
