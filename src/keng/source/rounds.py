"""A layer of Code: several optimizers and schedulers in one round, and what each of them needs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TypeGuard

from keng.source.bystanders import Bystanders
from keng.source.index import FUNCTIONS, LOOPS
from keng.source.loops import CLEARS, Act, Loop, Round, Step
from keng.source.models import holds
from keng.source.values import Kind

AUTOCAST = re.compile(r"torch\.(?:cuda\.amp\.|amp\.)?(?:autocast_mode\.)?autocast")
SCALING = ("scaler", "bfloat16", "accelerat", "deepspeed", "fabric", "apex")
"""What a file says whose gradients are scaled, or need not be."""
BY_COUNT = re.compile(
    r"torch\.optim\.lr_scheduler\.(?:OneCycle|CosineAnnealing|Linear|Polynomial)LR$|"
    r"transformers\.(?:optimization\.)?get_(?:linear|cosine|polynomial)\w*_schedule_with_warmup$"
)
"""Schedules that are told how many steps they are to take."""
LOADER_NAME = re.compile(r"(?:loader|dl|iterator|batches)\b")
SCHEDULERS = "torch.optim.lr_scheduler."


class Rounds(Bystanders):
    def plateaus_without_metric(self) -> Iterator[ast.Call]:
        """Steps of a ReduceLROnPlateau that give it no metric."""
        for call in self.method_calls("step"):
            made, given = self.value_of(self.me.receiver(call)), call.args or call.keywords
            if not given and made.dotted == f"{SCHEDULERS}ReduceLROnPlateau":
                yield call

    def cycles_by_epoch(self) -> Iterator[tuple[ast.Call, bool]]:
        """Steps of a schedule, made for as many as there are batches, that are taken once an epoch: in a
        loop around the one that trains. True for a OneCycleLR."""
        for call in self.method_calls("step"):
            made = self._scheduler_made(self.me.receiver(call))
            dotted = self.resolve(made.func) if made is not None else ""
            if made is None or not BY_COUNT.match(dotted) or not self._counts_batches(made):
                continue
            loop = next(
                (each for each in self.loops if each.node is self.around(call, *LOOPS)), None
            )
            if loop is not None and self._goes_over_epochs(loop):
                yield call, dotted.endswith("OneCycleLR")

    def _scheduler_made(self, scheduler: ast.expr) -> ast.Call | None:
        """The call that made a scheduler, one of Transformers too, which are of no known kind."""
        made = self.value_of(scheduler).call
        value = None if made else self.assigned(scheduler)
        return made or (value if isinstance(value, ast.Call) else None)

    def _counts_batches(self, made: ast.Call) -> bool:
        """Whether a schedule is made for a number of steps that the length of a loader enters."""
        given: list[ast.expr] = [*made.args[1:], *(k.value for k in made.keywords)]
        for name in [n for each in given for n in ast.walk(each) if isinstance(n, ast.Name)]:
            if (value := self.assigned(name)) is not None:
                given.append(value)
        said = [k.value for k in made.keywords if k.arg in ("steps_per_epoch", "total_steps")]
        by_name = any(map(_is_length, (n for each in said for n in ast.walk(each))))
        lengths = [n for each in given for n in ast.walk(each) if _is_length(n)]
        return by_name or any(self._is_loader_named(n.args) for n in lengths)

    def _is_loader_named(self, given: list[ast.expr]) -> bool:
        return any(
            self.kind_of(each) is Kind.LOADER or LOADER_NAME.search(ast.unparse(each).lower())
            for each in given
        )

    def halved_unscaled(self) -> Iterator[ast.Call]:
        """The backwards of training loops whose models are called under autocast to float16, in a file
        that speaks of no scaler and leaves the training to nobody else."""
        text = self.text.lower()
        if "autocast" not in text or any(word in text for word in SCALING):
            return
        for loop in self.training_loops if not self.uses_framework() else ():
            halved = [s for s in loop.all(Act.FORWARD) if s.code.me.casts_to_half(s.call)]
            for step in loop.all(Act.BACKWARD) if halved else ():
                if step.code is self.me and isinstance(step.call, ast.Call):
                    yield step.call

    def casts_to_half(self, node: ast.AST) -> bool:
        """Whether a node stands under autocast to float16: in a block, or in a function that a decorator
        runs under it."""
        for above in self.ancestors(node):
            items = above.items if isinstance(above, ast.With) else []
            if any(self._is_half(item.context_expr) for item in items):
                return True
            if isinstance(above, FUNCTIONS):
                return any(map(self._decorates_to_half, above.decorator_list))
        return False

    def _decorates_to_half(self, decorator: ast.expr) -> bool:
        made = self.definition(decorator)
        if made is None:
            return self._is_half(decorator)
        blocks = made.code.below(made.node, ast.With)
        return any(made.code.me._is_half(i.context_expr) for b in blocks for i in b.items)

    def _is_half(self, context: ast.expr) -> bool:
        """`torch.autocast("cuda")`, to float16 where no other type is given; on a CPU it is another."""
        if not isinstance(context, ast.Call) or not AUTOCAST.fullmatch(self.resolve(context.func)):
            return False
        if any(keyword.arg in ("enabled", None) for keyword in context.keywords):
            return False
        of_cuda = ".cuda." in self.resolve(context.func)
        device = None if of_cuda else self.argument(context, "device_type", 0)
        dtype = self.argument(context, "dtype", 1)
        if dtype is not None:
            return self.resolve(dtype) in ("torch.float16", "torch.half")
        return of_cuda or self.text_constant(device).startswith("cuda")

    def _goes_over_epochs(self, loop: Loop) -> bool:
        """Whether a round of a loop trains in loops of its own."""
        steps = [s for s in loop.steps if s.act is Act.STEP]
        return bool(steps) and all(
            step.code.around(step.call, *LOOPS, *FUNCTIONS) is not loop.node
            and isinstance(step.code.around(step.call, *LOOPS, *FUNCTIONS), LOOPS)
            for step in steps
        )

    def _blocks_that_train(self) -> Iterator[Round]:
        """The training loops of a file, and its functions that take steps of their own."""
        yield from self.training_loops
        for function in self.of(ast.FunctionDef):
            if self.may_go_backward(function):
                steps = Round(self.me, function)
                loops = [s for s in steps.own(Act.BACKWARD) if self.around(s.call, *LOOPS)]
                if steps.trains and not loops:
                    yield steps

    def optimizers_not_cleared(self) -> Iterator[tuple[ast.Call, str, str]]:
        """Steps of an optimizer whose gradients nothing clears, beside those of another one that the
        same round clears: the call, the optimizer and the other one."""
        for steps in self._blocks_that_train() if "zero_grad" in self.calls_by_name else ():
            clearing = steps.all(Act.ZERO_GRAD)
            cleared = {self._cleared(step) for step in clearing}
            if not cleared or "" in cleared or steps.has(Act.OPAQUE):
                continue
            held = [model for step in clearing for model in self._models_of(step)]
            for step in steps.own(Act.STEP):
                name = self._optimizer_named(step)
                mine = self._models_of(step)
                shared = any(holds(one, other) for one in held for other in mine)
                if not name or name in cleared or not mine or shared:
                    continue
                if not self._cleared_elsewhere(name):
                    assert isinstance(step.call, ast.Call)
                    yield step.call, name, min(cleared)

    def _cleared(self, step: Step) -> str:
        """The optimizer that a step clears the gradients of, as text; "" where that is not told."""
        call = step.call
        if step.code is not self.me or not isinstance(call, ast.Call):
            return ""
        plain = isinstance(call.func, ast.Attribute) and call.func.attr == "zero_grad"
        return self._optimizer_named(step) if plain else ""

    def _optimizer_named(self, step: Step) -> str:
        """The optimizer whose method a step calls, where it is one that this file makes."""
        call = step.call
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            return ""
        made = self.value_of(call.func.value)
        known = made.kind is Kind.OPTIMIZER and made.call is not None
        return ast.unparse(call.func.value) if known and not call.args else ""

    def _models_of(self, step: Step) -> list[str]:
        """The models, as text, whose parameters the optimizer was made for that a step is of."""
        function = step.call.func if isinstance(step.call, ast.Call) else None
        owner = function.value if isinstance(function, ast.Attribute) else None
        made = self.value_of(owner).call if owner is not None else None
        calls = [n for n in ast.walk(made) if isinstance(n, ast.Call)] if made is not None else []
        functions = [c.func for c in calls if isinstance(c.func, ast.Attribute)]
        return [self._part_named(f.value) for f in functions if f.attr == "parameters"]

    def _part_named(self, model: ast.expr) -> str:
        """A model as text; a name that was given a part of another is that part."""
        value = self.assigned(model)
        part = value if isinstance(value, (ast.Attribute, ast.Subscript)) else model
        return ast.unparse(part)

    def _cleared_elsewhere(self, name: str) -> bool:
        """Whether an optimizer of this name, or one that has no name, is cleared anywhere in the file."""
        last = name.rpartition(".")[2]
        for call in self.of(ast.Call):
            if CLEARS.search(self.written_name(call.func)) and isinstance(call.func, ast.Attribute):
                other = ast.unparse(call.func.value)
                known = self.kind_of(call.func.value) is Kind.OPTIMIZER
                if other.rpartition(".")[2] == last or not known:
                    return True
        return False

    def manual_steps_uncleared(self) -> Iterator[ast.Call]:
        """The backward of a `training_step` of Lightning that goes by hand, in a class that clears no
        gradients."""
        if not self.uses_framework():
            return
        for call in self.method_calls("manual_backward"):
            owner, function = self.class_around(call), self.function_around(call)
            if owner is None or function is None or function.name != "training_step":
                continue
            calls = [self.written_name(c.func) for c in self.below(owner, ast.Call)]
            if (
                "step" in calls
                and not any(map(CLEARS.search, calls))
                and not list(self.bases(owner))
            ):
                yield call


def _is_length(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "len"
