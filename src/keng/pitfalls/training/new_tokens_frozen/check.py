"""Source code: tokens are added to a model that is fine-tuned by LoRA, and nothing trains their rows."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

TRAINS_ROWS = ("modules_to_save", "trainable_token_indices")
PADDING = frozenset({"pad_token"})
"""Special tokens whose rows need no training: nothing is learned from them."""


@finds(mentions=["peft.LoraConfig"])
def added_under_lora(code: Code) -> Hits:
    added = next(_additions(code), None)
    resizes = any(_method(call) == "resize_token_embeddings" for call in code.of(ast.Call))
    if added is None or not resizes or _trains_later(code):
        return
    for config in code.calls.calls_to("peft.LoraConfig"):
        targets = code.calls.argument(config, "target_modules")
        opaque = any(keyword.arg is None for keyword in config.keywords)
        if opaque or any(code.calls.argument(config, name) for name in TRAINS_ROWS):
            continue
        if targets is None or _names_no_embedding(code, targets):
            says = say(
                "added-tokens-frozen",
                added=code.text_of(added.func),
                config=code.text_of(config.func),
            )
            yield code.hit(config, says)


def _additions(code: Code) -> Iterator[ast.Call]:
    """Calls of a tokenizer that add tokens from which something is to be learned."""
    for call in code.of(ast.Call):
        given = call.args[0] if call.args else None
        if _method(call) == "add_tokens" and not _is_empty(given):
            yield call
        elif _method(call) == "add_special_tokens" and isinstance(given, ast.Dict):
            names = {code.flow.text_constant(key) for key in given.keys}
            if "" not in names and names - PADDING:
                yield call


def _method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _is_empty(given: ast.expr | None) -> bool:
    return given is None or (isinstance(given, (ast.List, ast.Tuple)) and not given.elts)


def _trains_later(code: Code) -> bool:
    """Whether the file makes parameters trainable itself, or sets these options of a configuration."""
    for node in code.of(ast.Attribute):
        if node.attr in TRAINS_ROWS or (
            node.attr == "requires_grad" and isinstance(node.ctx, ast.Store)
        ):
            return True
    return any(_method(call) == "requires_grad_" for call in code.of(ast.Call))


def _names_no_embedding(code: Code, targets: ast.expr) -> bool:
    """Whether a literal list of names, or "all-linear", leaves embeddings out."""
    if isinstance(targets, (ast.List, ast.Tuple, ast.Set)):
        names = [code.flow.text_constant(each) for each in targets.elts]
        return bool(names) and all(name and "emb" not in name and name != "wte" for name in names)
    return code.flow.text_constant(targets) == "all-linear"
