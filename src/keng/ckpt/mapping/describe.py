"""A plan in a sentence, and as an expression of Python: what an explanation has room for."""

from __future__ import annotations

from collections.abc import Iterator

from keng.ckpt.mapping.errors import StateErrors
from keng.ckpt.mapping.plan import Move, Plan, Rule
from keng.ckpt.mapping.shapes import differing, way

NAMED = 3
"""Entries of the model that are named where nothing fills them."""
PEFTS = "base_model.model."
"""What PEFT puts before the names of a model that it wraps."""
AS_SAVED = "use the configuration and the version of the code that the file was saved with"


def in_words(plan: Plan) -> str:
    """ "with `module.` taken out of 122 names, all 122 entries fit" """
    keys = "".join(f'["{key}"]' for key in plan.nesting)
    head = f"the weights are in {keys}: " if keys else ""
    steps = [*map(_step, plan.rules), *_fused(plan)]
    head += f"with {', '.join(steps)}, " if steps else ""
    every, kept = len(plan.moves) + len(plan.missing), [each.name for each in plan.lacking]
    adapter = sum(each.why == "lora" for each in plan.unused)
    end = f"; {adapter} of a LoRA adapter are left out, for PEFT to merge" if adapter else ""
    if not kept and len(plan.exact) == len(plan.moves):
        return f"{head}all {every} entries fit{end}"
    unlike = [*kept, *(move.target for move in plan.moves if move not in plan.exact)]
    named = ", ".join(f"`{name}`" for name in unlike[:NAMED])
    more = f" and {len(unlike) - NAMED} more" if len(unlike) > NAMED else ""
    return f"{head}{len(plan.exact)} of {every} entries fit, all but {named}{more}{end}"


def _fused(plan: Plan) -> Iterator[str]:
    for count, what in ((plan.split, "taken apart"), (plan.joined, "put together")):
        if count:
            yield f"{count} fused {'entry' if count == 1 else 'entries'} {what}"


def _step(rule: Rule) -> str:
    count = f"{rule.times} name{'s' if rule.times > 1 else ''}"
    if rule.kind == "wrapper":
        return (
            f"`{rule.old}.` taken out of {count}" if rule.old else f"`{rule.new}.` put into {count}"
        )
    if rule.kind == "order":
        return f"`{rule.old}*.` made `{rule.new}*.` in {count}, layer by layer in their order"
    if rule.kind == "spelled":
        return f"other signs between the parts of {count}"
    if rule.old and rule.new:
        return f"`{rule.old}` made `{rule.new}` in {count}"
    return f"`{rule.old}` cut off {count}" if rule.old else f"`{rule.new}` put before {count}"


def expression(plan: Plan, state: str) -> str:
    """What the model loads, of what the program calls its state dict; empty where one expression does
    not make it."""
    inside = state + "".join(f'["{key}"]' for key in plan.nesting)
    left = [each for each in (*plan.unused, *plan.lacking) if each.why != "counter"]
    if left or any(move.how != "copy" for move in plan.moves):
        return ""
    if all(move.source == move.target for move in plan.moves):
        return inside if plan.nesting else ""
    change = next((change for change in _changes(plan) if _makes(change, plan.moves)), None)
    return f"{{{_name(*change)}: value for key, value in {inside}.items()}}" if change else ""


def _changes(plan: Plan) -> Iterator[tuple[str, str]]:
    """Beginnings of names, and what the model has in their place."""
    for rule in plan.rules:
        end = "." if rule.kind == "wrapper" else ""
        yield rule.old and rule.old + end, rule.new and rule.new + end


def _makes(change: tuple[str, str], moves: tuple[Move, ...]) -> bool:
    return all(_changed(move.source, *change) == move.target for move in moves)


def _changed(name: str, old: str, new: str) -> str:
    return new + name.removeprefix(old) if name.startswith(old) else name


def _name(old: str, new: str) -> str:
    if not old or not new:
        return f'key.removeprefix("{old}")' if old else f'"{new}" + key'
    return f'"{new}" + key.removeprefix("{old}") if key.startswith("{old}") else key'


def of_another_head(errors: StateErrors) -> str:
    """What is to be done where only the number of outputs differs, or of words; nothing where more does."""
    (file, model), rows = errors.head, errors.rows
    words = "" if file else _of_another_vocabulary(errors)
    if words or not (file or rows[0]):
        return words
    more = f", and {len(errors.shapes) - 1} more" if len(errors.shapes) > 1 else ""
    if not file:
        key, (file, model) = next(iter(errors.shapes)), rows
        says = f"`{key}` has {file} rows in the file and {model} in the model{more}, one for each class,"
        cure = "the list that it was trained with to use it as it is, or leave the layer out and train it"
        return f"{says} letter or word: {cure} anew"
    says = f"`{next(iter(errors.shapes))}` has {file} outputs in the file and {model} in the model{more}"
    cure = "as many classes as the file has to use it as it is, or leave the head out and train it anew"
    return f"{says}: {cure}; strict=False is not enough"


def in_numbers(errors: StateErrors, message: str) -> str:
    """What differs, where nothing tells why, and what mostly lies behind it."""
    cut = "key(s) in" in message and '".' not in message
    if says := _of_an_adapter(errors):
        return says
    if errors.shapes:
        return _of_shapes(errors)
    if errors.missing and cut:
        says = f"the file lacks entries of the model, `{errors.missing[0]}` first"
        return f"{says}, and the list is cut short: print(state.keys()) tells a prefix from another model"
    if errors.missing or errors.unexpected:
        return _of_names(errors, whole="Error(s) in" in message)
    says = f"a name or a shape in the file is another than in the model: {AS_SAVED}"
    where = "; the lines below the message name what differs" if "Error(s)" in message else ""
    return says + where


def _of_an_adapter(errors: StateErrors) -> str:
    """Of a model that PEFT has wrapped, on one side alone."""
    if errors.missing and all(PEFTS in name for name in errors.missing):
        says = f"the model is wrapped by PEFT, and the file has no `{errors.missing[0]}`"
        holds = "it holds the adapter alone, for set_peft_model_state_dict, or the base model"
        return f"{says}: {holds}, loaded before it is wrapped"
    if errors.unexpected and all(PEFTS in name for name in errors.unexpected):
        says = f"the file is of a model that PEFT has wrapped, as `{errors.unexpected[0]}` tells"
        cure = "PeftModel.from_pretrained(model, FOLDER) first, or save it after merge_and_unload()"
        return f"{says}: {cure}"
    return ""


def _of_names(errors: StateErrors, whole: bool) -> str:
    lacks, more = len(errors.missing), len(errors.unexpected)
    if not errors.missing:
        says = f"the file has {more} entries that the model lacks, `{errors.unexpected[0]}` first"
        says = f"{says}: of another model or version of its code"
        return f"{says}; where all the rest fits, strict=False leaves them out"
    says = f"the file lacks {lacks} entries of the model, `{errors.missing[0]}` first"
    if not errors.unexpected and not whole:
        return f"{says}: print(state.keys()) tells a prefix from another model"
    if not errors.unexpected:
        says = f"{says}, and has no others: it is of a part, or of an older version of the code"
        return f"{says}; strict=False leaves these at random"
    says = f"{says}, and has {more} others, `{errors.unexpected[0]}` first"
    return f"{says}: another architecture, size or version of the code than the file was saved with"


def _of_shapes(errors: StateErrors) -> str:
    """Of input channels and positions it is known what their numbers come from."""
    key, (told, wanted) = next(iter(errors.shapes.items()))
    file, model = errors.file[key].shape or (), errors.model[key].shape or ()
    more = f", and {len(errors.shapes) - 1} more" if len(errors.shapes) > 1 else ""
    how, end = way(key, file, model), "strict=False is not enough"
    if how == "channels":
        says = (
            f"`{key}` is for {file[1]} input channels in the file and {model[1]} in the model{more}"
        )
        return f"{says}: images and a model as for the file, or this layer anew; {end}"
    if how == "interpolate":
        dim = differing(file, model)[0]
        says = f"`{key}` has {file[dim]} positions in the file and {model[dim]} in the model{more}"
        return f"{says}: the image size, window or length of the file, or the table interpolated; {end}"
    says = f"`{key}` is {told} in the file and {wanted} in the model{more}"
    return f"{says}: {AS_SAVED}; leave out only what is trained anew, {end}"


def _of_another_vocabulary(errors: StateErrors) -> str:
    if not (table := errors.table_of_words):
        return ""
    file, model = (shape.partition(",")[0].strip("[") for shape in errors.shapes[table])
    more = f", and {len(errors.shapes) - 1} more differ" if len(errors.shapes) > 1 else ""
    says = f"`{table}` has {file} rows in the file and {model} in the model{more}"
    cure = (
        "the vocabulary, or the tokenizer with what was added to it, that the file was trained with"
    )
    return f"{says}: {cure}; strict=False is not enough"
