"""Error messages: a tensor that was computed is deep-copied."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Span
from keng.rules import explains

NONE = (None, None)
"""No fix, and no other place than the failing line."""


@explains("a-result-was-kept")
def a_result_was_kept(failure: Failure) -> Hits:
    yield failure.hit(*_copied_with_its_graph(failure))


def _copied_with_its_graph(failure: Failure) -> tuple[str, Fix | None, Span | None]:
    """Which attribute of a module that is copied holds the result of an operation."""
    kept, there = failure.live.copied, [o for o in failure.live.operands if not o.is_leaf]
    if kept is None and len(there) == len(failure.live.operands) == 1:
        name = there[0].name
        says = f"`{name}` is the result of an operation, and is copied: {name}.detach().clone()"
        return says, *NONE
    if kept is None:
        says = (
            "what is copied holds the result of an operation: an attribute as `last`, kept detached"
        )
        norms = "nn.utils.weight_norm (parametrizations.weight_norm) or prune (prune.remove())"
        return f"{says}; or a weight under {norms}", *NONE
    if kept.made_from:
        says = f"`{kept.path}` is computed from `{kept.made_from}`, by weight_norm, spectral_norm or prune"
        says += ": those of nn.utils.parametrizations, or prune.remove() before the copy"
        return says, *NONE
    files = {frame.path for frame in failure.frames if frame.user} - {kept.file}
    word, texts = kept.name.encode(), failure.texts_of(files)
    unsure = kept.several or any(word in text for text in texts)
    fix = NONE if unsure else failure.mended_at_home(kept, "kept_detached")
    return f"`{kept.path}` holds the result of an operation: keep it detached", *fix
