"""A layer of Code: what is measured, watched, split and made anew in the rounds of a training."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.source.index import bound_in, names_in
from keng.source.loops import Act, Loop
from keng.source.omissions import Omissions
from keng.source.values import Kind

RISES = frozenset(
    "acc accuracy f1 auc auroc iou miou map dice psnr ssim bleu precision recall".split()
)
FALLS = frozenset("loss losses err error errors mae mse rmse ppl perplexity nll".split())
"""Words of names of what is better when it rises, and of what is when it falls."""
SPLITS = "torch.utils.data.random_split"
SUBSET = "torch.utils.data.Subset"
HUGE = 1e3
CHOOSES = frozenset(["argmax", "topk", "max", "sort", "argsort", "multinomial", "Categorical"])


class Habits(Omissions):
    def _measured_direction(self, node: ast.expr | None) -> str:
        """The mode for a value by its name, "max" for an accuracy and "min" for a loss; "" where it says
        nothing."""
        match node:
            case ast.Constant(value=str(text)) | ast.Name(id=text) | ast.Attribute(attr=text):
                words = set(re.split(r"[^a-z0-9]+", text.lower()))
            case ast.Subscript(slice=index):
                return self._measured_direction(index)
            case _:
                return ""
        rises, falls = words & RISES, words & FALLS
        return "" if rises and falls else "max" if rises else "min" if falls else ""

    def turned_round(self, measure: ast.expr | None, mode: ast.expr | None) -> str:
        """The mode that a measure wants by its name, where the one given, or "min" where none is, is the
        opposite."""
        wanted = self._measured_direction(measure)
        given = self.text_constant(mode) if mode is not None else "min"
        return wanted if wanted and given in ("min", "max") and given != wanted else ""

    def counts_over_batches(self) -> Iterator[tuple[ast.BinOp, str, ast.expr]]:
        """`correct / len(loader)`, where `correct` sums over the samples of the batches of `loader`."""
        for length in self.calls_by_name.get("len", ()):
            match self.parent[length]:
                case ast.BinOp(op=ast.Div(), right=right) as divided if right is length:
                    loader = length.args[0] if length.args else None
                    if loader is None or not self._holds_several(loader):
                        continue
                    for name in ast.walk(divided.left):
                        if isinstance(name, ast.Name) and self._counts_in(name, loader):
                            yield divided, name.id, loader

    def counts_over_whole_batches(self) -> Iterator[tuple[ast.BinOp, ast.expr, bool]]:
        """`correct / (len(loader) * batch_size)`, where `correct` sums over the samples of `loader` and its
        last batch is not left out: that product, the loader, and whether the batch is known to be smaller."""
        for divided in self.of(ast.BinOp) if "len" in self.calls_by_name else ():
            product = self.assigned(divided.right) or divided.right
            if not isinstance(divided.op, ast.Div) or not isinstance(product, ast.BinOp):
                continue
            for length, size in ((product.left, product.right), (product.right, product.left)):
                loader = self._length_of(length) if isinstance(product.op, ast.Mult) else None
                if loader is None or not self._is_counted(divided.left, loader):
                    continue
                smaller = self._ends_smaller(loader, size)
                if smaller is not None:
                    yield product, loader, smaller

    def _length_of(self, node: ast.expr) -> ast.expr | None:
        known = isinstance(node, ast.Call) and self.resolve(node.func) == "builtins.len"
        return node.args[0] if known and isinstance(node, ast.Call) and node.args else None

    def _is_counted(self, node: ast.expr, loader: ast.expr) -> bool:
        names = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
        return any(self._counts_in(name, loader) for name in names)

    def _ends_smaller(self, loader: ast.expr, size: ast.expr) -> bool | None:
        """Whether the last batch of a loader is known to be smaller than this size, which is that of the
        others; None where it is not, or is left out, or the loader is not known."""
        made = [c for c in self._loaders_given(loader) if c in self.parent]
        given = [{k.arg: k.value for k in call.keywords} for call in made]
        chosen = {"sampler", "batch_sampler", None}
        kept = [
            call
            for call, options in zip(made, given, strict=True)
            if not chosen & set(options)
            and len(call.args) < 4
            and self.me.is_constant(options.get("drop_last", ast.Constant(False)), False)
        ]
        if not kept or not all(self._is_size_of(size, call, loader) for call in kept):
            return None
        counted = [self.me.samples(self.argument(call, "dataset", 0)) for call in kept]
        each = [self.me.number(self.argument(call, "batch_size", 1)) for call in kept]
        if None in counted or None in each:
            return False
        rests = [n % by for n, by in zip(counted, each, strict=True) if n is not None and by]
        if not any(rests):
            return None
        return all(rests) and len(kept) == len(made)

    def _loaders_given(self, loader: ast.expr) -> list[ast.Call]:
        """The calls that may have made a loader, an argument of a function too."""
        made = self.value_of(loader)
        found = self.reaching(loader) if isinstance(loader, ast.Name) else []
        if made.call is None and len(found) == 1 and found[0].how == "argument":
            given = self.given_by_callers(found[0].node)
            values = [code.value_of(node) for code, node in given]
        else:
            values = [made]
        return [v.call for v in values if v.kind is Kind.LOADER and v.call is not None]

    def _is_size_of(self, size: ast.expr, made: ast.Call, loader: ast.expr) -> bool:
        """Whether a factor is the batch size of a loader: its attribute, a name of that, or its number."""
        text, given = ast.unparse(size), self.argument(made, "batch_size", 1)
        if given is None or self.me.number(given) == 1:
            return False
        alike = text in (f"{ast.unparse(loader)}.batch_size", ast.unparse(given))
        number = self.me.number(size)
        named = text.rpartition(".")[2].lower() in ("batch_size", "bs", "batchsize")
        return alike or (number is not None and number == self.me.number(given)) or named

    def _holds_several(self, loader: ast.expr) -> bool:
        """Whether it is a loader whose batches are not known to be single samples."""
        value = self.value_of(loader)
        size = self.argument(value.call, "batch_size", 1) if value.call is not None else loader
        return value.kind is Kind.LOADER and size is not None and not self.is_constant(size, 1)

    def _counts_in(self, count: ast.Name, loader: ast.expr) -> bool:
        """Whether a name was only added to in a loop over a loader, each time a number of samples."""
        added = [b for b in self.bindings(count) if b.how == "augment"]
        statements = [self.statement(binding.node) for binding in added]
        return bool(added) and all(
            isinstance(s, ast.AugAssign)
            and isinstance(s.op, ast.Add)
            and self._counts_hits(s.value)
            and self._loops_over(s, ast.unparse(loader))
            for s in statements
        )

    def _counts_hits(self, value: ast.expr) -> bool:
        """`(pred == y).sum()`, as a number or not."""
        while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            if value.func.attr == "sum" and not value.args and not value.keywords:
                return self._compared(value.func.value)
            if value.func.attr not in ("item", "float", "cpu", "int", "double"):
                return False
            value = value.func.value
        return False

    def _compared(self, node: ast.expr) -> bool:
        """`pred == y` or `pred.eq(y)`, with conversions behind it."""
        while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "eq":
                return True
            node = node.func.value
        return isinstance(node, ast.Compare)

    def _loops_over(self, statement: ast.stmt, loader: str) -> bool:
        loop = self.around(statement, ast.For)
        return loop is not None and any(
            ast.unparse(n) == loader for n in ast.walk(loop.iter) if isinstance(n, ast.expr)
        )

    def shared_by_splits(self) -> Iterator[tuple[ast.Attribute, str, str]]:
        """`part.dataset.transform = ...`, where another part of the split reads the same data set: the
        target, the part and the other one."""
        for held in self.attributes_by_name.get("dataset", ()):
            part, target = held.value, self.parent[held]
            if not isinstance(part, ast.Name) or not isinstance(target, ast.Attribute):
                continue
            others = self._other_parts(part) if isinstance(target.ctx, ast.Store) else []
            if others and not self._given_its_own(part.id):
                yield target, part.id, others[0]

    def _other_parts(self, part: ast.Name) -> list[str]:
        found = self.reaching(part)
        call = found[0].value if len(found) == 1 else None
        if not isinstance(call, ast.Call) or found[0].how != "assign":
            return []
        if self.resolve(call.func) == SPLITS:
            names = self.parent[found[0].node]
            parts = names.elts if isinstance(names, ast.Tuple) else []
            return [n.id for n in parts if isinstance(n, ast.Name) and n.id not in (part.id, "_")]
        if self.resolve(call.func) != SUBSET or not call.args:
            return []
        whole = ast.unparse(call.args[0])
        return [
            each.targets[0].id
            for each in self.of(ast.Assign)
            if isinstance(each.value, ast.Call)
            and each.value is not call
            and self.resolve(each.value.func) == SUBSET
            and isinstance(each.targets[0], ast.Name)
            and ast.unparse(each.value.args[0]) == whole
            and self.body_around(each) is self.body_around(part)
        ]

    def _given_its_own(self, part: str) -> bool:
        """Whether a part of a split is given a data set of its own."""
        stored = [n for n in self.attributes_by_name["dataset"] if isinstance(n.ctx, ast.Store)]
        return any(ast.unparse(each.value) == part for each in stored)

    def masked_weights(self) -> Iterator[tuple[ast.Call, ast.expr]]:
        """Very negative numbers, put where a mask says so into what a softmax has given."""
        for call in self.method_calls("masked_fill", "masked_fill_"):
            value = call.args[1] if len(call.args) == 2 else None
            if value is None or not self._hugely_negative(value):
                continue
            given, body = self.me.receiver(call), self.body_around(call)
            if any(self.written_name(c.func) in CHOOSES for c in self.below(body, ast.Call)):
                continue  # what is not to be chosen may be hidden so
            origins = self.origins(given)
            if origins and all(o.dotted.rpartition(".")[2].lower() == "softmax" for o in origins):
                yield call, given

    def _hugely_negative(self, value: ast.expr) -> bool:
        match value:
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=float() | int() as number)):
                return number >= HUGE
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return self.resolve(inner) in ("torch.inf", "math.inf", "numpy.inf")
            case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str(text))]):
                return text.lower() in ("-inf", "-infinity")
        return False

    def seeds_in_training(self) -> Iterator[ast.Call]:
        """The same seed again in each round of a loop that trains one model."""
        for call in self.calls_to("torch.manual_seed", "torch.cuda.manual_seed_all"):
            loops = [loop for loop in self.loops if self.within(call, loop.node) and loop.trains]
            if not loops or self.around(call, ast.With) is not None or not call.args:
                continue
            seed, loop = call.args[0], loops[-1]
            plain = not any(isinstance(n, (ast.Call, ast.Attribute)) for n in ast.walk(seed))
            if plain and not names_in(seed) & bound_in(loop.node) and self._trains_on(loop):
                yield call

    def _trains_on(self, loop: Loop) -> bool:
        """Whether the optimizer of a loop was there before it: a loop over runs makes one in each."""
        calls = self.below(loop.node, ast.Call)
        made = {Kind.OPTIMIZER, Kind.MODULE, Kind.LOADER}
        if any(self.kind_of(each) in made and self._constructs(each) for each in calls):
            return False
        steps = loop.all(Act.STEP)
        return any(
            step.via is step.call or Kind.OPTIMIZER in map(self.kind_of, step.via.args)
            for step in steps
            if isinstance(step.via, ast.Call)
        )

    def _constructs(self, call: ast.Call) -> bool:
        """Whether a call makes something new, and does not hand on what it was called on."""
        return self.resolve(call.func) != "" or self.definition(call.func) is not None

    def optimizers_made_in_rounds(self) -> Iterator[tuple[ast.Call, str]]:
        """Optimizers that keep a state, made anew for each batch of a model that was there before: the call
        and the optimizer's class."""
        for loop in self.training_loops:
            if not loop.over_loader:
                continue
            bound = bound_in(loop.node)
            calls = self.below(loop.node, ast.Call)
            if any(self.written_name(c.func) == "load_state_dict" for c in calls):
                continue
            for call in calls:
                home, _, name = self.resolve(call.func).rpartition(".")
                made = home == "torch.optim" and self.kind_of(call) is Kind.OPTIMIZER
                if (
                    not made
                    or not self._has_memory(call, name)
                    or self.around(call, ast.If, ast.For, ast.While) is not loop.node
                ):
                    continue
                if not bound & names_in(call):
                    yield call, name

    def _has_memory(self, call: ast.Call, name: str) -> bool:
        if name == "LBFGS":
            return False  # one call of its step is many
        return name != "SGD" or self.argument(call, "momentum", 2) is not None
