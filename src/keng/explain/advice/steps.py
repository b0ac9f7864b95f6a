"""What a message tells of what an optimizer, a scheduler, a scaler or a trainer was given."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

HALF = (
    "what is trained is float16 itself, the model or an adapter: keep it in float32, as "
    "p.data = p.data.float() for what learns, and autocast takes half precision where it may"
)
BRAIN = "what is trained is bfloat16, which needs no loss scale: leave the GradScaler out"


def scaled_as_half(message: str) -> str:
    return BRAIN if "BFloat16" in message else HALF


SCALED = re.compile(r"GradScaler|\bscaler\b|\bfp16\b|\bamp\b|mixed.precision", re.IGNORECASE)


def scheduled_early(failure: Failure) -> str:
    """Of a scheduler that PyTorch has seen step before its optimizer."""
    if any(map(SCALED.search, (failure.told, failure.message, failure.around, failure.line))):
        says = "a GradScaler leaves out the first steps, whose gradients overflow: harmless"
        return f"{says}, where scheduler.step() comes after scaler.step(optimizer)"
    says = "the scheduler stepped before the optimizer and its first learning rate is lost"
    return f"{says}; harmless where a GradScaler skipped its first step"


PAIRS = {
    "tuple": "pairs, as of named_parameters(), which torch takes from 2.6 on: model.parameters()",
    "parameters": "a generator: list(a.parameters()) + list(b.parameters()), or a dict for each",
    "generator": "a generator: list(a.parameters()) + list(b.parameters()), or a dict for each",
    "list": 'a list: one flat list, or a dict with "params" for each group',
    "str": "a name, as of state_dict() or of a dict alone: model.parameters(), or [group]",
    "ndarray": "an ndarray: torch.tensor(x, requires_grad=True)",
}


def among_parameters(kind: str) -> str:
    """Of a thing that an optimizer found in place of a tensor: "Module.parameters", "numpy.ndarray"."""
    layer, kind = kind.startswith("torch.nn.modules."), kind.rpartition(".")[2]
    if kind in PAIRS:
        return f"what stands among the parameters is {PAIRS[kind]}"
    if layer:
        return f"a {kind} stands among the parameters: its .parameters(), of each layer"
    return f"a {kind} stands among the parameters: give model.parameters()"


def no_parameters_in(line: str) -> str:
    says = "there are no parameters"
    if "requires_grad" in line:
        return f"{says}: all are frozen, or the filter was read before, which uses it up: list(filter(...))"
    hidden = "layers in a plain list are not seen (nn.ModuleList)"
    return (
        f"{says}: {hidden}, `__init__` is misspelt, a generator was read before, or all are frozen"
    )


def given_for(name: str, came: str) -> str:
    says = f"`{name}` is to be a function, and is a {came}"
    if name == "collate_fn" and came == "NoneType":
        return f"{says}: leave it out, which takes the usual one"
    if name in ("lr_lambda", "lmbda") and came in ("float", "int"):
        return f"{says}: lambda epoch: 0.95 ** epoch, as a factor of the first rate"
    return f"{says}: its name, with no parentheses behind it that call it"


SHORT = {"valid": "val", "validation": "val", "eval": "val", "accuracy": "acc", "training": "train"}


def _words(name: str) -> set[str]:
    """ "Valid/Accuracy" and "val_acc" are made of the same."""
    return {SHORT.get(word, word) for word in re.split(r"[^a-z0-9]|_", name.lower()) if word}


def unseen(name: str, there: str) -> str:
    """Of a value that a trainer watches, and of those that it has, "['loss']"."""
    if name.endswith("eval_loss") and "eval_runtime" in there:
        says = "the evaluation gives no loss, as the model gets no labels in it"
        return f"{says}: label_names=['labels'], or `labels` in the batch"
    known = [other for other in re.findall(r"[\w/.-]{2,80}", there) if other != name]
    if near := next((other for other in known if _words(other) == _words(name)), ""):
        return f"it is `{near}` there: one name for both"
    held = re.match(r"(?:val|valid|eval|test|dev)(?=[_/])", name)
    if held and there and held[0] not in there:
        says = "nothing of an evaluation is there: it was not run before, has no loader"
        return f"{says}, or logs by another name"
    return "self.log or compute_metrics gives it, under that name"


OTHERS = {
    "zero_grad": "an optimizer's: optimizer.zero_grad()",
    "param_groups": "an optimizer's: optimizer.param_groups",
    "backward": "the loss's: loss.backward()",
    "parameters": "the model's: model.parameters()",
    "train": "the model's: model.train()",
    "eval": "the model's: model.eval()",
}
"""What is asked of an optimizer or a scheduler by mistake, and whose it is."""
ACCELERATED = (
    "accelerate before 0.34.2 asks each optimizer for a train() that few have, once transformers 4.45 and "
    "later call it: pip install -U accelerate; in code of one's own it is model.train()"
)


def asked_of_another(failure: Failure, kind: str, name: str) -> str:
    alone = name in ("train", "eval") and not failure.line and not failure.around
    if alone or failure.passed_through("accelerate/optimizer.py"):
        return ACCELERATED
    return f"`{name}` is asked of {kind} and is {OTHERS[name]}"


MEASURED = re.compile(r"\.(?:train|eval)_model\((?P<given>[^()]{1,600})")
GIVEN = re.compile(r"\b(?P<name>\w{2,40}) ?= ?(?:True|False|None|-?[\d.]+|[\"'])")
TAKES = frozenset(
    "output_dir show_running_loss args eval_data eval_df eval_file verbose silent multi_label".split()
)
"""What the methods of Simple Transformers know by name."""


def taken_for_a_metric(failure: Failure) -> str:
    """The options by which a method of Simple Transformers is given what is no function, in words."""
    text = failure.line or f"{failure.around}\n{failure.message}"
    call = MEASURED.search(text) if failure.shows("simpletransformers") else None
    named = [found["name"] for found in GIVEN.finditer(call["given"] if call else "")]
    return " or ".join(f"`{name}`" for name in dict.fromkeys(named) if name not in TAKES)


AMP_OF_REPLICAS = (
    "mixed precision and DataParallel are refused together, whose threads once did not take autocast over: "
    "DistributedDataParallel with a process for each card, one card, or no mixed precision"
)
REFUSED_ON_REPLICAS = {
    "AMP equipped with DataParallel has to manually write": AMP_OF_REPLICAS,
    "with DataParallel is not supported. See this note from NVIDIA": AMP_OF_REPLICAS,
}
