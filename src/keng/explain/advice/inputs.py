"""What a layer or a loss was given, and the form in which it would take it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import prod

from keng.explain.advice.fits import LOW
from keng.explain.failure import Failure
from keng.model import Fix, Span


def scores_and_labels(failure: Failure, name: str, otherwise: str) -> tuple[str, Fix | None]:
    """How the shapes of scores and of their labels differ, and what brings them together."""
    scores, labels = (operand.shape for operand in failure.live.lost)
    wants = (scores[0], *scores[2:])
    says = f"{name} has the shape {labels}; scores of shape {scores} want class numbers of shape {wants}"
    fix, single = None, _single_too_many(scores, labels)
    if single:
        cure = f"the scores have a dimension of 1 too many: squeeze({single})"
        fix = failure.turned(failure.lost_as(0, ""), f"{{}}.squeeze({single})")
    elif labels == scores:
        cure = "one-hot: argmax(1) gives the numbers, or float() the probabilities"
        if failure.live.lost[0].dtype == "int64":
            cure = "the scores are class numbers already: the outputs before argmax"
    elif labels == (scores[0], 1, *scores[2:]):
        cure = "squeeze(1) takes the extra dimension off"
        fix = failure.turned(name, "{}.squeeze(1)")
    elif labels == scores[:-1]:
        cure = "the classes come last in the scores: move them to the second dimension"
    elif len(labels) == len(scores) == 2 and labels[0] == scores[0]:
        several = "BCEWithLogitsLoss where several of them are 1"
        cure = f"a last layer of {labels[1]} for rows of so many, {several}"
    else:
        cure = otherwise
    return f"{says}; {cure}", fix


def _single_too_many(scores: tuple[int, ...], labels: tuple[int, ...]) -> int:
    """The dimension of 1 without which scores of several classes would fit; 0 where there is none."""
    for dim in range(1, len(scores)):
        rest = scores[:dim] + scores[dim + 1 :]
        if scores[dim] == 1 and len(rest) > 1 < rest[1] and labels == (rest[0], *rest[2:]):
            return dim
    return 0


ON_THE_CPU = re.compile(
    r"\bon (?:the |a |my )?CPU\b|\bin cpu\b|\bdevice\W{1,4}cpu\b|\bCPU[- ]only\b|"
    r"\b(?:no|without)(?: a)? GPU\b",
    re.IGNORECASE,
)
"""What people write where a program runs without a card."""


TWO_LOW = (
    "one kind of half precision for all: the same torch_dtype for each part, and that of autocast"
)


def on_the_cpu(failure: Failure) -> bool:
    """Whether what failed ran on the CPU, as its tensors, their types or the words beside it tell."""
    if failure.live.operands:
        return {operand.device for operand in failure.live.operands} == {"cpu"}
    typed = re.search(r"\(torch\.\w+Tensor\)", failure.message) and "cuda" not in failure.message
    return bool(typed) or ON_THE_CPU.search(f"{failure.message} {failure.told}") is not None


def converted(failure: Failure, wants: str) -> tuple[str, Fix | None, Span | None]:
    """How the input of a layer comes to be of the dtype of its weights; with the place of the fix where that
    is another than the failing line."""
    told, fix, place = failure.left_as_it_was(failure.given.dtype if failure.given else "")
    if told:
        return told, fix, place
    fed, low = failure.fed, LOW.get(wants.lower())
    if low and failure.groups.get("came", "").lower() in LOW:
        return TWO_LOW, failure.refed(low), None
    if low and wants.lower() != "bfloat16" and on_the_cpu(failure):
        return "on the CPU the whole model in float32, model.float()", None, None
    if low:
        move = (
            f"the forward under torch.autocast, or {fed}.to(model.dtype); on the CPU model.float()"
        )
        return move, failure.refed(low), None
    if failure.groups.get("came", "").lower() in LOW:
        both = f"{fed}.float() where the data comes in, or the forward under torch.autocast"
        return both, failure.refed("{}.float()"), None
    if failure.given is not None and failure.given.dtype == "uint8":
        return f"{fed}.float() / 255 for an image", None, None
    if wants.lower() in ("double", "float64"):
        move = f"model.float() if nothing asked for float64 weights, else {fed}.double()"
        return move, None, None
    return f"{fed}.float() where the data comes in", failure.refed("{}.float()"), None


AUTOCAST = re.compile(r"\b(?:autocast|GradScaler|amp\.|mixed[_ ]precision)\b", re.IGNORECASE)


SCALED_BY_TEXT = (
    "the first scale of a GradScaler is a text: torch.cuda.amp.GradScaler takes init_scale first, "
    "and torch.amp.GradScaler, of torch 2.3 and later, the device"
)


def output_and_state(failure: Failure, came: str) -> str:
    """Who in a Sequential has given a tuple to what takes a tensor, or a text to a scaler."""
    if failure.raised_in.endswith("/amp/grad_scaler.py") and "fill_value" in failure.message:
        return SCALED_BY_TEXT
    handed = failure.live.handed if came == "tuple" else None
    if handed is None:
        return ""
    says = f"`{handed.giver}` ({handed.kind}) gives (output, state), and `{handed.taker}` takes a tensor"
    return f"{says}: a small module between them that returns the output alone"


UNSTACKED = (
    "as a loader gives labels that are texts, or a collate_fn what it does not stack: "
    "numbers from the data set, torch.tensor(labels)"
)
LABELLED = re.compile(r"\b(?:labels?|targets?|gts?)(?:_\w{1,20})?\.[a-z]")


def unstacked(failure: Failure, kind: str) -> str:
    """What labels are that a loader or a collate_fn has not made one tensor of."""
    asked = kind in ("tuple", "list") and LABELLED.search(failure.line)
    return f"a {kind}, {UNSTACKED}" if asked else ""


def channels_for_a_norm(wants: int, came: int) -> str:
    """What to make a normalization of other channels for, or what to give it."""
    if came == 2 * wants:
        return f"num_features={came}, or the {wants} from before torch.cat joined two maps"
    if wants == 2 * came:
        return f"num_features={came}, or torch.cat of two maps before it, where it is to follow one"
    return f"num_features={came}, or {wants} channels or features, as it was made for, from what comes before"


GRADIENT = "None: a gradient that did not come, as of a parameter that is frozen or was not used"
REPEATED = re.compile(r"\] ?\* ?\w")


def as_the_line_tells(failure: Failure) -> str:
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
    return target_unstacked(groups)


def target_unstacked(groups: Mapping[str, str]) -> str:
    """The same of the argument that a loss calls its target."""
    unmade = groups["name"] == "target" and groups["came"] in ("tuple", "list")
    return f"a {groups['came']}, {UNSTACKED}" if unmade else ""


def fitted(name: str, target: Sequence[int], given: Sequence[int]) -> tuple[str, str]:
    """What to do with the target of a loss that compares one by one, and the form of it that fits."""
    there, here = list(target), list(given)
    if there and here and ([*there, 1] == here or [*here, 1] == there):
        form = f".unsqueeze({len(there)})" if len(there) < len(here) else f".squeeze({len(here)})"
        return f"{name}{form}", f"{{}}{form}"
    if form := _one_more(there, here):
        return f"{name}{form}", f"{{}}{form}"
    classes, batch = here[1] if len(here) > 1 else 1, [here[0], *here[2:]] if here else []
    if classes > 1 and there == batch:
        says = f"class numbers of {classes} classes, as cross_entropy takes them; this loss wants"
        return f"{says} a model of 1 output, or F.one_hot in the shape of the input", ""
    if (
        len(here) > 2
        and classes == 1
        and there in ([*here[:1], channels, *here[2:]] for channels in (3, 4))
    ):
        says = "the masks are coloured pictures, and one map is made: mask.convert('L')"
        return f"{says}, or a last layer of {there[1]} where pictures are to come", ""
    if classes > 1 and there == [*here[:1], 1, *here[2:]]:
        return f"{classes} outputs meet one target: a model of 1 output, or cross_entropy", ""
    if exchanged := dimensions_exchanged(there, here):
        return f"{name}{exchanged}", ""
    if prod(there) == prod(here):
        shape = ", ".join(map(str, here)) or "()"
        return f"{name}.reshape({shape}), if their values stand in one order", ""
    return counted_otherwise(there, here), ""


def _one_more(there: Sequence[int], here: Sequence[int]) -> str:
    """What takes a dimension of 1 off the longer, or gives it to the shorter."""
    long, short = sorted((list(there), list(here)), key=len, reverse=True)
    places = range(len(long) if len(long) == len(short) + 1 > 1 else 0)
    fits = [n for n in places if long[n] == 1 and long[:n] + long[n + 1 :] == short]
    what = "unsqueeze" if len(there) < len(here) else "squeeze"
    return f".{what}({fits[0]})" if fits else ""


def dimensions_exchanged(target: Sequence[int], given: Sequence[int]) -> str:
    """How two that hold as many values come to one form, where they differ in the order of two dimensions:
    a reshape would bring values to the wrong places."""
    if len(target) > 3 and [*target[:1], *target[-1:], *target[1:-1]] == list(given) != list(
        target
    ):
        return ".movedim(-1, 1)"
    if len(target) > 3 and [*target[:1], *target[2:], target[1]] == list(given) != list(target):
        return ".movedim(1, -1)"
    apart = [n for n, sizes in enumerate(zip(target, given, strict=False)) if len({*sizes}) > 1]
    if len(target) != len(given) or len(apart) != 2:
        return ""
    one, other = apart
    if (target[one], target[other]) != (given[other], given[one]):
        return ""
    if 1 not in (target[one], target[other]):
        return f".transpose({one}, {other})"
    there = one if target[one] == 1 else other
    here = other if there == one else one
    turned = f".transpose({one}, {other})"
    return f"{turned}, or unsqueeze({there}) where the output got its 1 by unsqueeze({here})"


def one_form(target: str, given: str) -> str:
    """What to do with the labels and the scores of a metric that compares one by one: "2, 1, 96, 96"."""
    there, here = ([int(size) for size in each.split(", ") if size] for each in (target, given))
    if exchanged := dimensions_exchanged(there, here):
        return f"two dimensions are exchanged: labels{exchanged}"
    if form := _one_more(there, here):
        return f"labels{form}"
    if len(here) == len(there) + 1:
        return "argmax(1) of the scores, or a metric of classes"
    if len(here) != len(there) or [*here[:1], *here[2:]] != [*there[:1], *there[2:]]:
        return "one form for both"
    if there[1:2] == [1]:
        return f"the labels are to be {here[1]} channels, one-hot: to_onehot_y=True of MONAI"
    if here[1:2] == [1]:
        return f"one channel meets labels of {there[1]}: out_channels={there[1]}, or labels of one"
    return _of_other_channels(there, here) if len(here) > 3 else "one form for both"


def _of_other_channels(there: Sequence[int], here: Sequence[int]) -> str:
    """Of maps alone: those of both have several channels."""
    if here[1] == there[1]:
        return "one form for both"
    return (
        f"labels of {there[1]} channels meet {here[1]} of the model: out_channels={there[1]}, or "
        f"labels of one channel with class numbers, which to_onehot_y=True of MONAI turns into {here[1]}"
    )


EXTRACTED = {
    2304: "SlowFast",
    2048: "a ResNet-50",
    512: "CLIP",
    768: "CLIP of ViT-L, or BERT",
    1024: "I3D",
}
"""How many features extractors give, whose outputs are put side by side."""


def features_missing(wants: int, came: int) -> str:
    """What to do with an input of another width than a layer was made for."""
    name = EXTRACTED.get(wants - came, "")
    if name and wants % came:
        says = f"{wants} - {came} = {wants - came} features are missing, as many as {name} gives"
        return f"{says}: put them beside the others as in training, or train for {came}"
    return f"give it {wants}, as a trained model needs, or normalized_shape={came} in a layer of your own"


def counted_otherwise(target: Sequence[int], given: Sequence[int]) -> str:
    """Why there are more or fewer of them: values for a sample, or the height and width of a map."""
    if len(target) == len(given) > 3 and target[:2] == given[:2]:
        maps = "F.interpolate one to the other, or other paddings and strides on the way"
        return f"maps of {_sizes(given)} and {_sizes(target)}: {maps}"
    if 1 < len(target) == len(given) < 4 and target[:-1] == given[:-1]:
        wants, came = target[-1], given[-1]
        cure = f"a last layer of {wants}, or a target of {came}"
        return f"the model gives {came} for each sample, and the target has {wants}: {cure}"
    rows, values = given[0] if given else 0, target[0] if target else 0
    single = prod(given) == rows and prod(target) == values
    if single and 0 < rows < values and values % rows == 0:
        each = values // rows
        return f"{each} values of the target for each of {rows} samples: a model of {each} outputs"
    if len(target) == 2 and list(target[:1]) == list(given):
        cure = f"a last layer of {target[1]}, and no argmax, max or squeeze behind it"
        return f"one value for each sample meets a target of {target[1]}: {cure}"
    if rows and values and rows != values and {*target[1:], *given[1:]} <= {1}:
        made = "as where one was made for the full batch: x.size(0) in place of its size"
        return f"the batches differ, {made}, or drop_last=True"
    return ""


def _sizes(shape: Sequence[int]) -> str:
    return " x ".join(map(str, shape[2:]))
