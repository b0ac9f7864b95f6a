"""Error messages: tensors of different dtypes meet where PyTorch does not convert."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Span, say
from keng.pitfalls.device._shared_explain import left_behind
from keng.rules import explains

CLIPS = re.compile(
    r"\bclip\.load\(|\bclip(?:_model)?\.(?:transformer|visual|encode_(?:image|text))\b|"
    r"\bmodel\.encode_(?:image|text)\(|[/\\]clip[/\\](?:clip_)?model\.py"
)
"""What shows the CLIP of OpenAI, or one that has its names."""
ARGUMENT = re.compile(r"for argument #(?P<nth>\d) '(?P<name>target|weight|mat1|mat2)'")
LOSS = re.compile(r"binary_cross_entropy|\bBCE(?:WithLogits)?Loss\b")
FUNCTIONS = "torch/nn/functional.py"
SCORES = ("cross_entropy", "nll_loss")
Said = tuple[str, Fix | None, Span | None]
LOWER = frozenset(("half", "bfloat16"))
SHORT = {
    "float32": "float",
    "float64": "double",
    "float16": "half",
    "int64": "long",
    "int32": "int",
}
"""What Python calls a dtype -> what messages do."""
WIDE = "x.float() for what is float64, as the numbers of NumPy and pandas are"
CASTS = (
    "autocast casts on the card alone, and in no Function or extension of one's own: the whole model on it, "
    "or custom_fwd(cast_inputs=torch.float32)"
)
BLOCK = (
    "autocast casts nothing outside of its block, as in evaluation, nor on the CPU or in extensions: "
    "the forward in the block, or x.to(model.dtype)"
)
LOW_AND_HIGH = (
    "the forward, in evaluation too, under torch.autocast, or one dtype for model, adapter and input; "
    "on the CPU model.float()"
)
CHANGED = re.compile(r"[-+*/]=(?!=)|\.\w+_\(")
"""What a line does in place."""
LOW = {"half": "{}.half()", "float16": "{}.half()", "bfloat16": "{}.bfloat16()"}
"""Names of the dtypes of half precision -> how a tensor is converted to it."""
WHOLE_NUMBERS = {"Long": "int64", "Int": "int32", "Byte": "uint8", "Bool": "bool"}
ON_THE_CPU = re.compile(
    r"\bon (?:the |a |my )?CPU\b|\bin cpu\b|\bdevice\W{1,4}cpu\b|\bCPU[- ]only\b|"
    r"\b(?:no|without)(?: a)? GPU\b",
    re.IGNORECASE,
)
"""What people write where a program runs without a card."""
TWO_LOW = (
    "one kind of half precision for all: the same torch_dtype for each part, and that of autocast"
)
AUTOCAST = re.compile(r"\b(?:autocast|GradScaler|amp\.|mixed[_ ]precision)\b", re.IGNORECASE)

TENSOR = re.compile(r"torch\.(cuda\.\w+|\w+)Tensor!?(?: (\w+))?")
GOT = re.compile(r"- got \(([^()]*)\), but expected")
FORM = re.compile(r"\(([^()]*)\)")
OPTIONAL = re.compile(r"\[[^\[\]]*\]")
INDICES = {"index", "indices"}


@explains("input-and-weights")
def input_and_weights(failure: Failure) -> Hits:
    came, wants = failure.groups.get("came", ""), failure.groups.get("wants", "")
    name = f"the input of {failure.layer}" if failure.layer_name else "the input"
    if (clip := _halved_by_clip(failure)) or came == wants or "self and mat2" in failure.message:
        added = f"{came} is added to a product of {wants}: bias.to(x.dtype)"
        if wants in ("Byte", "Char"):
            added = f"the weights are {wants}, packed ones as of 4 or 8 bits: only layers of the library that packed them unpack them"
        neither = "input and weights differ in dtype: x.float() for float32 weights"
        yield failure.hit(clip or (neither if came == wants else added))
        return
    cure, fix, place = _converted(failure, wants)
    says = f"{name} is {came}, its weights are {wants}: {cure}"
    yield failure.hit(says, fix, place, came=came, wants=wants)


@explains("two-operands")
def two_operands(failure: Failure) -> Hits:
    one, there = failure.groups["one"], {o.name: o.dtype for o in failure.live.operands}
    if (named := _of_an_argument(failure, one, failure.groups["other"])) is not None:
        yield failure.hit(*named)
        return
    floats = {name: dtype for name, dtype in there.items() if "float" in dtype}
    there = floats if len(set(floats.values())) > 1 else there  # integers are indices then
    says = f"two dtypes meet, {one} and {failure.groups['other']}"
    if len(set(there.values())) > 1:
        says = " and ".join(f"`{name}` is {dtype}" for name, dtype in there.items())
    cure = _brought_together(failure, one, failure.groups["other"])
    says = _halved_by_clip(failure) or f"{says}: {cure}"
    yield failure.hit(says, sure=one != "Long")


@explains("told-by-a-list-of-types")
def told_by_a_list_of_types(failure: Failure) -> Hits:
    if _differ_in_dtype(failure.message):
        yield failure.hit(say("call-has-form-another"))


@explains("loss-of-two-dtypes")
def loss_of_two_dtypes(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(say("loss-gets", cure=came, wants=wants, came=_in_a_loss(came, wants)))


@explains("result-that-does-not-fit")
def result_that_does_not_fit(failure: Failure) -> Hits:
    yield failure.hit(*_of_a_result(failure, failure.groups["one"], failure.groups["other"]))


@explains("written-into")
def written_into(failure: Failure) -> Hits:
    sizes = " ({other} into {one})".format(**failure.groups) if failure.groups.get("one") else ""
    says = f"what is written is of another dtype than the tensor{sizes}: source.to(x.dtype)"
    yield failure.hit(says)


@explains("one-for-all")
def one_for_all(failure: Failure) -> Hits:
    one, other = (failure.groups.get(key, "") for key in ("one", "other"))
    says = say("one-dtype-wanted-all")
    if failure.groups.get("cpu"):
        says = say("on-cpu-weights-normalization")
    elif one and other:
        says = say(
            "two-dtypes-meet", one=one, other=other, failure=_brought_together(failure, one, other)
        )
    yield failure.hit(says)


def _halved_by_clip(failure: Failure) -> str:
    """What to do where the model is CLIP, whose weights are float16 on a card and there alone; nothing
    where it is not, or other dtypes meet."""
    named = {failure.groups.get(key, "").lower() for key in ("came", "wants", "one", "other")}
    shown = [
        failure.line,
        failure.message,
        failure.surrounding,
        *(frame.path for frame in failure.frames),
    ]
    if not named <= {"", "half", "float"} or not any(map(CLIPS.search, shown)):
        return ""
    return (
        "CLIP has float16 weights on a card: model.float() once after clip.load, "
        "or x.to(model.dtype) for what it gets and .float() for what it gives"
    )


def _converted(failure: Failure, wants: str) -> tuple[str, Fix | None, Span | None]:
    """How the input of a layer comes to be of the dtype of its weights; with the place of the fix where that
    is another than the failing line."""
    told, fix, place = left_behind(failure, failure.input.dtype if failure.input else "")
    if told:
        return told, fix, place
    fed, low = failure.input_name, LOW.get(wants.lower())
    if low and failure.groups.get("came", "").lower() in LOW:
        return TWO_LOW, failure.rewrite_input(low), None
    if low and wants.lower() != "bfloat16" and _on_the_cpu(failure):
        return "on the CPU the whole model in float32, model.float()", None, None
    if low:
        move = (
            f"the forward under torch.autocast, or {fed}.to(model.dtype); on the CPU model.float()"
        )
        return move, failure.rewrite_input(low), None
    if failure.groups.get("came", "").lower() in LOW:
        both = f"{fed}.float() where the data comes in, or the forward under torch.autocast"
        return both, failure.rewrite_input("{}.float()"), None
    if failure.input is not None and failure.input.dtype == "uint8":
        return f"{fed}.float() / 255 for an image", None, None
    if wants.lower() in ("double", "float64"):
        move = f"model.float() if nothing asked for float64 weights, else {fed}.double()"
        return move, None, None
    return f"{fed}.float() where the data comes in", failure.rewrite_input("{}.float()"), None


def _on_the_cpu(failure: Failure) -> bool:
    """Whether what failed ran on the CPU, as its tensors, their types or the words beside it tell."""
    if failure.live.operands:
        return {operand.device for operand in failure.live.operands} == {"cpu"}
    typed = re.search(r"\(torch\.\w+Tensor\)", failure.message) and "cuda" not in failure.message
    return bool(typed) or ON_THE_CPU.search(f"{failure.message} {failure.context}") is not None


def _of_an_argument(failure: Failure, one: str, other: str) -> Said | None:
    """Before torch 1.5 a message told the dtype that is wanted, the one that came, and the name of the
    argument in C++: `mat1` is the input of a linear layer, `mat2` there and a second argument `weight` are
    its weights, a third one is what the classes weigh in a loss."""
    found = ARGUMENT.search(failure.message)
    name, nth = (found["name"], found["nth"]) if found is not None else ("", "")
    floats = {one, other}.isdisjoint(WHOLE_NUMBERS)
    if name == "target" and other in WHOLE_NUMBERS and one not in WHOLE_NUMBERS:
        return *_target_of_floats(failure, other), None
    if name == "target" and floats:
        return f"the loss gets {other} with {one}: {_in_a_loss(other, one)}", None, None
    scored = nth == "3" if not failure.frames else failure.frames[-1].function in SCORES
    scored = scored and (not failure.frames or failure.raised_in.endswith(FUNCTIONS))
    if one not in WHOLE_NUMBERS and scored and (name == "weight" or not name):
        cure = "weight.to(scores.dtype)"
        return f"the weights of the classes are {other}, the scores {one}: {cure}", None, None
    if name in ("mat1", "weight") or (name == "mat2" and failure.in_layer("Linear")):
        came, wants = (other, one) if name == "mat1" else (one, other)
        thing = f"the input of {failure.layer}" if failure.layer_name else "the input"
        cure, fix, place = _converted(failure, wants)
        return f"{thing} is {came}, its weights are {wants}: {cure}", fix, place
    return None


def _target_of_floats(failure: Failure, dtype: str) -> tuple[str, Fix | None]:
    """Of a loss that computes floats and is given a target of whole numbers."""
    lost = failure.live.loss_inputs
    known = len(lost) == 2 and lost[1].dtype == WHOLE_NUMBERS.get(dtype)
    target = failure.loss_argument_name(1, "the target") if known else "the target"
    cure = f"{target.split()[-1].strip('`')}.float()"
    says = f"{target} is {dtype}, and this loss computes floats: {cure}"
    return says, failure.rewrite(target, "{}.float()")


def _in_a_loss(came: str, wants: str) -> str:
    """What a loss wants that gets two dtypes."""
    if wants == "Long":
        return "prediction.float()"
    if {came.lower(), wants.lower()} & LOWER:
        return "prediction.float() and target.float(), as a loss is computed in float32"
    whole = came in WHOLE_NUMBERS
    return (
        "target.float(), as NumPy's are float64"
        if came == "Double"
        else ("target.float()" if whole else "target.to(prediction.dtype)")
    )


def _brought_together(failure: Failure, one: str, other: str) -> str:
    """What two operands want that have these dtypes."""
    if "self and source" in failure.message:
        return "what is written in takes the dtype of what it is written into: source.to(x.dtype)"
    kinds = {SHORT.get(kind.lower(), kind.lower()) for kind in (one, other)}
    if kinds == {"float", "double"}:
        return WIDE
    if kinds == LOWER:
        return TWO_LOW
    if kinds & LOWER and kinds <= {*LOWER, "float", "double"}:
        return _in_half_precision(failure, one.lower() == "float")
    if {one, other} == {"Long", "Int"}:
        return "labels and indices are long, x.long()"
    if one == "Long":  # of the first factor, too
        return "x.float() in a product; labels and indices are x.long()"
    if kinds & {"long", "int", "short", "byte", "bool"} and kinds & {"float", "double", *LOWER}:
        return "x.float() for the whole numbers"
    return "convert one with .to(other.dtype)"


def _in_half_precision(failure: Failure, wants_float: bool) -> str:
    if failure.contains("autocast(") or AUTOCAST.search(f"{failure.context}\n{failure.message}"):
        return CASTS if wants_float else BLOCK
    return "on the CPU the whole model in float32" if _on_the_cpu(failure) else LOW_AND_HIGH


def _of_a_result(failure: Failure, one: str, other: str) -> tuple[str, Fix | None]:
    """What a result that its tensor cannot hold was to be written into: in a binary loss its target."""
    called = any("binary_cross_entropy" in frame.function for frame in failure.frames)
    if called or LOSS.search(f"{failure.line}\n{failure.message}\n{failure.context}"):
        return _target_of_floats(failure, other)
    whole = [f"`{o.name}`" for o in failure.live.operands if o.dtype.startswith(("int", "uint"))]
    name = whole[0] if len(whole) == 1 else "a tensor"
    says = f"a {one} result is to be written into {name}, which is {other}"
    unseen = not failure.frames and other in ("Long", "Int")
    cure = ", as labels in BCEWithLogitsLoss are: .float()" if unseen else ": convert it"
    if CHANGED.search(failure.line):
        cure = ": not in place (x = x / y, clamp() for clamp_()), or x.float() first"
    return f"{says}{cure}", None


def _differ_in_dtype(message: str) -> bool:
    """Whether a call with "an invalid combination of arguments" has a form for as many tensors, of other
    dtypes; indices are not computed with."""
    got = GOT.search(message)
    given = [kind for kind, _ in TENSOR.findall(got[1])] if got is not None else []
    for form in FORM.findall(message[got.end() :]) if got is not None else ():
        for text in (form, OPTIONAL.sub("", form)):
            wanted = TENSOR.findall(text)
            others = {
                name for (kind, name), came in zip(wanted, given, strict=False) if kind != came
            }
            if len(wanted) == len(given) and others:
                return not others & INDICES
    return False
