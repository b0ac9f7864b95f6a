"""What several pitfalls of data ask of source code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.source import Code, Definition
from keng.source.tree import Function
from keng.source.types.kinds import is_none

PARTS = frozenset({"torch.utils.data.random_split", "torch.utils.data.Subset"})
KEEPS_CHANNELS = frozenset({"transpose", "permute", "astype", "copy", "float", "div", "to"})
"""Methods of images that leave their channels in order."""
FROM_ARRAYS = frozenset({"torch.from_numpy", "torch.as_tensor", "numpy.ascontiguousarray"})
SAME_CHANNELS = frozenset(
    f"cv2.{name}" for name in ("resize", "flip", "rotate", "GaussianBlur", "warpAffine")
)
MINDING = re.compile(r"get_worker_info|worker_id|getpid|__getstate__|__reduce")
COMPOSES = frozenset(f"torchvision.transforms.{v}Compose" for v in ("", "v2."))
NORMALIZES = frozenset(f"torchvision.transforms.{v}Normalize" for v in ("", "v2."))
IMAGENET = [0.485, 0.456, 0.406]
"""The means of red, green and blue in ImageNet."""


def read_as_bgr(code: Code, node: ast.expr, depth: int = 16, turned: bool = False) -> bool:
    """Whether an image comes from OpenCV in its own order on every way, resized at most. `turned`
    takes it in any order."""
    if isinstance(node, ast.Name) and depth:
        found = code.flow.reaching_definitions(node)
        values = [b.value for b in found if b.how == "assign" and not b.path]
        if _written_in_place(code, node):
            return False
        return len(values) == len(found) > 0 and all(
            v is not None and read_as_bgr(code, v, depth - 1, turned) for v in values
        )
    if isinstance(node, ast.Subscript) and depth:
        # Rows and columns alone: a third index may turn BGR round.
        places = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
        rows = len(places) == 2 and all(isinstance(place, ast.Slice) for place in places)
        return rows and read_as_bgr(code, node.value, depth - 1, turned)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and depth:
        return read_as_bgr(code, node.left, depth - 1, turned)
    if not isinstance(node, ast.Call):
        return False
    dotted = code.names.resolve(node.func)
    if dotted in FROM_ARRAYS and node.args and depth:
        return read_as_bgr(code, node.args[0], depth - 1, turned)
    if not dotted and isinstance(node.func, ast.Attribute) and depth:
        kept = node.func.attr in KEEPS_CHANNELS
        return kept and read_as_bgr(code, node.func.value, depth - 1, turned)
    if turned and dotted == "cv2.cvtColor" and node.args and depth:
        return read_as_bgr(code, node.args[0], depth - 1, turned)
    if dotted in SAME_CHANNELS and node.args and depth:
        return read_as_bgr(code, node.args[0], depth - 1, turned)
    flags = code.calls.argument(node, "flags", 1)
    plain = flags is None or code.names.resolve(flags) == "cv2.IMREAD_COLOR"
    return dotted in ("cv2.imread", "cv2.imdecode") and plain


def _written_in_place(code: Code, image: ast.Name) -> bool:
    """Whether parts of an image are stored, or a function of OpenCV writes into it: `cv2.cvtColor(x, ..., x)`."""
    for name in code.tree.names_by_id[image.id]:
        above = code.tree.parent[name]
        stored = isinstance(above, ast.Subscript) and isinstance(above.ctx, ast.Store)
        if stored:
            return True
        given = isinstance(above, ast.Call) and name in above.args[1:]
        if given and code.names.resolve(getattr(above, "func", None)).startswith("cv2."):
            return True
        if isinstance(above, ast.keyword) and above.arg == "dst":
            return True
    return False


def _made_once(code: Code, owner: ast.ClassDef) -> Iterator[tuple[str, ast.Call]]:
    """What the constructor of a class puts on `self` by a call, whatever happens: name and call."""
    init = code.loaders.own_method(owner, "__init__")
    for statement in init.body if init is not None else ():
        match statement:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)],
                value=ast.Call() as call,
            ):
                if len(code.classes.attributes(owner).get(name, [])) == 1:
                    yield name, call


def _sample_methods(code: Code, owner: ast.ClassDef) -> list[Function]:
    """The methods by which a Dataset gives samples, and those of its own that they call."""
    found: list[Function] = []
    waiting = ["__getitem__", "__getitems__", "__iter__", "__next__"]
    while waiting:
        method = code.loaders.own_method(owner, waiting.pop())
        if method is not None and method not in found:
            found.append(method)
            waiting += [
                call.func.attr
                for call in code.below(method, ast.Call)
                if isinstance(call.func, ast.Attribute)
                and code.classes.self_class(call.func.value) is owner
            ]
    return found


def kept_for_samples(code: Code, owner: ast.ClassDef) -> Iterator[tuple[str, ast.Call]]:
    """What the constructor of a Dataset makes by a call and its samples are taken with."""
    read = {
        node.attr
        for method in _sample_methods(code, owner)
        for node in code.below(method, ast.Attribute)
        if code.classes.self_class(node.value) is owner
    }
    for name, given in code.classes.attributes(owner).items():
        ways = [value for value, _ in given] if name in read else []
        read = read | {entry for way in ways for entry in _entry_of(code, way)}
    return ((name, call) for name, call in _made_once(code, owner) if name in read)


def _entry_of(code: Code, value: ast.expr | None) -> list[str]:
    """What a value is a named entry of: `self.file["images"]`, which HDF5 reads when it is asked."""
    match value:
        case ast.Subscript(
            value=ast.Attribute(value=ast.Name(id="self"), attr=name),
            slice=ast.Constant(value=str()),
        ):
            return [name]
    return []


def forked_loaders(code: Code, owner: ast.ClassDef) -> list[ast.Call]:
    """The DataLoaders with workers that are made for an instance of a class, in this file and in
    those that make instances."""
    makers = code.types.callers_of_class(owner)
    codes = {id(tree): tree for tree, _ in makers}
    return [
        call
        for tree in codes.values()
        for call in code.calls.of(tree).calls_to("torch.utils.data.DataLoader")
        if starts_plain_workers(code.at(tree), call)
        and owner in _loaded_datasets(code.at(tree), call)
    ]


def _loaded_datasets(code: Code, loader: ast.Call) -> list[ast.AST]:
    """The class of the project whose instance, or part of it, a DataLoader is made for."""
    given = code.calls.argument(loader, "dataset", 0)
    made = _dataset_behind(code, given, 4) if given is not None else None
    return [made.node] if made is not None else []


def _dataset_behind(code: Code, node: ast.expr, depth: int) -> Definition | None:
    found = code.flow.reaching_definitions(node) if isinstance(node, ast.Name) else []
    part = found[0].value if len(found) == 1 else node
    if (
        depth
        and isinstance(part, ast.Call)
        and code.names.resolve(part.func) in PARTS
        and part.args
    ):
        return _dataset_behind(code, part.args[0], depth - 1)
    return code.types.value_of(node).definition


def minds_workers(code: Code, owner: ast.ClassDef, name: str) -> bool:
    """Whether a class does something about its copies in workers, or sets `self.name` up again."""
    text = code.text_of(owner)
    again = rf"self\.{name}\.(?:seed|manual_seed|set_?state|bit_generator)\b"
    return MINDING.search(text) is not None or re.search(again, text) is not None


def starts_plain_workers(code: Code, loader: ast.Call) -> bool:
    """Whether a DataLoader is asked for workers, and none of them is set up by the user."""
    workers = code.calls.argument(loader, "num_workers", 5)
    if workers is None or (isinstance(workers, ast.Constant) and not workers.value):
        return False
    prepared = code.calls.argument(loader, "worker_init_fn", 10)
    return prepared is None or is_none(prepared)


def normalized(code: Code) -> Iterator[tuple[ast.Call, ast.expr, ast.Call, bool]]:
    """Calls of a Normalize of torchvision, or of a Compose that ends in one: the call, what it is
    given, the Normalize, and whether other transforms stand before it."""
    for call in code.of(ast.Call) if code.calls.calls_named("Normalize") else ():
        if len(call.args) != 1 or not isinstance(call.func, (ast.Name, ast.Attribute)):
            continue
        made = list(code.flow.values_given(call.func))
        steps = [made[0]] if len(made) == 1 and isinstance(made[0], ast.Call) else []
        whole = steps[0] if steps and isinstance(steps[0], ast.Call) else None
        if whole is not None and code.names.resolve(whole.func) in COMPOSES and whole.args:
            steps = list(getattr(whole.args[0], "elts", []))
        last = steps[-1] if steps else None
        if isinstance(last, ast.Call) and code.names.resolve(last.func) in NORMALIZES:
            yield call, call.args[0], last, len(steps) > 1


def for_rgb(code: Code, normalize: ast.Call) -> bool:
    """Whether the means of a Normalize are those of ImageNet, of red, green and blue in this order."""
    mean = code.calls.argument(normalize, "mean", 0)
    if isinstance(mean, ast.Name):
        mean = next(code.flow.values_given(mean), None)
    numbers = [e.value for e in getattr(mean, "elts", []) if isinstance(e, ast.Constant)]
    return numbers == IMAGENET
