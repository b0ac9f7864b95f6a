"""What a message tells of scores, labels and numbers that a loss or a distribution does not take."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

COLUMN = "squeeze(1) for a column, argmax(1) for one-hot vectors"
SEVERAL = f"{COLUMN}, BCEWithLogitsLoss where a sample has several labels"
MAPS = "squeeze(1) for one channel, argmax(1) for one-hot maps; colours are to become class numbers"
OF_AN_IMAGE = (
    "one label an image meets maps of scores: pooling and flatten(1) before the last layer"
)
SPATIAL = re.compile(
    r"spatial targets.{0,60}? of (?:dimension: (?P<dims>\d)|size: ?:? ?\[(?P<sizes>[\d, ]{1,60}))"
)


def labels_apart(failure: Failure) -> str:
    """What to do with class numbers of another shape, as far as the message tells it."""
    spatial = SPATIAL.search(failure.message)
    if spatial is not None:
        sizes = re.findall(r"\d+", spatial["sizes"] or "")
        ones = [n for n in (1, 3) if len(sizes) == 4 and sizes[n] == "1"]
        one = f"squeeze({ones[0]}) takes the extra dimension off" if ones else MAPS
        return OF_AN_IMAGE if spatial["dims"] in ("0", "1") else one
    wants, came = (re.findall(r"\d+", failure.groups.get(name, "")) for name in ("wants", "came"))
    if not wants:
        return SEVERAL
    if came == [*wants[:1], "1", *wants[1:]]:
        return "squeeze(1) takes the extra dimension off"
    if len(came) == len(wants) == 2:
        last = f"are {wants[1]} the classes, they come last in the scores: scores.transpose(1, 2)"
        return f"{last}; else both of one length"
    if len(came) < len(wants):
        more = "the scores have a dimension more, of steps or places"
        return f"{more}: scores[:, -1], a pooling, or a label for each"
    resized = "F.interpolate(scores, size=...) where only the sizes differ"
    return f"they are to be ({', '.join(wants)}): {resized}"


OUTPUTS = re.compile(r"(?:\w+\.)*(?:y_?hat|y_?pred\w{0,5}|(?:out|pred|logit|score|recon)\w{0,12})")
FIRST = "the model's output comes first, loss(output, target)"


def learnt_through(name: str, otherwise: str) -> str:
    """What to do with a target that requires a gradient: the second one, by its name, if it has any."""
    says = f"{name or otherwise} requires a gradient, and the loss has none for it"
    if OUTPUTS.fullmatch(name.strip("`")):
        return f"{says}: {FIRST}; or detach() it"
    return f"{says}: detach() it" if name else f"{says}: detach() it, or {FIRST}"


SLOPES = {
    "Sqrt Rsqrt": "the root of 0 has none: torch.sqrt(x + 1e-8)",
    "Pow": "a root of 0, itself or of what comes of it, or of a number below 0: (x ** 2 + 1e-8).sqrt()",
    "Log Log2 Log10": "the logarithm of 0 has none: x.clamp(min=1e-8) before it",
    "Div": "it divides by 0, where a torch.where() behind it is of no help: put the divisor right before",
    "Softmax LogSoftmax": "a row is -inf throughout, as where all is masked, or held NaN",
    "Acos Asin": "at 1 and -1 there is none: x.clamp(-1 + 1e-6, 1 - 1e-6) before it",
    "Std Var": "one value alone has no spread: unbiased=False, or more samples",
    "Exp": "it has overflowed: less than 88 goes in, less than 11 in float16",
}
REASONS = {name: why for names, why in SLOPES.items() for name in names.split()}
COMES = (
    "what it kept or what came to it was infinite: a mask of -inf, too much for float16, or a root or "
    "division by 0 behind it"
)


def without_slope(operation: str) -> str:
    return f"the slope of `{operation}` is NaN: {REASONS.get(operation, COMES)}"


OF_TEXTS = re.compile(r"\btransformers\b|input_ids|\btokens?\b|\bLLM\b|modeling_\w+\.py")


def batches_apart(failure: Failure, rows: int, labels: int) -> str:
    says = f"{rows} rows of scores meet {labels} labels"
    if labels and rows > labels and rows % labels == 0:
        says += f": {rows // labels} rows for each, as a reshape took features into the batch,"
        return f"{says} x.flatten(1), names the size of another batch, or every step of a sequence is kept"
    if rows == 1 < labels:
        says = f"one row of scores meets {labels} labels: the model lays the batch out flat"
        return f"{says}, x.flatten(1) in place of view(-1)"
    if rows and labels > rows and labels % rows == 0:
        says += f": {labels // rows} for each, as one-hot rows or sequences laid out flat"
        return f"{says}: argmax(1), or scores of each step"
    if failure.tells(OF_TEXTS):
        says += (
            ": labels of a text are as long as its input_ids, with -100 for the prompt and padding,"
        )
        return f"{says} and are cut off with them"
    says += ": one of them is of another batch, as where a reshape names the batch's size,"
    return f"{says} the last is smaller, or time comes first (batch_first=True)"


def resolutions_apart(given: str, target: str) -> str:
    """Of scores and masks by their sizes, "2x5x4x4" or "2, 8, 8"."""
    here, there = (re.findall(r"\d+", each) for each in (given, target))
    if len(there) == 1:
        return f"scores of ({given}) meet {target} labels: a row of scores for each label, (N, C) and (N,)"
    says = f"scores of ({given}) and masks of ({target})"
    if dim := next((n for n in range(2, len(here)) if here[:n] + here[n + 1 :] == there), 0):
        return f"{says}: the classes stand in dimension {dim}: scores.movedim({dim}, 1)"
    if here[-2:] == there[-2:]:
        return f"{says}: the batches differ"
    if len(there) == 3 and here[-2:] == [there[2], there[1]]:
        return f"{says}: height and width are exchanged: masks.transpose(1, 2)"
    return f"{says}: F.interpolate(scores, size=masks.shape[-2:]), or masks with mode='nearest'"


DIVERGED = "NaN comes of the data or of weights that diverged"
SPREAD = f"a deviation is below 0 or NaN: exp() or softplus() of what a layer gives; {DIVERGED}"
CHANCE = f"a probability is below 0, above 1 or NaN: sigmoid() of what a layer gives; {DIVERGED}"
PARAMETER = (
    "a parameter of the distribution is NaN, as of weights that diverged, or out of its range: "
    "exp() or softplus() for a deviation"
)


def out_of_range(message: str) -> str:
    if "std >= 0" in message:
        return SPREAD
    return PARAMETER if "has invalid values" in message else CHANCE


SUPPORTS = {
    "Real": "it is NaN, which comes of the data or of weights that diverged",
    "Boolean": "0 and 1 alone",
    "IntegerInterval": "a class that there is not, as -1 of padding, or no whole number",
    "Interval": "clamp it, or bring an action of another range back to this one; or it is NaN",
    "GreaterThan": "clamp(min=1e-6), or it is NaN",
    "GreaterThanEq": "clamp(min=0), or it is NaN",
    "OneHot": "rows of zeros and a single 1: F.one_hot(x, n)",
}


def beyond_support(kind: str, support: str) -> str:
    says = f"a value lies outside of what {kind} can give, {support}"
    cure = SUPPORTS.get(re.sub(r"^IndependentConstraint\(|\(.*", "", support), "")
    return f"{says}: {cure}" if cure else says
