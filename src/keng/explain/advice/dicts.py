"""What a dict is that is asked for what a model or a tensor has: weights, a batch, or settings."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

MODELS = re.compile(r"model|net|state|ckpt|checkpoint|weight|encoder|decoder|learn", re.IGNORECASE)
SETTINGS = re.compile(r"\b(?:cfg|config|conf|hparams|params|settings|opts?|args)\b", re.IGNORECASE)
MOVES = ("to", "cuda", "half")
"""What is asked of batches as well."""
BATCH = "{{key: value.{name}(...) for key, value in {of}.items()}}"


def asked_of_a_dict(failure: Failure, name: str) -> str:
    """What to do about a dict without a method; nothing where it is one of settings."""
    found = set(re.findall(rf"\b([\w.]+)\.{name}\b", failure.line or failure.around))
    of, weights = (
        found.pop() if len(found) == 1 else "",
        "build the model, then model.load_state_dict(...)",
    )
    if of and SETTINGS.search(of):
        return ""
    says = f"what was loaded is a dict of weights and has no `{name}`: {weights}"
    if name not in MOVES or "OrderedDict" in failure.groups["kind"] or MODELS.search(of):
        return says
    each = BATCH.format(name=name, of=of or "batch")
    if of:
        return f"`{of}` is a dict and has no `{name}`, which its tensors have: {each}"
    return f"a dict has no `{name}`: of a batch {each}; of loaded weights {weights}"
