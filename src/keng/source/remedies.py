"""A layer of Code: how what a live exception has named is put right, in the file of its class as well."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from keng.model import Fix, Span
from keng.source.index import part_at
from keng.source.mending import Mending

LEARNED_FROM = re.compile(
    r"loss|cost|aux|penalty|regul|entropy|\bkl|_kl|logits?|log_?prob", re.IGNORECASE
)
"""Names of what a loss may be computed from."""

OF_ARRAYS = ("torch.from_numpy", "torch.tensor", "torch.as_tensor")
GRAD = "torch.autograd.grad"
VMAPS = ("torch.func.vmap", "torch.vmap", "functorch.vmap")
OVER_VMAP = {"jacrev", "jacfwd", "hessian", "chunk_vmap"}
"""Functions that go through a vmap of their own."""


class Remedies(Mending):
    def method_at(self, kind: str, line: int) -> ast.FunctionDef | None:
        """The method that begins on a line, of the one class of this name in the file."""
        owners = [c for c in self.of(ast.ClassDef) if c.name == kind]
        methods = [m for m in owners[0].body if isinstance(m, ast.FunctionDef)] if owners else []
        first = [min([m.lineno, *(d.lineno for d in m.decorator_list)]) for m in methods]
        return methods[first.index(line)] if len(owners) == 1 and line in first else None

    def registered_by_name(self, _: str, name: str) -> tuple[Fix, Span] | None:
        """A fix that makes the one list of layers of this name one that registers them, and its place."""
        fix = self.seen_as_layers(name)
        found = [value for own, value in self.containers_of_layers() if own == name]
        return (fix, self.span(found[0])) if fix is not None else None

    def kept_detached(self, kind: str, name: str) -> tuple[Fix, Span] | None:
        """A fix by which a class keeps a result without its graph, where it puts one tensor there and the
        file reads it nowhere; and its place."""
        named = self.attributes_by_name.get(name, [])
        stores = [n for n in named if isinstance(n.ctx, ast.Store)]
        made = [self.parent[n] for n in stores]
        results = [s for s in made if not isinstance(getattr(s, "value", None), ast.Constant)]
        one = results[0] if len(results) == 1 and len(stores) == len(named) else None
        if not isinstance(one, ast.Assign) or len(one.targets) > 1 or LEARNED_FROM.search(name):
            return None
        target, value = one.targets[0], one.value
        owner = self.self_class(target.value) if isinstance(target, ast.Attribute) else None
        if getattr(owner, "name", "") != kind or isinstance(value, ast.Tuple):
            return None
        edits = (self.append(value, ".detach()"),)
        return Fix("Keep it without its graph", edits, "shown"), self.span(one)

    def registered_as_buffer(self, kind: str, name: str) -> tuple[Fix, Span] | None:
        """A fix that makes a buffer of the one tensor that a class keeps under a name, and its place."""
        stores = [n for n in self.attributes_by_name.get(name, []) if isinstance(n.ctx, ast.Store)]
        kept = self.parent[stores[0]] if len(stores) == 1 else None
        function = self.function_around(stores[0]) if kept is not None else None
        owner = self.self_class(stores[0].value) if kept is not None else None
        if not isinstance(kept, ast.Assign) or len(kept.targets) > 1 or function is None:
            return None
        if getattr(owner, "name", "") != kind or function.name != "__init__":
            return None
        me, value = self.text_of(stores[0].value), self.text_of(kept.value)
        edit = self.replace(kept, f'{me}.register_buffer("{name}", {value})')
        return Fix("Register it as a buffer", (edit,), "shown"), self.span(kept)

    def differentiated_before(self, line: int) -> tuple[str, ast.Call, Fix] | None:
        """What a line differentiates, where that comes from a gradient without a graph: its text, the call
        that made it, and a fix that asks for the graph."""
        for call in self.on_line(line, ast.Call):
            given = call.args[0] if self.resolve(call.func) == GRAD and call.args else None
            if isinstance(call.func, ast.Attribute) and call.func.attr == "backward":
                given = call.func.value
            made = self._gradients_in(given, {call}) if given is not None else set()
            one = made.pop() if len(made) == 1 else None
            if one is not None and given is not None:
                fix = self.add_argument(one, "create_graph=True", "Keep a graph of it", "shown")
                return self.text_of(given), one, fix
        return None

    def _gradients_in(self, node: ast.expr | None, seen: set[ast.AST]) -> set[ast.Call]:
        """The calls of `autograd.grad` without a graph that a value was made with."""
        found: set[ast.Call] = set()
        names = [n for n in ast.walk(node) if isinstance(n, ast.Name)] if node is not None else []
        calls = [n for n in ast.walk(node) if isinstance(n, ast.Call)] if node is not None else []
        for call in calls:
            if self.resolve(call.func) == GRAD:
                return {call} if self.argument(call, "create_graph", 4) is None else set()
            function = self.what_runs(call)
            if function is not None and function.code is self.me and function.node not in seen:
                for returned in self.returns(function.node):
                    found |= self._gradients_in(returned, seen | {function.node})
        for binding in [b for name in names for b in self.reaching(name)]:
            if binding.how == "assign" and binding.node not in seen:
                found |= self._gradients_in(binding.value, seen | {binding.node})
            elif isinstance(binding.node, ast.arg) and binding.node not in seen:
                for code, value in self.given_by_callers(binding.node):
                    if code is self.me:
                        found |= self._gradients_in(value, seen | {binding.node})
        return found

    def batch_put_first(self, line: int, path: str) -> Fix | None:
        """A fix by which a layer, named by its path, takes the batch in front."""
        made = self.constructor(path, line) if path else None
        if made not in self.parent or self.argument(made, "batch_first") is not None:
            return None
        return self.add_argument(made, "batch_first=True", "Take the batch first", "shown")

    def array_copied(self, line: int) -> Fix | None:
        """A fix that copies the array which the one call on a line makes a tensor of."""
        calls = [c for c in self.on_line(line, ast.Call) if self.resolve(c.func) in OF_ARRAYS]
        given = calls[0].args[0] if len(calls) == 1 and calls[0].args else None
        if given is None:
            return None
        return Fix("Copy it in the new order", (self.append(given, ".copy()"),), "shown")

    def kept_for_next(self, line: int, packed: Mapping[str, bool]) -> tuple[str, Fix] | None:
        """The attribute of `self` that the function around a line gives to a call, and sets to a name that
        the call has given: `out, state = net(x, self.state)`, `self.state = state`; and a fix that cuts it
        there. `packed` tells of the names with a graph whether they are lists or tuples."""
        for kept in self.on_line(line, ast.FunctionDef):
            for stored in self.below(kept, ast.Assign):
                target, value = stored.targets[0], stored.value
                ours = (
                    isinstance(target, ast.Attribute) and self.self_class(target.value) is not None
                )
                if not ours or not isinstance(value, ast.Name) or value.id not in packed:
                    continue
                name = self.text_of(target)
                made = [b.value for b in self.reaching(value)]
                calls = [each for each in made if isinstance(each, ast.Call)]
                given = [
                    self.text_of(a)
                    for c in calls
                    for a in (*c.args, *(k.value for k in c.keywords))
                ]
                if name in given and len(made) == len(calls):
                    each = f"tuple(each.detach() for each in {value.id})"
                    text = each if packed[value.id] else f"{value.id}.detach()"
                    return name, Fix(
                        "Keep it without its graph", (self.replace(value, text),), "shown"
                    )
        return None

    def before_numpy(self, line: int, where: Span | None, form: str) -> Fix | None:
        """A fix that writes another form of what `.numpy()` is called on, at a place or once on a line."""
        calls = [c for c in self.on_line(line, ast.Call) if where in (None, self.span(c))]
        asked = [c.func for c in calls if isinstance(c.func, ast.Attribute)]
        here = [function for function in asked if function.attr == "numpy"]
        if len(here) != 1:
            return None
        edit = self.rename_attribute(here[0], f"{form}.numpy")
        return Fix(f"Write `.{form}.numpy()`", (edit,), "shown")

    def masked_by_bools(self, line: int) -> Fix | None:
        """A fix that makes a mask of bools of what the one `masked_fill` or the like on a line is given; `~`
        of numbers flips bits, and is left as it is."""
        calls = [c for c in self.on_line(line, ast.Call) if isinstance(c.func, ast.Attribute)]
        masking = [c for c in calls if getattr(c.func, "attr", "").startswith("masked_")]
        at = 1 if masking and self.resolve(masking[0].func).startswith("torch.") else 0
        mask = self.argument(masking[0], "mask", at) if len(masking) == 1 else None
        if mask is None or isinstance(mask, ast.UnaryOp):
            return None
        return Fix("Write `.bool()`", (self.append(mask, ".bool()"),), "shown")

    def made_none(self, line: int, *names: str) -> tuple[str, int, str] | None:
        """What on a line is None, of the names that are or among the calls there, the line that makes it so,
        and the function of the file that returns nothing, "" where it is set to None."""
        for node in (*self.on_line(line, ast.Name), *self.on_line(line, ast.Attribute)):
            if names == (self.text_of(node),) and (made := self._set_to_none(node)) is not None:
                return names[0], *made
        for call in self.on_line(line, ast.Call) if not names else ():
            made = self._returns_nothing(call)
            if made and isinstance(self.parent[call], (ast.BinOp, ast.Compare, ast.AugAssign)):
                return self.text_of(call), *made
        return None

    def _set_to_none(self, node: ast.AST) -> tuple[int, str] | None:
        """The one line that sets a name or an attribute of `self`, to None."""
        values: list[ast.expr | None] = []
        if isinstance(node, ast.Name):
            values = [part_at(b.value, b.path) for b in self.reaching(node)]
        elif isinstance(node, ast.Attribute) and (owner := self.self_class(node.value)):
            values = [part_at(*given) for given in self.attributes(owner).get(node.attr, [])]
        only = values[0] if len(values) == 1 else None
        if isinstance(only, ast.Call):
            return self._returns_nothing(only)
        return (only.lineno, "") if isinstance(only, ast.Constant) and only.value is None else None

    def _returns_nothing(self, call: ast.Call) -> tuple[int, str] | None:
        """The line and the name of the function of this file that a call runs, which has no return."""
        run = self.what_runs(call)
        if run is None or run.code is not self.me or not isinstance(run.node, ast.FunctionDef):
            return None
        silent = self.has_no_result(run.node) and not self.below(run.node, ast.Raise)
        return (run.node.lineno, run.node.name) if silent else None

    def numbers_kept(self, line: int, name: str, form: str) -> Fix | None:
        """A fix that keeps numbers in a list, which the file adds to in one place and reads here alone."""
        added = [c for c in self.of(ast.Call) if self.text_of(c.func) == f"{name}.append"]
        names: list[ast.Name | ast.Attribute] = [*self.of(ast.Name), *self.of(ast.Attribute)]
        loads = [n for n in names if isinstance(n.ctx, ast.Load) and n.lineno != line]
        if sum(self.text_of(n) == name for n in loads) > len(added):
            return None
        given = added[0].args if len(added) == 1 else []
        if len(given) != 1 or not isinstance(given[0], (ast.Name, ast.Attribute, ast.Call)):
            return None
        return Fix("Keep it without its graph", (self.append(given[0], form),), "shown")

    def inverse_of_odd(self, _: int, one: int, other: int) -> tuple[str, Fix] | None:
        """How the one `irfft` of the file is told the length, where an even size meets the odd one above it;
        and a fix that does."""
        if min(one, other) % 2 or abs(one - other) != 1:
            return None
        calls = [*self.calls_to("torch.fft.irfft")]
        call = calls[0] if len(calls) == 1 else None
        if call is None or self.argument(call, "n", 1) is not None:
            return None
        home, ahead = self.function_around(call), self.calls_to("torch.fft.rfft")
        here = [c for c in ahead if self.function_around(c) is home]
        given = here[0].args[:1] if len(here) == 1 else []
        if len(given) != 1 or not isinstance(given[0], (ast.Name, ast.Attribute)):
            return None
        size = f"n={self.text_of(given[0])}.shape[-1]"
        return size, self.add_argument(call, size, "Tell it the length", "shown")

    def random_in_vmap(self, _: int) -> Fix | None:
        """A fix by which the one vmap of the file draws other random numbers for each sample."""
        made = [c for c in self.of(ast.Call) if self.resolve(c.func) in VMAPS]
        others = {n.id for n in self.of(ast.Name)} | set(self.attributes_by_name)
        if len(made) != 1 or others & OVER_VMAP:
            return None
        if self.argument(made[0], "randomness", 3) is not None:
            return None
        text = 'randomness="different"'
        return self.add_argument(made[0], text, "Draw them for each sample", "shown")
