"""A layer of Code: what is taken for the whole, or for another thing than it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Edit
from keng.source.repeating import Repeating

RECURRENT = ("torch.nn.LSTM", "torch.nn.GRU", "torch.nn.RNN")
KEEPS_STEPS = ("torch.nn.Dropout", "torch.nn.LayerNorm", "torch.nn.functional.dropout")
SIZES = frozenset("shape size dtype device ndim dim".split())
SPLITS = frozenset("chunk split view reshape unflatten tensor_split".split())
LAST = {True: (":,-1", ":,-1,:", ":,-1,..."), False: ("-1", "-1,:", "-1,:,:", "-1,...")}


class Halves(Repeating):
    def backward_halves_begun(self) -> Iterator[tuple[ast.Subscript, ast.Call]]:
        """The last step of all that a bidirectional layer gives, of which nothing else is read: what is
        taken, and the call of the layer."""
        for call in self.of(ast.Call) if self.project.says(b"bidirectional", self.path) else ():
            maker = self.value_of(call.func)
            if maker.dotted not in RECURRENT or maker.call is None:
                continue
            first = self.argument(maker.call, "batch_first", 4)
            known = first is None or isinstance(first, ast.Constant)
            both = self.is_constant(self.argument(maker.call, "bidirectional", 6), True)
            if not both or not known or any(map(self._reads_of, self._states(call))):
                continue
            uses = list(self._steps_given(call))
            taken = [self._last_taken(use, self.is_constant(first, True)) for use in uses]
            if all(each is not None and not self._is_split(each) for each in taken):
                yield from ((each, call) for each in taken if each is not None)

    def ends_of_both(self, taken: ast.Subscript, call: ast.Call) -> tuple[Edit, ...]:
        """The edits that take the last states of both directions in place of the last step; none where the
        states have no place to be named."""
        stored, cat = self.parent[call], self.me.spell("torch.cat", taken)
        target = stored.targets[0] if isinstance(stored, ast.Assign) else None
        if not isinstance(target, ast.Tuple) or not cat or taken.value not in self._directly(call):
            return ()
        state, lstm = target.elts[1], self.value_of(call.func).dotted == RECURRENT[0]
        inner = state.elts[0] if isinstance(state, ast.Tuple) else state
        if not isinstance(inner, ast.Name):
            return ()
        pair, unnamed = lstm and inner is state, inner.id == "_"
        name, known = ("h_n", 0) if unnamed else (inner.id, 1)
        if len(self._names_by_id.get(name, ())) > known:
            return ()
        named = (self.me.replace(inner, "(h_n, _)" if pair else "h_n"),) if unnamed else ()
        last = f"{name}[0]" if pair and not unnamed else name
        return (*named, self.me.replace(taken, f"{cat}(({last}[-2], {last}[-1]), dim=-1)"))

    def _states(self, call: ast.Call) -> list[ast.Name]:
        """The names that the states of a recurrent layer are given."""
        stored = self.parent[call]
        target = stored.targets[0] if isinstance(stored, ast.Assign) else None
        if not isinstance(target, ast.Tuple):
            return []
        return [n for n in ast.walk(target) if isinstance(n, ast.Name) and n is not target.elts[0]]

    def _reads_of(self, stored: ast.Name) -> list[ast.Name]:
        """The places that may read what one assignment gives a name."""
        reads = [n for n in self._names_by_id[stored.id] if isinstance(n.ctx, ast.Load)]
        return [n for n in reads if any(b.node is stored for b in self.reaching(n))]

    def _directly(self, call: ast.Call) -> list[ast.expr]:
        """Where the steps are read that a recurrent layer gives, as it gave them."""
        match above := self.parent[call]:
            case ast.Assign(targets=[ast.Tuple(elts=[ast.Name() as kept, _])]):
                return list(self._reads_of(kept))
            case ast.Subscript(slice=ast.Constant(value=0)):
                return [above]
        return []

    def _steps_given(self, call: ast.Call) -> Iterator[ast.expr]:
        """Where the steps are read that a recurrent layer gives, their sizes apart; through dropout too."""
        uses = self._directly(call)
        for use in uses:
            above = self.parent[use]
            stored = above.targets[0] if isinstance(above, ast.Assign) else None
            if isinstance(stored, ast.Name):
                uses += self._reads_of(stored)
            elif (
                isinstance(above, ast.Call) and above.args[:1] == [use] and self._keeps_steps(above)
            ):
                uses.append(above)
            elif not isinstance(above, ast.Attribute) or above.attr not in SIZES:
                yield use

    def _keeps_steps(self, call: ast.Call) -> bool:
        return {self.resolve(call.func), self.value_of(call.func).dotted} & {*KEEPS_STEPS} != set()

    def _last_taken(self, use: ast.expr, batch_first: bool) -> ast.Subscript | None:
        """`use[:, -1]` or `use[-1]` around the steps of a layer."""
        taken = self.parent[use]
        if not isinstance(taken, ast.Subscript) or taken.value is not use:
            return None
        text = "".join(self.text_of(taken.slice).split())
        return taken if text in LAST[batch_first] else None

    def _is_split(self, taken: ast.expr) -> bool:
        """Whether the halves of what is taken are told apart."""
        match self.parent[taken]:
            case ast.Subscript(value=inner) if inner is taken:
                return True
            case ast.Attribute(attr=name):
                return name in SPLITS
            case ast.Call(func=called, args=[given, *_]) if given is taken:
                return self.written_name(called) in SPLITS
            case ast.Assign(targets=[ast.Name() as kept]):
                return any(self._is_split(read) for read in self._reads_of(kept))
        return False
