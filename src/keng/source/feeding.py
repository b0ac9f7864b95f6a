"""A layer of Code: arrays, datasets, and the loaders that feed a model from them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.source.index import FUNCTIONS, Function
from keng.source.names import Definition
from keng.source.states import States
from keng.source.values import Kind, is_none

REVERSING = frozenset(f"numpy.{name}" for name in ("flip", "fliplr", "flipud", "rot90"))
VIEWING_METHODS = frozenset({"transpose", "swapaxes", "squeeze"})
VIEWING_CALLS = frozenset(
    f"numpy.{name}" for name in ("transpose", "swapaxes", "moveaxis", "rollaxis", "expand_dims")
)
"""What gives a NumPy array another shape and leaves its memory as it is."""
GENERATORS = frozenset(
    [
        *("numpy.random.default_rng", "numpy.random.RandomState", "numpy.random.Generator"),
        *("random.Random", "torch.Generator"),
    ]
)
READING = frozenset(["builtins.open", "builtins.range", "gzip.open", "csv.reader"])
"""What gives the same items to whoever goes through it anew."""
PARTS = frozenset({"torch.utils.data.random_split", "torch.utils.data.Subset"})
KEEPS_CHANNELS = frozenset({"transpose", "permute", "astype", "copy", "float", "div", "to"})
"""Methods of images that leave their channels in order."""
FROM_ARRAYS = frozenset({"torch.from_numpy", "torch.as_tensor", "numpy.ascontiguousarray"})
SAME_CHANNELS = frozenset(
    f"cv2.{name}" for name in ("resize", "flip", "rotate", "GaussianBlur", "warpAffine")
)
FLOATS = frozenset(f"torch.{name}" for name in ("float", "float32", "float16", "half", "float64"))
SCALING = frozenset({"ToTensor", "ConvertImageDtype", "ConvertDtype", "Lambda"})
"""Transforms of torchvision that bring bytes to 0 to 1, or may do so."""
MINDING = re.compile(r"get_worker_info|worker_id|getpid|__getstate__|__reduce")
DIVIDES = re.compile(r"worker|rank|\.shard\(|shard_|_shards?\b|replica|world", re.IGNORECASE)
ENDLESS_OR_RANDOM = re.compile(r"while True|while 1|\brand|random|cycle|count|repeat")


class Feeding(States):
    # arrays

    def reversed_in(
        self, node: ast.expr | None, array: bool = False, depth: int = 8
    ) -> ast.expr | None:
        """What makes the memory of a NumPy array run backwards on some way to a value: `a[::-1]`,
        `np.flip(a)`, with no copy since. `array` where the value is known to be an array."""
        if depth == 0:
            return None
        match node:
            case ast.Name():
                return self._reversed_before(node, array, depth)
            case ast.Subscript(value=inner, slice=index):
                if runs_backwards(index) and (array or self._is_array(node)):
                    return node
                return self.reversed_in(inner, array, depth - 1) if is_view(index) else None
            case ast.Attribute(attr="T", value=inner):
                return self.reversed_in(inner, array, depth - 1)
            case ast.Call():
                return self._reversed_by(node, array, depth)
        return None

    def _reversed_before(self, name: ast.Name, array: bool, depth: int) -> ast.expr | None:
        for binding in self.reaching(name):
            whole = binding.how == "assign" and binding.value is not None and not binding.path
            found = self.reversed_in(binding.value, array, depth - 1) if whole else None
            if found is not None:
                return found
        return None

    def _reversed_by(self, call: ast.Call, array: bool, depth: int) -> ast.expr | None:
        dotted = self.resolve(call.func)
        if dotted in REVERSING:
            return call if self._turns(call, dotted) else None
        if dotted in VIEWING_CALLS and call.args:
            return self.reversed_in(call.args[0], True, depth - 1)
        if isinstance(call.func, ast.Attribute) and call.func.attr in VIEWING_METHODS:
            return self.reversed_in(call.func.value, array, depth - 1)
        return None

    def _turns(self, call: ast.Call, dotted: str) -> bool:
        """Whether a call of `np.rot90` is not known to leave its array as it was."""
        turns = self.argument(call, "k", 1) if dotted == "numpy.rot90" else None
        return not isinstance(turns, ast.Constant) or turns.value not in (0, 4)

    def _is_array(self, node: ast.Subscript) -> bool:
        """A list takes no tuple for an index, and a tensor no negative step."""
        return isinstance(node.slice, ast.Tuple) or self.kind_of(node.value) is Kind.ARRAY

    def transposed(self, node: ast.expr | None) -> bool:
        """Whether the dimensions of a value were put into another order where it was made."""
        ways: list[ast.AST | None] = [node]
        if isinstance(node, ast.Name):
            ways = [binding.value for binding in self.reaching(node)]
        return any(
            isinstance(way, ast.Call)
            and isinstance(way.func, ast.Attribute)
            and way.func.attr in ("transpose", "permute", "swapaxes", "movedim", "t")
            for way in ways
        )

    # images

    def read_by_opencv(self, node: ast.expr) -> bool:
        """Whether an image comes from OpenCV on every way, its channels turned round or not."""
        return self.read_as_bgr(node, turned=True)

    def read_as_bgr(self, node: ast.expr, depth: int = 16, turned: bool = False) -> bool:
        """Whether an image comes from OpenCV in its own order on every way, resized at most. `turned`
        takes it in any order."""
        if isinstance(node, ast.Name) and depth:
            found = self.reaching(node)
            values = [b.value for b in found if b.how == "assign" and not b.path]
            return len(values) == len(found) > 0 and all(
                v is not None and self.read_as_bgr(v, depth - 1, turned) for v in values
            )
        if isinstance(node, ast.Subscript) and depth:
            # Rows and columns alone: a third index may turn BGR round.
            rows = isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2
            return rows and self.read_as_bgr(node.value, depth - 1, turned)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and depth:
            return self.read_as_bgr(node.left, depth - 1, turned)
        if not isinstance(node, ast.Call):
            return False
        dotted = self.resolve(node.func)
        if dotted in FROM_ARRAYS and node.args and depth:
            return self.read_as_bgr(node.args[0], depth - 1, turned)
        if not dotted and isinstance(node.func, ast.Attribute) and depth:
            kept = node.func.attr in KEEPS_CHANNELS
            return kept and self.read_as_bgr(node.func.value, depth - 1, turned)
        if turned and dotted == "cv2.cvtColor" and node.args and depth:
            return self.read_as_bgr(node.args[0], depth - 1, turned)
        if dotted in SAME_CHANNELS and node.args and depth:
            return self.read_as_bgr(node.args[0], depth - 1, turned)
        flags = self.argument(node, "flags", 1)
        plain = flags is None or self.resolve(flags) == "cv2.IMREAD_COLOR"
        return dotted in ("cv2.imread", "cv2.imdecode") and plain

    def unscaled_before(self, normalize: ast.Call) -> ast.Call | None:
        """The `v2.ToDtype` to floats before a Normalize in one list of transforms, where images come in
        as bytes and nothing between brings them to 0 to 1."""
        steps = getattr(self.parent[normalize], "elts", [])
        before = steps[: steps.index(normalize)] if normalize in steps else []
        names = [self.resolve(s.func) if isinstance(s, ast.Call) else "" for s in before]
        known = all(name.startswith("torchvision.transforms.v2.") for name in names)
        short = [name.rpartition(".")[2] for name in names]
        if not known or not {"ToImage", "PILToTensor"} & set(short) or SCALING & set(short):
            return None
        kept = [s for s, name in zip(before, short, strict=True) if name == "ToDtype"]
        if len(kept) != 1 or self.argument(kept[0], "scale", 1) is not None:
            return None
        kind = self.resolve(self.argument(kept[0], "dtype", 0))
        return kept[0] if kind in FLOATS else None

    def below_one(self, numbers: ast.expr | None) -> bool:
        """Whether all of a list of plain numbers are at most 1."""
        values = [
            e.value if isinstance(e, ast.Constant) else None for e in getattr(numbers, "elts", [])
        ]
        return bool(values) and all(isinstance(v, (int, float)) and v <= 1 for v in values)

    # recurrent layers

    def recurrent_outputs(self, *layers: str) -> Iterator[tuple[ast.Call, ast.Call, ast.Name]]:
        """`out, state = lstm(x)`: the call, the constructor of the layer, and each later use of `out`."""
        for assigned in self.of(ast.Assign):
            call, target = assigned.value, assigned.targets[0]
            if not isinstance(call, ast.Call) or not isinstance(target, ast.Tuple):
                continue
            maker = self.value_of(call.func)
            if maker.dotted not in layers or maker.call is None or not target.elts:
                continue
            first = target.elts[0]
            for use in self._uses_of(first) if isinstance(first, ast.Name) else ():
                yield call, maker.call, use

    def _uses_of(self, stored: ast.Name) -> Iterator[ast.Name]:
        """The places that read just what one assignment stored."""
        scope = self.body_around(stored)
        for name in self.below(scope, ast.Name):
            read = name.id == stored.id and isinstance(name.ctx, ast.Load)
            if read and [b.node for b in self.reaching(name)] == [stored]:
                yield name

    def last_of_second(self, name: ast.Name) -> ast.Subscript | None:
        """`name[:, -1]` or `name[:, -1, :]` around a name."""
        taken = self.parent[name]
        if not isinstance(taken, ast.Subscript) or taken.value is not name:
            return None
        parts = taken.slice.elts if isinstance(taken.slice, ast.Tuple) else []
        whole = [is_whole(part) for part in parts]
        fits = whole in ([True, False], [True, False, True])
        return taken if fits and self.text_of(parts[1]) == "-1" else None

    # datasets

    def datasets(self) -> Iterator[ast.ClassDef]:
        """The classes of this file that are Datasets, by their bases."""
        for owner in self.of(ast.ClassDef):
            if self.kind_of_class(owner) is Kind.DATASET:
                yield owner

    def own_method(self, owner: ast.ClassDef, name: str) -> Function | None:
        """A method of a class or of its bases, where this file defines it."""
        found = self.method(Definition(self.me, owner), name)
        if found is None or found.code is not self.me or not isinstance(found.node, FUNCTIONS):
            return None
        return found.node

    def made_once(self, owner: ast.ClassDef) -> Iterator[tuple[str, ast.Call]]:
        """What the constructor of a class puts on `self` by a call, whatever happens: name and call."""
        init = self.own_method(owner, "__init__")
        for statement in init.body if init is not None else ():
            match statement:
                case ast.Assign(
                    targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)],
                    value=ast.Call() as call,
                ):
                    if len(self.attributes(owner).get(name, [])) == 1:
                        yield name, call

    def serving(self, owner: ast.ClassDef) -> list[Function]:
        """The methods by which a Dataset gives samples, and those of its own that they call."""
        found: list[Function] = []
        waiting = ["__getitem__", "__getitems__", "__iter__", "__next__"]
        while waiting:
            method = self.own_method(owner, waiting.pop())
            if method is not None and method not in found:
                found.append(method)
                waiting += [
                    call.func.attr
                    for call in self.below(method, ast.Call)
                    if isinstance(call.func, ast.Attribute)
                    and self.self_class(call.func.value) is owner
                ]
        return found

    def kept_for_samples(self, owner: ast.ClassDef) -> Iterator[tuple[str, ast.Call]]:
        """What the constructor of a Dataset makes by a call and its samples are taken with."""
        read = {
            node.attr
            for method in self.serving(owner)
            for node in self.below(method, ast.Attribute)
            if self.self_class(node.value) is owner
        }
        for name, given in self.attributes(owner).items():
            ways = [value for value, _ in given] if name in read else []
            read = read | {entry for way in ways for entry in self._entry_of(way)}
        return ((name, call) for name, call in self.made_once(owner) if name in read)

    def lists_of_objects(
        self, owner: ast.ClassDef, many: int
    ) -> Iterator[tuple[str, ast.ListComp]]:
        """The lists of at least so many things that the constructor of a class puts on `self`."""
        for name, given in self.attributes(owner).items():
            for value, _ in given:
                match value:
                    case ast.ListComp(
                        generators=[ast.comprehension(iter=ast.Call(args=[*_, times]))]
                    ) if (self.times(times) or 0) >= many:
                        yield name, value

    def is_fed_to_model(self, node: ast.expr) -> bool:
        """Whether a name is what a loop goes through, and one of the loop's models is called with it."""
        found = self.reaching(node) if isinstance(node, ast.Name) else []
        loops = [self.around(b.node, ast.For) for b in found if b.how == "for"]
        if not isinstance(node, ast.Name) or len(found) != 1 or not loops or loops[0] is None:
            return False
        return any(
            any(isinstance(a, ast.Name) and a.id == node.id for a in call.args)
            and self.kind_of(call.func) is Kind.MODULE
            for call in self.below(loops[0], ast.Call)
        )

    def times(self, node: ast.expr) -> int | None:
        """A whole number, as written or as the one call of a function of the project gives it."""
        found = self.reaching(node) if isinstance(node, ast.Name) else []
        function = self.function_around(node)
        if len(found) != 1 or found[0].how != "argument" or function is None:
            return self.me.number(node)
        calls = list(self.callers(function))
        given = (
            calls[0][0].passed(calls[0][1], function, found[0].name) if len(calls) == 1 else None
        )
        return self.me.number(given)

    def _entry_of(self, value: ast.expr | None) -> list[str]:
        """What a value is a named entry of: `self.file["images"]`, which HDF5 reads when it is asked."""
        match value:
            case ast.Subscript(
                value=ast.Attribute(value=ast.Name(id="self"), attr=name),
                slice=ast.Constant(value=str()),
            ):
                return [name]
        return []

    def forked_loaders(self, owner: ast.ClassDef) -> list[ast.Call]:
        """The DataLoaders with workers that are made for an instance of a class, in this file and in
        those that make instances."""
        makers = self.project.calls_of(Definition(self.me, owner))
        codes = {id(code): code for code, _ in makers}
        return [
            call
            for code in codes.values()
            for call in code.calls_to("torch.utils.data.DataLoader")
            if code.forks(call) and owner in code.loaded(call)
        ]

    def loaded(self, loader: ast.Call) -> list[ast.AST]:
        """The class of the project whose instance, or part of it, a DataLoader is made for."""
        given = self.argument(loader, "dataset", 0)
        made = self._dataset_behind(given, 4) if given is not None else None
        return [made.node] if made is not None else []

    def _dataset_behind(self, node: ast.expr, depth: int) -> Definition | None:
        found = self.reaching(node) if isinstance(node, ast.Name) else []
        part = found[0].value if len(found) == 1 else node
        if depth and isinstance(part, ast.Call) and self.resolve(part.func) in PARTS and part.args:
            return self._dataset_behind(part.args[0], depth - 1)
        return self.value_of(node).definition

    def minds_workers(self, owner: ast.ClassDef, name: str) -> bool:
        """Whether a class does something about its copies in workers, or sets `self.name` up again."""
        text = self.text_of(owner)
        again = rf"self\.{name}\.(?:seed|manual_seed|set_?state|bit_generator)\b"
        return MINDING.search(text) is not None or re.search(again, text) is not None

    def makes_random(self, call: ast.Call) -> bool:
        """Whether a call makes a generator of random numbers, seeded or not."""
        inner = call.func.value if isinstance(call.func, ast.Attribute) else None
        if isinstance(inner, ast.Call) and self.resolve(inner.func) == "torch.Generator":
            return True
        return self.resolve(call.func) in GENERATORS

    def whole_streams(self, loader: ast.Call) -> Iterator[tuple[str, bool]]:
        """The name of the IterableDataset of a DataLoader where its `__iter__` ends, is not random and
        takes no notice of workers; True where it is known to read the same in each of them."""
        made = self.value_of(self.argument(loader, "dataset", 0)).definition
        alone = self.is_constant(self.argument(loader, "num_workers", 5), 1)
        if alone or made is None or not isinstance(made.node, ast.ClassDef):
            return
        code, owner = made.code, made.node
        if "torch.utils.data.IterableDataset" not in map(code.resolve, owner.bases):
            return
        stream = code.own_method(owner, "__iter__")
        if stream is None or DIVIDES.search(code.text_of(owner)):
            return
        if not ENDLESS_OR_RANDOM.search(code.text_of(stream)):
            calls = {code.resolve(call.func) for call in code.below(stream, ast.Call)}
            yield owner.name, not calls.isdisjoint(READING)

    def forks(self, loader: ast.Call) -> bool:
        """Whether a DataLoader is asked for workers, and none of them is set up by the user."""
        workers = self.argument(loader, "num_workers", 5)
        if workers is None or (isinstance(workers, ast.Constant) and not workers.value):
            return False
        prepared = self.argument(loader, "worker_init_fn", 10)
        return prepared is None or is_none(prepared)


def parts_of(index: ast.expr) -> list[ast.expr]:
    """An index, dimension by dimension."""
    return index.elts if isinstance(index, ast.Tuple) else [index]


def is_view(index: ast.expr) -> bool:
    """Whether an index leaves the order of the dimensions that it keeps: slices, `...`, None, numbers."""
    return all(isinstance(part, (ast.Slice, ast.Constant)) for part in parts_of(index))


def runs_backwards(index: ast.expr) -> bool:
    """Whether a slice in it has a negative step."""
    steps = [part.step for part in parts_of(index) if isinstance(part, ast.Slice)]
    return any(
        isinstance(step, ast.UnaryOp)
        and isinstance(step.op, ast.USub)
        and isinstance(step.operand, ast.Constant)
        for step in steps
    )


def is_whole(index: ast.expr) -> bool:
    """Whether an index takes all of a dimension: `:`."""
    return isinstance(index, ast.Slice) and not any((index.lower, index.upper, index.step))
