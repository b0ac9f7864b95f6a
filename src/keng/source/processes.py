"""A layer of Code: programs of several processes, what each rank does and what all must do together."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property

from keng.model import Fix
from keng.source.contexts import expects_an_error
from keng.source.edits import whole_number
from keng.source.index import FUNCTIONS, Function
from keng.source.layouts import Layouts
from keng.source.values import Kind, two_of

RANK = re.compile(r"(?:(?:global|local|world|dist|ddp|node|my)_?)?rank", re.IGNORECASE)
MAIN = re.compile(
    r"_?is_(?:main|master|root|chief|rank_?zero|rank0)(?:_process)?|(?:main|master)_process"
)
RANKISH = re.compile(r"rank|is_main|is_master|main_process|master|chief|is_root", re.IGNORECASE)
PROCESS = re.compile(RANKISH.pattern + r"|gpu|device_id|proc(?:ess)?_id", re.IGNORECASE)
"""How a test may name that lets one process through: a card is one process."""
COLLECTIVES = tuple(
    f"torch.distributed.{name}"
    for name in (
        "all_reduce broadcast reduce all_gather gather scatter reduce_scatter all_to_all barrier "
        "monitored_barrier all_gather_object gather_object broadcast_object_list scatter_object_list "
        "all_gather_into_tensor all_gather_single reduce_scatter_tensor reduce_scatter_single"
    ).split()
)
ROOTED = {"gather", "scatter", "gather_object", "scatter_object_list"}
"""Collectives that take other arguments on one rank than on the others."""
GROUP_AT = {
    **dict.fromkeys(("barrier", "monitored_barrier"), 0),
    **dict.fromkeys(("all_reduce", "broadcast", "all_gather", "all_gather_object"), 2),
    **dict.fromkeys(("all_gather_into_tensor", "broadcast_object_list"), 2),
    **dict.fromkeys(("reduce", "gather", "scatter", "reduce_scatter", "gather_object"), 3),
}
"""The position at which a collective takes its group."""
WRAPS = (
    "torch.nn.parallel.DistributedDataParallel",
    "torch.nn.parallel.distributed.DistributedDataParallel",
)
MOST_VALUES = 100
"""Looked at for a word of ranks, from an expression back to what it comes of."""
OTHER = {"zero": "others", "others": "zero", "": ""}
SMALL = 8
"""Samples a rank; a batch norm's statistics of fewer are mostly noise."""


class Processes(Layouts):
    @cached_property
    def wraps(self) -> list[ast.Call]:
        """The calls that wrap a model in DistributedDataParallel."""
        return list(self.calls_to(*WRAPS))

    @cached_property
    def is_distributed(self) -> bool:
        """Whether the file sets up the processes of a run, or wraps or prepares a model for them."""
        begins = self.calls_to("torch.distributed.init_process_group")
        prepared = any(map(self._accelerates, self.method_calls("prepare")))
        return bool(self.wraps) or any(True for _ in begins) or prepared

    def runs_on_ranks(self, node: ast.AST, depth: int = 3) -> bool:
        """Whether a place belongs to a program of several processes: by its own file, or by those that
        call the function around it."""
        if self.is_distributed:
            return True
        function = self.function_around(node) if depth else None
        calls = self.callers(function) if function is not None else ()
        return any(code.runs_on_ranks(call, depth - 1) for code, call in calls)

    def prepared_by(self, model: ast.expr) -> ast.expr | None:
        """The Accelerator whose `prepare` gave a model: one that is wrapped where several processes run."""
        ways: list[ast.AST | None] = []
        if isinstance(model, ast.Name):
            ways = [binding.value for binding in self.reaching(model)]
        elif isinstance(model, ast.Attribute) and (owner := self.self_class(model.value)):
            ways = [value for value, _ in self.attributes(owner).get(model.attr, [])]
        match ways[-1:]:
            case [ast.Call(func=ast.Attribute(attr="prepare", value=by)) as call]:
                is_model = self.kind_of(model) is Kind.MODULE
                return by if is_model and self._accelerates(call) else None
        return None

    # which rank comes by

    def rank_arm(self, test: ast.expr) -> str:
        """Which ranks a test lets in: "zero", "others", or "" where it is not about ranks."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return OTHER[self.rank_arm(inner)]
            case ast.BoolOp(op=ast.And(), values=values):
                return next((arm for value in values if (arm := self.rank_arm(value))), "")
            case ast.Compare(left=left, ops=[op], comparators=[right]) if self.is_rank(left):
                return _compared(op, right)
            case ast.Name() | ast.Attribute() | ast.Call():
                if self.is_rank(test):
                    return "others"
                named = test.func if isinstance(test, ast.Call) else test
                return "zero" if MAIN.fullmatch(_last(named)) else ""
        return ""

    def is_rank(self, node: ast.expr) -> bool:
        """Whether an expression is the number of a process."""
        match node:
            case ast.Call(func=function, args=args):
                inner = [a for a in args if isinstance(a, ast.expr)]
                converts = self.resolve(function) == "builtins.int" and inner
                asks = (_last(function), self.resolve(function))
                return (
                    self.is_rank(inner[0])
                    if converts
                    else any(name.endswith("get_rank") for name in asks)
                )
            case ast.Subscript(slice=ast.Constant(value="RANK" | "LOCAL_RANK")):
                return True
        return RANK.fullmatch(_last(node)) is not None

    def arm_of(self, node: ast.AST) -> str:
        """Which ranks reach a place in its function: by the tests around it, and by those before it
        that return or go on with the next round."""
        child = node
        for above in self.ancestors(node):
            if isinstance(above, ast.If) and (arm := self.rank_arm(above.test)):
                part = self._arm(node, above)
                if part in ("body", "orelse"):
                    return arm if part == "body" else OTHER[arm]
            if isinstance(above, ast.IfExp) and child is not above.test:
                first = child is above.body
                if arm := self.rank_arm(above.test):
                    return arm if first else OTHER[arm]
            body = getattr(above, "body", None)
            if isinstance(body, list) and child in body:
                for before in body[: body.index(child)]:
                    leaves = isinstance(before, ast.If) and isinstance(
                        before.body[-1], (ast.Return, ast.Continue)
                    )
                    if (
                        leaves
                        and isinstance(before, ast.If)
                        and (arm := self.rank_arm(before.test))
                    ):
                        return OTHER[arm]
            if isinstance(above, FUNCTIONS):
                return self._arm_of_decorated(above)
            child = above
        return ""

    def _arm_of_decorated(self, function: Function) -> str:
        """Which ranks a decorator of the project lets in to a function that it is given."""
        for decorator in function.decorator_list:
            made = self.definition(decorator)
            if made is None or isinstance(made.node, ast.ClassDef):
                continue
            given = {argument.arg for argument in made.code.arguments(made.node)}
            runs = [c for c in made.code.below(made.node, ast.Call) if _last(c.func) in given]
            arms = {made.code.arm_of(call) for call in runs}
            if len(arms) == 1 and (arm := arms.pop()):
                return arm
        return ""

    # what all must do together

    def collectives(self) -> Iterator[ast.Call]:
        """The collective calls of the group of all processes."""
        for call in self.calls_to(*COLLECTIVES):
            position = GROUP_AT.get(_last(call.func))
            named = any(k.arg in ("group", "process_group", "pg") for k in call.keywords)
            if not named and (position is None or len(call.args) <= position):
                yield call
        if self.imports("accelerate."):
            yield from self.method_calls("wait_for_everyone", "gather_for_metrics")
            yield from (c for c in self.method_calls("gather", "reduce") if self._accelerates(c))

    def _accelerates(self, call: ast.Call) -> bool:
        made = self.receiver_made_by(call)
        return made is not None and self.resolve(made.func) == "accelerate.Accelerator"

    def one_sided(self) -> Iterator[tuple[ast.Call, str, str]]:
        """Collective calls, or calls of functions of the project that make them, which only rank 0 or
        only the others reach, while nothing of the same name stands on the other side: the call, its
        name and the side."""
        made = [
            (call, _last(call.func)) for call in (*self.collectives(), *self._through_functions())
        ]
        arms = [(call, name, self.arm_of(call)) for call, name in made]
        for call, name, arm in arms:
            home = self.body_around(call)
            there = [n for c, n, a in arms if a == OTHER[arm] and self.body_around(c) is home]
            tried = self.around(call, ast.With)
            if arm and name not in there and not (tried and expects_an_error(tried)):
                yield call, name, arm

    def for_all_ranks(self, call: ast.Call) -> Fix | None:
        """A fix that lets every rank make a collective call which stands first under a test on the
        rank; None where what it takes is made there, or is another on the ranks that are let in."""
        statement = self.statement(call)
        branch = self.parent[statement]
        if not isinstance(branch, ast.If) or statement is not branch.body[0]:
            return None
        lets_in_by_rank = isinstance(branch.test, (ast.Compare, ast.Call, ast.Name, ast.Attribute))
        moves = len(branch.body) > 1 and not self.text_of(branch).startswith("elif")
        known = self.resolve(call.func) in COLLECTIVES and _last(call.func) not in ROOTED
        edits = self.moved_before(statement, branch) if moves and known else None
        if edits is None or not lets_in_by_rank or not self.rank_arm(branch.test):
            return None
        return Fix(f"Let every rank call {_last(call.func)}", edits)

    def _through_functions(self) -> Iterator[ast.Call]:
        speaks = self.project.says(b"torch.distributed", self.path)
        tests = speaks and any(self.rank_arm(branch.test) for branch in self.of(ast.If))
        for call in self.of(ast.Call) if tests else ():
            found = self.definition(call.func)
            if found is None or isinstance(found.node, ast.ClassDef) or not self.arm_of(call):
                continue
            code, inner = found.code, found.node
            if any(code.within(c, inner) and not code.arm_of(c) for c in code.collectives()):
                yield call

    # what one must do for all

    def rank_decides(self, node: ast.AST, depth: int = 4) -> bool | None:
        """Whether a place is left to some ranks: by a test that speaks of ranks, in its function or in
        all that call it; None where nobody is seen to call it."""
        child = node
        for above in self.ancestors(node):
            if isinstance(above, (ast.If, ast.IfExp)) and PROCESS.search(ast.unparse(above.test)):
                return True
            if any(self._turns_away(statement) for statement in self.beside(child, above)[0]):
                return True
            if isinstance(above, FUNCTIONS):
                return self._callers_decide(above, depth)
            child = above
        return False

    def _turns_away(self, statement: ast.stmt) -> bool:
        leaves = (ast.Return, ast.Continue, ast.Raise)
        return (
            isinstance(statement, ast.If)
            and isinstance(statement.body[-1], leaves)
            and PROCESS.search(ast.unparse(statement.test)) is not None
        )

    def _callers_decide(self, function: Function, depth: int) -> bool | None:
        named = any(RANKISH.search(ast.unparse(d)) for d in function.decorator_list)
        if named or self._arm_of_decorated(function):
            return True
        calls = self.callers(function) if depth else ()
        answers = two_of(code.rank_decides(call, depth - 1) for code, call in calls)
        answers |= {False} if self._spawned(function) else set()
        return answers.pop() if len(answers) == 1 else None

    def _spawned(self, function: Function) -> bool:
        """Whether `torch.multiprocessing.spawn` runs a function, on all ranks alike."""
        given = [c.args[0] for c in self.calls_to("torch.multiprocessing.spawn") if c.args]
        found = [self.definition(each) for each in given]
        return any(each is not None and each.node is function for each in found)

    def shared_path(self, save: ast.Call) -> bool:
        """Whether torch.save writes a file whose name is the same on every rank."""
        path = self.argument(save, "f", 1)
        texts = [path] if path is not None else []
        if isinstance(path, ast.Name):
            texts += [b.value for b in self.reaching(path) if b.value is not None]
        written = [ast.unparse(text) for text in texts]
        if any(re.search(r"rank|host|node|worker|BytesIO", text) for text in written):
            return False
        if isinstance(path, ast.Attribute) and self.parsed_arguments(path.value):
            return True  # all ranks are started with the same arguments
        return any(isinstance(n, (ast.Constant, ast.JoinedStr)) for t in texts for n in ast.walk(t))

    def saves_by_local_rank(self) -> Iterator[ast.Call]:
        """The calls of torch.save that the first process of each machine makes."""
        for call, _ in self.saves():
            for above in self.ancestors(call):
                if not isinstance(above, ast.If) or self.rank_arm(above.test) != "zero":
                    continue
                text = ast.unparse(above.test).lower()
                local = "local_rank" in text and not self._global_in_truth(above.test)
                if local and self._arm(call, above) == "body":
                    yield call

    def _global_in_truth(self, test: ast.expr) -> bool:
        """Whether what is called local_rank was given the rank among all."""
        names = [n for n in ast.walk(test) if isinstance(n, ast.Name)]
        values = [b.value for name in names for b in self.reaching(name) if b.value is not None]
        asked = ("torch.distributed.get_rank",)
        calls = [v for v in values if isinstance(v, ast.Call)]
        speaks_of_rank = [
            t for t in map(ast.unparse, names) if "local" not in t and RANK.fullmatch(t)
        ]
        return bool(speaks_of_rank) or any(self.resolve(call.func) in asked for call in calls)

    # what must differ

    def says(self, *words: str) -> bool:
        """Whether one of these words occurs in the file, or in those of the project that it imports."""
        return any(self.project.says(word.encode(), self.path) for word in words)

    def keeps_statistics(self, model: ast.expr) -> bool:
        """Whether some part of a model is made in eval mode."""
        made = self.value_of(model).call
        inner = self.below(made, ast.Call) if made is not None and made in self.parent else []
        return any(_last(call.func) == "eval" for call in inner)

    def shuffled_whole(self) -> Iterator[ast.Call]:
        """DataLoaders that shuffle all of the data on every rank, in a file that trains a model wrapped
        for several, and says nothing of sharding."""
        words = (b"DistributedSampler", b"shard", b"rank:", b"prepare(", b"datapipe")
        if not self.wraps or any(self.project.says(word, self.path) for word in words):
            return
        for loop in self.training_loops:
            made = self._loader_made(loop.through)
            if made is None or made not in self.parent:
                continue
            given = {k.arg for k in made.keywords}
            shuffles = any(k.arg == "shuffle" and self.is_true(k.value) for k in made.keywords)
            data = self.argument(made, "dataset", 0)
            mine = data is not None and self._depends_on_rank(data)
            if shuffles and not mine and not given & {"sampler", "batch_sampler", None}:
                yield made

    def _depends_on_rank(self, node: ast.expr) -> bool:
        """Whether an expression, what its names were given, or a class or function of the project that
        it calls speaks of ranks."""
        todo, seen = [node], set[ast.expr]()
        while todo and len(seen) < MOST_VALUES:
            value = todo.pop(0)
            if value in seen:
                continue
            seen.add(value)
            inner = list(ast.walk(value))
            made = [self.definition(n.func) for n in inner if isinstance(n, ast.Call)]
            texts = [value, *(found.node for found in made if found)]
            if any(RANKISH.search(ast.unparse(text)) for text in texts):
                return True
            given = [b.value for n in inner if isinstance(n, ast.Name) for b in self.bindings(n)]
            todo += [v for v in given if v is not None]
        return False

    def seeds(self) -> list[ast.Call]:
        """The calls that seed torch on every rank."""
        calls = self.calls_to("torch.manual_seed", "torch.random.manual_seed")
        return [call for call in calls if call.args and not self.rank_decides(call)]

    def seeded_by_rank(self) -> bool:
        """Whether some seed of the file depends on the rank."""
        seeding = [call for call in self.of(ast.Call) if "seed" in _last(call.func).lower()]
        given = [a for call in seeding for a in (*call.args, *(k.value for k in call.keywords))]
        return any(self._depends_on_rank(a) for a in given)

    def few_on_each_rank(self, wrap: ast.Call) -> int | None:
        """How many samples a wrapped model gets at once, where that is a small number as written."""
        for loop in self.training_loops:
            made = self._loader_made(loop.through)
            size = self.argument(made, "batch_size", 1) if made is not None else None
            sizes = [whole_number(size)] if size is not None else []
            for call in self.below(loop.node, ast.Call):
                if self.value_of(call.func).call is wrap and call.args:
                    known = self.layout(call.args[0])
                    sizes += [known.shape[0]] if known else []
            small = [n for n in sizes if n is not None and n <= SMALL]
            if small:
                return small[0]
        return None


def _last(node: ast.AST) -> str:
    """The last part of a name: what is asked for."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _compared(op: ast.cmpop, right: ast.expr) -> str:
    """Which ranks pass a comparison of the rank with a number or a list of them."""
    if isinstance(right, (ast.List, ast.Tuple, ast.Set)):
        zero = any(isinstance(e, ast.Constant) and e.value == 0 for e in right.elts)
        arms = {ast.In: "zero", ast.NotIn: "others"}
        return arms.get(type(op), "") if zero else ""
    value = right.value if isinstance(right, ast.Constant) else None
    if value in (0, "0"):
        arms = {
            ast.Eq: "zero",
            ast.Is: "zero",
            ast.LtE: "zero",
            ast.NotEq: "others",
            ast.Gt: "others",
        }
        return arms.get(type(op), "")
    return {ast.Lt: "zero", ast.GtE: "others"}.get(type(op), "") if value == 1 else ""
