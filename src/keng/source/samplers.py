"""A layer of Code: the samplers of several processes, and the loops that go through their loaders."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.source.loops import Loop
from keng.source.processes import Processes


class Samplers(Processes):
    def samplers_over_epochs(self) -> Iterator[tuple[ast.Call, str, Loop | None]]:
        """DistributedSamplers of loaders that are gone through once in each round of another loop, where
        the whole project never says `set_epoch`: the call, how the sampler is reached there, and that
        loop where it stands around."""
        loaders = list(self.calls_to("torch.utils.data.DataLoader"))
        if not loaders or self.project.says(b"set_epoch", self.path):
            return
        for loader in loaders:
            given, name = self.argument(loader, "sampler", 4), self._assigned_to(loader)
            made = self.value_of_call(given)
            if made is None or self.resolve(made.func) != "torch.utils.data.DistributedSampler":
                continue
            sampler = self._assigned_to(made) or f"{name or 'loader'}.sampler"
            for loop in self.training_loops:
                if self._goes_through(loop, loader, name):
                    around = [outer for outer in self.loops if loop in outer.inner]
                    if around or self._called_in_a_loop(loop):
                        yield made, sampler, around[0] if around and name else None
                        break

    def samplers_from_elsewhere(self) -> Iterator[tuple[ast.expr, ast.Call]]:
        """The same where another file makes loader and sampler: what the loop goes through, and the call."""
        for loop in self.training_loops:
            loader = self._loader_made(loop.through)
            if loader is None or loop.through is None or loader in self.parent:
                continue
            home = self.project.home_of(loader)
            made = home.value_of_call(home.argument(loader, "sampler", 4)) if home else None
            if made is None or home is None or not self._in_other_rounds(loop):
                continue
            distributed = home.resolve(made.func) == "torch.utils.data.DistributedSampler"
            if distributed and not self.project.anyone_says(b"set_epoch"):
                yield loop.through, made

    def _in_other_rounds(self, loop: Loop) -> bool:
        """Whether a loop is run once in each round of another one."""
        return any(loop in outer.inner for outer in self.loops) or self._called_in_a_loop(loop)

    def _goes_through(self, loop: Loop, loader: ast.Call, name: str) -> bool:
        """Whether a loop goes through what a call of DataLoader made, by its name or whatever it is
        called there."""
        return name in loop.names_through or self._loader_made(loop.through) is loader

    def _called_in_a_loop(self, loop: Loop) -> bool:
        """Whether the function of a loop is called in another one."""
        function = self.function_around(loop.node)
        calls = self.callers(function) if function is not None else ()
        return any(code.around(call, ast.For, ast.While) is not None for code, call in calls)

    def padded_samplers_counted(self) -> Iterator[ast.Call]:
        """DistributedSamplers in order, without drop_last, whose samples a loop that does not train
        counts."""
        samplers = set(self.calls_to("torch.utils.data.DistributedSampler"))
        for loop in self.of(ast.For) if samplers else ():
            made = self._loader_made(loop.iter)
            sampler = self.argument(made, "sampler", 4) if made is not None else None
            call = self.value_of_call(sampler)
            if call is None or call not in samplers:
                continue
            given = {k.arg: k.value for k in call.keywords}
            ordered = "shuffle" in given and self.is_constant(given["shuffle"], False)
            if ordered and "drop_last" not in given and self._counts(loop):
                yield call

    def value_of_call(self, node: ast.expr | None) -> ast.Call | None:
        """A call, or that which a name was given."""
        if isinstance(node, ast.Name):
            node = self.assigned(node)
        return node if isinstance(node, ast.Call) else None

    def _counts(self, loop: ast.For) -> bool:
        adds = [a for a in self.below(loop, ast.AugAssign) if isinstance(a.op, ast.Add)]
        trains = any(self.within(c, loop) for c in self.method_calls("backward"))
        return bool(adds) and not trains
