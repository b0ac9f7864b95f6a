"""Error messages: a function of PyTorch gets an argument of another kind than it takes."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Span, say
from keng.pitfalls.shape._shared_explain import UNSTACKED, tuple_from_recurrent_layer
from keng.rules import explains
from keng.source import Code
from keng.tables.operators import forms_of

NUMPYS = "np.{0} is called on a tensor: torch.{0}(x, dim=...), or x.numpy()"

GRADIENT = "None: a gradient that did not come, as of a parameter that is frozen or was not used"
REPEATED = re.compile(r"\] ?\* ?\w")

PARAMETER = re.compile(
    r"(?P<wants>[\w. ]{2,40}?) (?P<name>\w{1,40})(?: = (?P<default>[^,]{1,40}))?"
)
FORM = re.compile(r"(?:^ ?|\*\s)\((?P<form>[^()\n]{0,600})\)")
NUMPY_NUMBERS = re.compile(r"numpy\.(?:float|int)\d+")
NUMBERS = frozenset({"int", "float", "bool", "complex"})
FITS: Mapping[str, frozenset[str]] = {
    "Number": NUMBERS | {"Tensor"},
    "float": NUMBERS - {"complex"} | {"Tensor"},
    "int": frozenset({"int", "Tensor"}),
    "tuple of ints": frozenset({"int", "tuple", "list", "torch.Size"}),
    "tuple of Tensors": frozenset({"tuple", "list"}),
    "torch.device": frozenset({"str", "int"}),
    "torch.Generator": frozenset({"torch._C.Generator"}),
}
"""What is taken besides the very kind that is named."""
MAY_BE_NONE = frozenset({"torch.dtype", "torch.device", "torch.layout", "torch.memory_format"})
"""What torch's own layers hand on as None; old versions do not show that as a default."""
TENSOR_ALREADY = "one ToTensor() alone, and no image to a tensor twice"
NO_TENSORS = (
    "torchvision of before 0.8, and code copied from it, transforms PIL images alone: update it, "
    "or put ToTensor() behind the transforms of images"
)
"""Of transforms that get a tensor."""
TO_EITHER = "transforms.ToTensor() or ToPILImage() before it"
TO_TENSOR = "transforms.ToTensor() before it"
UNREAD = (
    "the file was not read: cv2.imread and others give None where there is no image at the path"
)
SPELT = {"keepdims": "keepdim", "axes": "dim", "axis": "dim", "learning_rate": "lr"}
"""What other libraries say for it."""
NUMBER = "a number: torch.tensor(x), or what Python's own math has for numbers"
WHOLE = "a float: `//` gives whole sizes"
TEXT = "a text: int(text), as argparse gives it with type=int"
SEVERAL = "several: one at a time"
CAME: Mapping[tuple[str, str], str] = {
    **{("Tensor", kind): NUMBER for kind in NUMBERS},
    **{(wants, "str"): TEXT for wants in ("int", "Number", "float", "tuple of ints")},
    (
        "Tensor",
        "str",
    ): "a text: a key, as of a dict that is taken apart like a tuple, a model's output too: take its entry",
    ("tuple of Tensors", "Tensor"): "a Tensor: several go in as one list, [a, b]",
    ("tuple of ints", "int"): "one number: (n,), with a comma",
    ("tuple of ints", "float"): WHOLE,
    ("int", "float"): WHOLE,
    ("int", "tuple"): SEVERAL,
    ("int", "list"): SEVERAL,
    ("int", "Tensor"): "a Tensor: int(x), where it holds one number",
    ("Number", "Tensor"): "a Tensor: x.item(), where it holds one number",
    ("bool", "int"): "a number: several dimensions are one tuple, dim=(0, 1)",
    ("bool", "str"): "a text: True or False, without quotes",
    ("torch.dtype", "str"): "a text: torch.float32, without quotes",
    ("torch.memory_format", "str"): "a text: torch.channels_last, without quotes",
    ("torch.dtype", "type"): "a type of NumPy's or Python's: torch.float32",
}
"""By what is wanted and what came."""
ANY_CAME = {
    "tuple": "a tuple: the layer before returned several things, take the one that is meant",
    "collections.OrderedDict": 'a dict: take the entry that is meant, ["out"] of a model of torchvision\'s',
    "NoneType": "None: what came before returned nothing",
    "numpy.ndarray": "an array: torch.as_tensor(x)",
    "list": "a list: torch.as_tensor(x), or torch.stack for a list of tensors",
    "Output": "what a model returns, of several parts: .logits, .loss or .last_hidden_state",
}
OF_OLD = re.compile(r"torch\.(?P<cuda>cuda\.)?(?P<kind>[A-Z][a-z]{2,6})Tensor")
"""The kinds of tensors by which torch of before 0.4 told devices and dtypes apart."""
SPARSE = re.compile(r"(?:coo|csr|csc|lil|dok|bsr|dia)_(?:matrix|array)")
"""The kinds of sparse matrices in SciPy."""
PICTURES = re.compile(r"(?:\w{1,12}ImageFile|Image)$")
NO_NUMBERS = {
    "NoneType": "is none: a value, a label or an image that is missing; look which sample",
    "str": "is none: numbers in the place of texts, as the place of a label among the classes",
    "dict": "is none of them: take the entry that is meant",
    "builtin_function_or_method": "holds none: it is to be called, with ()",
    "method": "holds none: it is to be called, with ()",
}


@explains("another-kind")
def another_kind(failure: Failure) -> Hits:
    groups = failure.groups
    came = _as_the_line_tells(failure) or _came_as(groups["wants"], groups["came"])
    says = f"`{groups['name']}` of {groups.get('function', 'the layer')} wants {groups['wants']} and gets {came}"
    code, fix, where = failure.code, None, None
    mute = code.types.silent_forward() if groups["came"] == "NoneType" and code else None
    if code is not None and mute is not None:
        says += f", as `{mute[0]}` does, whose forward has no return"
        fix, where = _made_last(code, mute[1])
    yield failure.hit(tuple_from_recurrent_layer(failure, groups["came"]) or says, fix, where)


@explains("a-size-that-is-not-whole")
def a_size_that_is_not_whole(failure: Failure) -> Hits:
    yield failure.hit(say("size-came", came=_came_as("int", failure.groups["came"])))


@explains("another-combination")
def another_combination(failure: Failure) -> Hits:
    function, got = failure.groups["function"], failure.groups["got"]
    forms = failure.message.partition(", but expected")[2]
    if OF_OLD.search(got) is None:  # the table is of today
        forms += "".join(f"\n * ({form})" for form in forms_of(function))
    says = NUMPYS.format(function) if "out=NoneType" in got else _told_of(function, got, forms)
    yield failure.hit(tuple_from_recurrent_layer(failure, "") or says)


@explains("called-by-numpy")
def called_by_numpy(failure: Failure) -> Hits:
    if failure.raised_in.endswith("/fromnumeric.py"):
        yield failure.hit(NUMPYS.format(failure.groups["function"]))


@explains("no-array")
def no_array(failure: Failure) -> Hits:
    came = failure.groups["came"]
    yield failure.hit(say("from-numpy-takes-array", cure=came, came=_made_an_array(came)))


@explains("no-optimizer")
def no_optimizer(failure: Failure) -> Hits:
    says = say("scheduler-takes-optimizer-first", came=failure.groups["came"])
    yield failure.hit(says)


@explains("made-of-no-numbers")
def made_of_no_numbers(failure: Failure) -> Hits:
    yield failure.hit(_no_numbers(failure.groups["came"]))


@explains("of-a-transform")
def of_a_transform(failure: Failure) -> Hits:
    came = failure.groups.get("came", "")
    cure = _transformed(failure.message, failure.groups.get("what") or "", came)
    what = _came_as("an image", came).partition(":")[0] if came else "another kind of image"
    yield failure.hit(say("transform-gets", what=what, cure=cure))


def _made_last(code: Code, last: ast.stmt) -> tuple[Fix | None, Span]:
    """A fix that returns what the last statement of a function gives a name, and its place."""
    if not isinstance(last, ast.Assign) or not isinstance(last.targets[0], ast.Name):
        return None, code.span(last)
    text = f"\n{' ' * last.col_offset}return {last.targets[0].id}"
    return Fix(say("return-what-computes"), (code.edits.append(last, text),)), code.span(last)


def _as_the_line_tells(failure: Failure) -> str:
    """What came in the place of a tensor, where its name or the line tells more than its kind."""
    groups = failure.groups
    if groups["came"] == "NoneType" and ".grad" in failure.line:
        return GRADIENT
    if (
        groups["came"] == "list"
        and groups.get("function") == "mul"
        and REPEATED.search(failure.line)
    ):
        return "a list, which a number repeats and a tensor does not: [0] * int(n)"
    return _target_unstacked(groups)


def _target_unstacked(groups: Mapping[str, str]) -> str:
    """The same of the argument that a loss calls its target."""
    unmade = groups["name"] == "target" and groups["came"] in ("tuple", "list")
    return f"a {groups['came']}, {UNSTACKED}" if unmade else ""


def _came_as(wants: str, came: str) -> str:
    """What came where `wants` is wanted, and what to write."""
    if old := _of_old(wants, came):
        return old
    kind = "Output" if "Output" in came else NUMPY_NUMBERS.sub("float", came)
    article = "an" if kind[:1] in "aeiou" else "a"
    return CAME.get((wants, kind)) or ANY_CAME.get(kind, f"{article} {kind}")


def _of_old(wants: str, came: str) -> str:
    one, other = OF_OLD.fullmatch(wants), OF_OLD.fullmatch(came)
    if (
        one is None or other is None or one["kind"] == "Byte"
    ):  # bytes are to be made floats, not these bytes
        return ""
    moved = f".{'cuda' if one['cuda'] else 'cpu'}()" if one["cuda"] != other["cuda"] else ""
    turned = f".{one['kind'].lower()}()" if one["kind"] != other["kind"] else ""
    return f"a {came}: x{moved}{turned}"


def _told_of(function: str, got: str, forms: str) -> str:
    """What keeps a call from the form that it comes nearest to."""
    forms = forms[:6_000]  # no function has more of them
    name, wants, came = (*_nearest(got, forms), Fault(""))[0]
    if not name and got.startswith("tuple, dtype="):
        return f"a size that {function} is given is no whole number: `//` gives whole sizes"
    if re.search(r"\b(?:list|tuple)\b", got) and FORM.search(forms) and not _nearest(got, forms):
        each = "a tensor" if "tuple of Tensors" in forms else "a whole number"
        return f"not each in the list or tuple that {function} gets is {each}: see what it holds"
    if came:
        return f"`{name}` of {function} wants {wants} and gets {_came_as(wants, came)}"
    if wants:
        return f"{function} is called without `{name}`"
    if name and function == "new":
        return f"torch.Tensor(...) has no `{name}`: torch.tensor(...) has"
    if name:
        meant = _called_here(name, forms)
        return f"{function} has no `{name}`" + (f": it is called `{meant}`" if meant else "")
    says = f"{function}() has no form that takes ({got.rstrip(', ')})"
    if "Tensor" in got and NUMBERS.intersection(got.split(", ")):
        return f"{says}: int(x) of a tensor that is a size, as since 0.4 one entry of it is"
    return f"{says}: compare names and kinds"


def _nearest(got: str, forms: str) -> list[Fault]:
    """The faults against the nearest form; nothing where none can be read."""
    given = [each.strip(" !") for each in got.split(",") if each.strip()]
    known = [_parameters(each["form"]) for each in FORM.finditer(forms)]
    found = [_faults(given, form) or _barely_fitting(given, form) for form in known]
    return min(found, key=lambda faults: sum(each.weight for each in faults), default=[])


def _barely_fitting(given: Sequence[str], parameters: Sequence[Parameter]) -> list[Fault]:
    """The arguments that a form takes in some calls alone, of a call that it did not take: a tensor of one number in
    place of a number, a number in place of a size."""
    kinds = [each for each in given if "=" not in each]
    places = [each for each in parameters if not each.by_name]
    return [
        Fault(place.name, place.wants, came)
        for place, came in zip(places, kinds, strict=False)
        if (came == "Tensor" and place.wants in ("float", "int"))
        or (came == "int" and place.wants == "tuple of ints")
    ]


class Fault(NamedTuple):
    """What keeps a call from a form: an argument of another kind (`wants` and `came`), one that is missing
    (`wants` alone), or one that the form does not have (neither)."""

    name: str
    wants: str = ""
    came: str = ""

    @property
    def weight(self) -> float:
        """Small where the fault is a likely one: whoever gives nothing does not mean a dtype, and who gives
        numbers or several things means numbers and not tensors."""
        if self.wants == "torch.dtype":
            return 0.8 if self.came == "type" else 1.2
        if not self.came:
            return 0.9 if self.wants else 1.1
        return 1.05 if self.wants == "Tensor" and self.came in NUMBERS | {"tuple"} else 1.0


def _faults(given: Sequence[str], parameters: Sequence[Parameter]) -> list[Fault]:
    kinds = [each for each in given if "=" not in each]
    named = dict(each.split("=", 1) for each in given if "=" in each)
    places = [each for each in parameters if not each.by_name]
    if (
        len(kinds) > 1
        and places
        and places[0].wants == "tuple of ints"
        and NUMBERS.issuperset(kinds)
    ):
        odd = [kind for kind in kinds if kind != "int"]  # sizes that stand one by one
        kinds = odd[:1] or ["tuple"]
    met = dict(zip((each.name for each in places), kinds, strict=False)) | named
    known = {each.name for each in parameters}
    faults = [
        Fault(each.name, each.wants, met[each.name]) for each in parameters if _misfits(each, met)
    ]
    faults += [
        Fault(each.name, each.wants)
        for each in parameters
        if not each.default and not each.by_name and each.name not in met
    ]
    faults += [Fault(name) for name in named if name not in known]
    return faults + [Fault("")] * max(0, len(kinds) - len(places))


class Parameter(NamedTuple):
    """`default` is empty where it must be given, `by_name` tells whether it goes by its name alone."""

    wants: str
    name: str
    default: str
    by_name: bool


def _misfits(parameter: Parameter, met: Mapping[str, str]) -> bool:
    came = met.get(parameter.name, parameter.wants)
    if came == "NoneType" and (parameter.default == "None" or parameter.wants in MAY_BE_NONE):
        return False
    tensor = parameter.wants == "Tensor" and re.search(r"Tensor$|Parameter$", came)
    fits = came == parameter.wants or parameter.wants == "object" or tensor
    return not fits and came not in FITS.get(parameter.wants, ())


def _parameters(form: str) -> list[Parameter]:
    positional, _, named = f", {form}".partition(", *")
    return [
        Parameter(each["wants"].strip(), each["name"], each["default"] or "", by_name)
        for part, by_name in ((positional, False), (named, True))
        for piece in part.split(", ")
        if (each := PARAMETER.fullmatch(piece.strip(" ,")))
    ]


def _called_here(name: str, forms: str) -> str:
    """What an argument of that name is called in one of the forms; empty where none is like it."""
    known = [p.name for each in FORM.finditer(forms) for p in _parameters(each["form"])]
    close = [SPELT.get(name, ""), *get_close_matches(name, known, 1, 0.7)]
    return next((each for each in close if each in known), "")


def _made_an_array(came: str) -> str:
    """What makes an array, or a tensor, of something else."""
    if SPARSE.fullmatch(came):
        sparse = "torch.sparse_coo_tensor(np.stack([m.row, m.col]), m.data, m.shape)"
        return f"x.toarray(), or {sparse} of m = x.tocoo()"
    return "x.values" if came in ("DataFrame", "Series") else "torch.as_tensor(x)"


def _no_numbers(came: str) -> str:
    """What to say of what no tensor can be made of."""
    if PICTURES.search(came):
        says = f"a {came} is made a tensor by transforms.ToTensor()"
        return f"{says}, or torch.as_tensor(np.asarray(x))"
    if told := NO_NUMBERS.get(came):
        return f"a tensor is made of numbers, and a {came} {told}"
    return f"a {came} holds no numbers to make a tensor of"


def _transformed(message: str, what: str, came: str) -> str:
    """What a transform is to get in place of what came; `what` is its own word for it."""
    if came == "torch.Tensor":
        return TENSOR_ALREADY if what == "pic" else NO_TENSORS
    if came == "NoneType":
        return UNREAD
    if message.startswith("Input pic"):
        return "ToPILImage() takes (H, W, C) of uint8: np.asarray(x, dtype='uint8')"
    if "PIL." in came or "torch.Tensor. Got" in message:
        return TO_TENSOR
    return TO_EITHER
