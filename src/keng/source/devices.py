"""A layer of Code: what runs on a CUDA device, and when the host waits for it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from keng.source.evaluation import Evaluations
from keng.source.names import Definition
from keng.source.values import MODULES, Kind

STARTS_CUDA = frozenset(
    f"torch.cuda.{name}"
    for name in (
        "is_available",
        "init",
        "set_device",
        "current_device",
        "get_device_name",
        "get_device_properties",
        "get_device_capability",
        "mem_get_info",
        "synchronize",
    )
)
CLOCKS = frozenset(
    {
        *(
            f"time.{name}{ns}"
            for name in ("time", "perf_counter", "monotonic")
            for ns in ("", "_ns")
        ),
        "timeit.default_timer",
    }
)
STARTS_PROCESSES = (
    "subprocess.",
    "multiprocessing.",
    "torch.multiprocessing.",
    "os.system",
    "os.exec",
)
PROCESSES = ("multiprocessing", "torch.multiprocessing")
POOLS = (*(f"{module}.Pool" for module in PROCESSES), "concurrent.futures.ProcessPoolExecutor")
HANDED_TO_POOLS = (
    *("map", "imap", "imap_unordered", "starmap", "apply", "map_async", "starmap_async"),
    *("apply_async", "submit"),
)
"""Methods by which a pool is given what its processes run."""
ARRAY_MAKERS = frozenset(
    f"numpy.{name}"
    for name in (
        *(
            "array",
            "asarray",
            "ascontiguousarray",
            "zeros",
            "ones",
            "full",
            "empty",
            "arange",
            "eye",
        ),
        *("linspace", "load", "loadtxt", "stack", "concatenate", "vstack", "hstack", "zeros_like"),
        *("ones_like", "transpose", "frombuffer", "fromfile", "tile", "repeat", "pad", "flip"),
    )
)
QUEUED = frozenset({"backward", "step", "zero_grad"})
"""Methods of no tensor's value that only queue work on the device."""
READS = frozenset({"item", "tolist", "numpy"})
"""Tensor methods that hand a value to the host."""


class Stretch(NamedTuple):
    """Statements whose time is taken: from a reading of a clock to the difference of two."""

    difference: ast.expr
    statements: list[ast.stmt]


class Devices(Evaluations):
    def may_be_cuda(self, node: ast.AST | None, depth: int = 6) -> bool:
        """Whether an expression names a CUDA device, if only where there is one."""
        match node:
            case ast.Constant(value=str(text)):
                return text.startswith("cuda")
            case ast.JoinedStr(values=[first, *_]):
                return self.may_be_cuda(first, depth)
            case ast.IfExp():
                return self.may_be_cuda(node.body, depth) or self.may_be_cuda(node.orelse, depth)
            case ast.Call(args=[first, *_]) if self.resolve(node.func) == "torch.device":
                return self.may_be_cuda(first, depth)
            case ast.Call(func=ast.Attribute(attr="get"), args=[_, otherwise]):
                return self.may_be_cuda(otherwise, depth)
            case ast.Name() if depth:
                bound = [b.value for b in self.reaching(node) if b.how == "assign" and not b.path]
                if (default := self.default_of(node)) is not None:
                    return self.may_be_cuda(default, depth - 1)
                return any(self.may_be_cuda(value, depth - 1) for value in bound)
            case ast.Attribute() if depth and (owner := self.self_class(node.value)) is not None:
                given = self.attributes(owner).get(node.attr, [])
                return any(self.may_be_cuda(v, depth - 1) for v, path in given if not path)
        return False

    def default_of(self, name: ast.Name) -> ast.expr | None:
        """The default of an argument that a name is, and nothing else."""
        found = self.reaching(name)
        function = self.function_around(found[0].node) if len(found) == 1 else None
        if function is None or found[0].how != "argument":
            return None
        plain, only = function.args.defaults, function.args.kwonlyargs
        given = [*function.args.posonlyargs, *function.args.args]
        pairs = [
            *zip(given[len(given) - len(plain) :], plain, strict=True),
            *zip(only, function.args.kw_defaults, strict=True),
        ]
        return next((default for each, default in pairs if each is found[0].node), None)

    def puts_on_cuda(self, call: ast.Call) -> bool:
        """Whether a call moves something to a CUDA device, or makes it there."""
        match call.func:
            case ast.Attribute(attr="cuda"):
                return True
            case ast.Attribute(attr="to") if call.args and self.may_be_cuda(call.args[0]):
                return True
        return any(k.arg == "device" and self.may_be_cuda(k.value) for k in call.keywords)

    @cached_property
    def cuda_calls(self) -> list[ast.Call]:
        """The calls that move something to a CUDA device or make it there, in source order."""
        return [call for call in self.of(ast.Call) if self.puts_on_cuda(call)]

    def starts_cuda_before(self, node: ast.AST) -> ast.Call | None:
        """A call, always made before a node, that starts CUDA in this process: in the same function,
        one around it, or at the top of the file."""
        started = [*self.calls_to(*STARTS_CUDA), *self.cuda_calls]
        for call in sorted(started, key=self.position):
            if self.position(call) >= self.position(node) or self._exclusive(call, node):
                continue
            home = self.function_around(call)
            if home is None or self.within(node, home):
                return call
        return None

    def starts_processes(self) -> bool:
        """Whether the file starts other processes, which take the environment as it is then."""
        return any(
            self.resolve(call.func).startswith(STARTS_PROCESSES) for call in self.of(ast.Call)
        )

    def environment_sets(self, name: str) -> Iterator[ast.Assign]:
        """The statements `os.environ[NAME] = ...`."""
        for assign in self.of(ast.Assign):
            match assign.targets:
                case [ast.Subscript(value=environ, slice=ast.Constant(value=key))] if key == name:
                    if self.resolve(environ) == "os.environ":
                        yield assign

    def on_cuda(self, name: ast.Name) -> bool:
        """Whether a name stands for something that was made on a CUDA device or moved there."""
        for binding in self.reaching(name):
            value, path = binding.value, binding.path
            while path and isinstance(value, (ast.Tuple, ast.List)) and path[0] < len(value.elts):
                value, path = value.elts[path[0]], path[1:]
            inner = [value, *self.below(value, ast.Call)] if value is not None else []
            if binding.how == "assign" and any(
                isinstance(call, ast.Call) and self.puts_on_cuda(call) for call in inner
            ):
                return True
        return any(
            isinstance(call.func, ast.Attribute)
            and ast.unparse(call.func.value) == name.id
            and self.kind_of(call.func.value) in MODULES
            for call in self.cuda_calls
        )

    def is_clock(self, node: ast.expr | None) -> bool:
        """Whether an expression reads a clock, or is a name that was given such a reading."""
        if isinstance(node, ast.Name):
            return any(b.how == "assign" and self.is_clock(b.value) for b in self.reaching(node))
        return isinstance(node, ast.Call) and self.resolve(node.func) in CLOCKS

    @property
    def timed(self) -> Iterator[Stretch]:
        """What stands between two readings of a clock in one block."""
        for difference in self.of(ast.BinOp):
            match difference:
                case ast.BinOp(op=ast.Sub(), left=left, right=ast.Name() as right):
                    if not (self.is_clock(left) and self.is_clock(right)):
                        continue
                    starts, ends = self._readings(right), self._readings(left)
                    if len(starts) == 1 and len(ends) == 1:
                        yield Stretch(difference, self._between(starts[0], ends[0]))

    def _readings(self, node: ast.expr) -> list[ast.stmt]:
        if isinstance(node, ast.Name):
            return [self.statement(b.node) for b in self.reaching(node)]
        return [self.statement(node)]

    def _between(self, start: ast.stmt, end: ast.stmt) -> list[ast.stmt]:
        for block in ("body", "orelse", "finalbody"):
            statements = getattr(self.parent.get(start), block, [])
            if isinstance(statements, list) and start in statements and end in statements:
                return statements[statements.index(start) + 1 : statements.index(end)]
        return []

    def only_queues(self, call: ast.Call) -> bool:
        """Whether a call is known to do no more than to queue work on a device."""
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if name in ("cpu", *READS) or self.resolve(call.func).startswith("torch.cuda."):
            return False
        known = self.kind_of(call) is Kind.TENSOR or self.kind_of(call.func) in MODULES
        return known or name in QUEUED or self.resolve(call.func) == "builtins.range"

    def loader_of(self, name: ast.Name) -> ast.Call | None:
        """The call that made the loader whose batches a name goes through."""
        for binding in self.reaching(name):
            node = binding.value if binding.how == "for" else None
            while (
                isinstance(node, ast.Call) and node.args and self.kind_of(node) is not Kind.LOADER
            ):
                node = node.args[0]
            if self.kind_of(node) is Kind.LOADER:
                return self.value_of(node).call
        return None

    def cuda_in_items(self, dataset: Definition) -> ast.Call | None:
        """The call by which `__getitem__` of a dataset of the project uses CUDA."""
        getter = dataset.code.method(dataset, "__getitem__")
        if getter is None:
            return None
        code = getter.code
        return next((c for c in code.cuda_calls if code.within(c, getter.node)), None)

    def forked_with_cuda(self) -> Iterator[tuple[ast.Call, str, ast.Call]]:
        """Processes that are started by fork to run a function that uses CUDA: where they are made, the
        function, and its use."""
        chosen = (*self.method_calls("set_start_method"), *self.method_calls("get_context"))
        named = (*self.calls_to(*(f"{m}.set_start_method" for m in PROCESSES)), *chosen)
        for call, target in self._given_to_processes() if not named else ():
            if isinstance(target, ast.Call) and self.resolve(target.func) == "functools.partial":
                target = target.args[0]
            found = self.definition(target)
            if found is None:
                continue
            inside = [c for c in found.code.cuda_calls if found.code.within(c, found.node)]
            if inside:
                yield call, ast.unparse(target), inside[0]

    def _given_to_processes(self) -> Iterator[tuple[ast.Call, ast.expr]]:
        """The calls that make processes, and what these run: a `target`, or what a pool is handed."""
        for call in self.calls_to(*(f"{m}.Process" for m in PROCESSES)):
            yield from ((call, k.value) for k in call.keywords if k.arg == "target")
        for call in self.method_calls(*HANDED_TO_POOLS):
            pool = self.receiver_made_by(call)
            if pool is None or self.resolve(pool.func) not in POOLS or not call.args:
                continue
            if not any(k.arg == "mp_context" for k in pool.keywords):
                yield pool, call.args[0]

    def receiver_made_by(self, call: ast.Call) -> ast.Call | None:
        """The one call that gave a name what a method is called on: `with Pool() as pool`."""
        receiver = self.me.receiver(call)
        found = self.reaching(receiver) if isinstance(receiver, ast.Name) else []
        made = found[0].value if len(found) == 1 and not found[0].path else None
        return made if isinstance(made, ast.Call) else None

    def is_timed(self, node: ast.AST) -> bool:
        """Whether the function of a node, or the file where it stands in none, reads clocks."""
        scope = self.function_around(node)
        clocks = self.calls_to(*CLOCKS, "torch.cuda.Event")
        return any(self.function_around(call) is scope for call in clocks)

    def non_blocking(self, call: ast.Call) -> bool:
        """Whether a copy is told not to wait."""
        return any(
            k.arg == "non_blocking" and self.is_constant(k.value, True) for k in call.keywords
        )

    def copied_to_host(self, node: ast.expr) -> ast.Call | None:
        """The call `.to("cpu")` that an expression is, or that its name was last given."""
        if isinstance(node, ast.Name):
            value = self.assigned(node)
            return self.copied_to_host(value) if isinstance(value, ast.Call) else None
        match node:
            case ast.Call(func=ast.Attribute(attr="to"), args=[ast.Constant(value="cpu"), *_]):
                return node
        return None

    def waits_between(self, start: ast.AST, end: ast.AST) -> bool:
        """Whether anything between two places may wait for the device: a call of `synchronize`, of an
        event or stream, or of a function of one's own."""
        first, last = self.position(start), self.position(end)
        between = [c for c in self.of(ast.Call) if first < self.position(c) < last]
        return any(c is not start and not self.only_queues(c) and c is not end for c in between)

    def is_positive(self, node: ast.expr | None) -> bool:
        """Whether an expression is a number above zero."""
        match node:
            case ast.Constant(value=int(number)):
                return number > 0
        return False

    def is_array(self, node: ast.expr) -> bool:
        """Whether an expression is known to be a NumPy array, and no number that NumPy computed."""
        value = self.value_of(node)
        match node:
            case ast.Call(func=ast.Attribute(attr="astype", value=ast.Call(func=made) as inner)):
                return self.resolve(made).startswith("numpy.random.") or self.is_array(inner)
        return value.kind is Kind.ARRAY and value.dotted in ARRAY_MAKERS

    def lists_arrays(self, node: ast.expr) -> bool:
        """Whether an expression is a list of NumPy arrays."""
        match node:
            case ast.ListComp(elt=item):
                return self.is_array(item)
            case ast.List(elts=[_, *_] as items):
                return all(self.is_array(item) for item in items)
            case ast.Name():
                value = self.assigned(node)
                return isinstance(value, (ast.ListComp, ast.List)) and self.lists_arrays(value)
        return False

    def parameter_loops(self) -> Iterator[tuple[ast.For, str]]:
        """The loops over the parameters of a module, and what they call one."""
        for loop in self.of(ast.For):
            match loop.iter, loop.target:
                case ast.Call(func=ast.Attribute(attr="parameters")), ast.Name(id=name):
                    yield loop, name
                case (
                    ast.Call(func=ast.Attribute(attr="named_parameters")),
                    ast.Tuple(elts=[_, ast.Name(id=name)]),
                ):
                    yield loop, name

    def _is_grad_there(self, test: ast.expr) -> bool:
        """`p.grad is not None`, which is so for all that are trained."""
        match test:
            case ast.Compare(left=ast.Attribute(attr="grad"), ops=[ast.IsNot()]):
                return True
        return False

    def reads_in(self, loop: ast.For) -> Iterator[ast.Call]:
        """The calls in each round of a loop, under no condition but that there is a gradient, that
        hand a tensor's value to the host."""
        for call in self.below(loop, ast.Call):
            if self.around(call, ast.IfExp, ast.For, ast.FunctionDef) is not loop:
                continue
            tests = [a for a in self.ancestors(call) if isinstance(a, ast.If)]
            if not all(self._is_grad_there(t.test) for t in tests if self.within(t, loop)):
                continue
            match call:
                case ast.Call(func=ast.Attribute(attr="item" | "tolist", value=value), args=[]):
                    pass
                case ast.Call(func=ast.Name(id="float"), args=[value]):
                    pass
                case _:
                    continue
            if self.kind_of(value) is Kind.TENSOR:
                yield call
