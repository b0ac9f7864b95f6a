"""A layer of Code: samples of a data set that are changed where they lie."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.source.apart import Apart
from keng.source.index import FUNCTIONS, Function, names_in
from keng.source.values import Kind

VIEWS = frozenset("view squeeze unsqueeze transpose permute t swapaxes".split())
MOVES_ON = frozenset(
    """
    add_ sub_ subtract_ mul_ multiply_ div_ divide_ true_divide_ pow_ sqrt_ square_ log_ log1p_ log10_ log2_
    exp_ expm1_ neg_ tanh_ sigmoid_ lerp_ addcmul_ addcdiv_ reciprocal_ normal_
    """.split()
)
"""Methods in place that change a tensor once more when they are called again."""
OF_ROWS = frozenset("mean std max min shape sum ndim transpose reshape T".split())
READ_PER_ITEM = re.compile(
    rb"h5py|zarr|lmdb|memmap|mmap|netCDF|load_dataset|iloc|BatchSampler|batch_size=None"
)


class Samples(Apart):
    def samples_changed(self) -> Iterator[tuple[ast.AST, str, ast.Subscript, Kind]]:
        """Samples that `__getitem__` takes out of the data as views and changes in place, and the data with
        them: the first change, the name, what is taken, and its kind: a tensor, an array, or unknown where
        it is only used like one."""
        if READ_PER_ITEM.search(self.data) is not None:
            return
        for owner in self.of(ast.ClassDef):
            getter = self.member(owner, ["__getitem__"])
            if not isinstance(getter, FUNCTIONS) or len(self.arguments(getter)) != 2:
                continue
            for target, taken in self._taken_out(getter):
                kind = self._kind_taken(taken, target.id, getter)
                changed = self._first_change(target, getter) if kind is not Kind.OTHER else None
                if changed is not None:
                    yield changed, target.id, taken, kind

    def _taken_out(self, getter: Function) -> Iterator[tuple[ast.Name, ast.Subscript]]:
        """What `__getitem__` names `x` and takes from an attribute of its data set by the index alone."""
        index = self.arguments(getter)[1].arg
        for assign in self.below(getter, ast.Assign):
            target, value = assign.targets[0], assign.value
            pairs = [(target, value)]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = list(zip(target.elts, value.elts, strict=False))
            for name, given in pairs:
                taken = self._viewed(given)
                if not isinstance(name, ast.Name) or not isinstance(taken, ast.Subscript):
                    continue
                if self._is_kept_once(taken.value) and self._is_place(taken.slice, index):
                    yield name, taken

    def _is_kept_once(self, data: ast.expr) -> bool:
        """Whether something is an attribute of a data set that its constructor alone sets."""
        owner = self.self_class(data.value) if isinstance(data, ast.Attribute) else None
        if owner is None or not isinstance(data, ast.Attribute):
            return False
        given = [value for value, _ in self.attributes(owner).get(data.attr, ())]
        homes = [self.function_around(value) for value in given if value is not None]
        return bool(given) and all(home is not None and home.name == "__init__" for home in homes)

    def _viewed(self, node: ast.expr) -> ast.expr:
        """A value without what only gives another view of it."""
        while isinstance(node, ast.Call):
            if self.resolve(node.func) == "torch.from_numpy" and node.args:
                node = node.args[0]
            elif isinstance(node.func, ast.Attribute) and node.func.attr in VIEWS:
                node = node.func.value
            else:
                break
        return node

    def _is_place(self, places: ast.expr, index: str) -> bool:
        """Whether rows are taken by the index as it comes, or by slices, which gives a view."""
        parts = places.elts if isinstance(places, ast.Tuple) else [places]
        plain = (ast.Slice, ast.Constant)
        rows = [p for p in parts if not isinstance(p, plain)]
        named = all(isinstance(p, ast.Name) and p.id == index for p in rows)
        names = [n for n in ast.walk(places) if isinstance(n, ast.Name) and n.id == index]
        given = all(len(self.bindings(name)) == 1 for name in names)
        return named and bool(names) and given

    def _kind_taken(self, taken: ast.Subscript, name: str, getter: Function) -> Kind:
        """Whether what is taken is a tensor, or an array of several numbers; OTHER where it may be a copy or
        a number."""
        kind = self.kind_of(taken.value)
        if kind is Kind.TENSOR:
            return kind
        uses = [self.parent[n] for n in self._names_by_id[name] if self.within(n, getter)]
        given = [u for u in uses if isinstance(u, ast.Call)] + [self.parent[taken]]
        proves = any(
            isinstance(call, ast.Call) and self.resolve(call.func) == "torch.from_numpy"
            for call in given
        )
        like_rows = any(isinstance(u, ast.Attribute) and u.attr in OF_ROWS for u in uses)
        sliced = any(isinstance(n, ast.Slice) for n in ast.walk(taken.slice))
        if kind is Kind.ARRAY and (proves or like_rows or sliced):
            return kind
        return Kind.UNKNOWN if kind is Kind.UNKNOWN and proves else Kind.OTHER

    def _first_change(self, target: ast.Name, getter: Function) -> ast.AST | None:
        for node in self.below(getter, ast.AugAssign, ast.Assign, ast.Call):
            changed = self._changed_by(node)
            if changed is None or changed.id != target.id:
                continue
            if any(binding.node is target for binding in self.reaching(changed)):
                return node
        return None

    def _changed_by(self, node: ast.AST) -> ast.Name | None:
        """What a statement or call changes in place, so that it is another when that is done again."""
        match node:
            case ast.AugAssign(target=ast.Name() as name, op=op):
                return None if isinstance(op, (ast.BitAnd, ast.BitOr)) else name
            case ast.AugAssign(target=ast.Subscript(value=ast.Name() as name)):
                return name
            case ast.Assign(targets=[ast.Subscript(value=ast.Name() as name, slice=places)]):
                again = name.id in names_in(node.value) or self._is_drawn(places)
                return name if again or self._is_drawn(node.value) else None
            case ast.Call(func=ast.Attribute(attr=method, value=ast.Name() as name)):
                if method in MOVES_ON:
                    return name
        match [k.value for k in getattr(node, "keywords", ()) if k.arg == "out"]:
            case [ast.Name() as name] if isinstance(node, ast.Call) and node.args:
                first = node.args[0]
                again = f"{self.written_name(node.func)}_" in MOVES_ON
                return name if again and name.id in names_in(first) else None
        return None

    def _is_drawn(self, node: ast.expr) -> bool:
        """Whether something hangs on random numbers."""
        made = [self.assigned(n) or n for n in ast.walk(node) if isinstance(n, ast.expr)]
        return any(isinstance(each, ast.Call) and "rand" in ast.unparse(each) for each in made)
