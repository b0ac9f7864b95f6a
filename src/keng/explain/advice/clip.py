"""CLIP, as OpenAI and open_clip have it and as transformers does: what errors tell of them."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

CLIPS = re.compile(
    r"\bclip\.load\(|\bclip(?:_model)?\.(?:transformer|visual|encode_(?:image|text))\b|"
    r"\bmodel\.encode_(?:image|text)\(|[/\\]clip[/\\](?:clip_)?model\.py"
)
"""What shows the CLIP of OpenAI, or one that has its names."""
TRANSFORMERS_CLIP = re.compile(r"(?:CLIP|Siglip|Align)\w{0,40}Model$")
FEATURES = {"encode_image": "get_image_features", "encode_text": "get_text_features"}
"""What OpenAI's CLIP calls it -> what that of transformers does."""
ENCODERS = {features: encoder for encoder, features in FEATURES.items()}


def halved_by_clip(failure: Failure) -> str:
    """What to do where the model is CLIP, whose weights are float16 on a card and there alone; nothing
    where it is not, or other dtypes meet."""
    named = {failure.groups.get(key, "").lower() for key in ("came", "wants", "one", "other")}
    shown = [
        failure.line,
        failure.message,
        failure.around,
        *(frame.path for frame in failure.frames),
    ]
    if not named <= {"", "half", "float"} or not any(map(CLIPS.search, shown)):
        return ""
    return (
        "CLIP has float16 weights on a card: model.float() once after clip.load, "
        "or x.to(model.dtype) for what it gets and .float() for what it gives"
    )


def encoder_of(kind: str, name: str) -> str:
    """Whose method it is that a class lacks, of those by which a CLIP gives features."""
    if kind == "tuple" and name in FEATURES:
        return ", as clip.load gives two things: model, preprocess = clip.load(...)"
    if not kind[0].isupper() or kind.endswith("Parallel") or name not in FEATURES | ENCODERS:
        return ""
    if name in ENCODERS:
        return (
            f", which CLIPModel of transformers has: with clip or open_clip it is {ENCODERS[name]}"
        )
    if TRANSFORMERS_CLIP.search(kind):
        return (
            f", which clip and open_clip have: the whole model of transformers has {FEATURES[name]}"
        )
    return ", a method of CLIP itself: of the model that clip.load or open_clip has made"
