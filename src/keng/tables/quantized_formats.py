"""By which loader weights come that were packed into few bits, as the names of their folders tell."""

from __future__ import annotations

import re

LOADERS = (
    (
        r"gguf|ggml|[-_.]q\d_(?:k|\d)",
        "GGUF, for gguf_file='NAME.gguf' in from_pretrained, or llama.cpp",
    ),
    (
        r"gptq|\d-?bits?[-_]{1,2}\d{2,4}g\b",
        "GPTQ, for from_quantized of gptqmodel or AutoGPTQ, or that loader of a web UI",
    ),
    (r"\bawq\b|[-_]awq", "AWQ, for from_quantized of autoawq, or that loader of a web UI"),
    (r"exl[23]\b", "ExLlama, for exllamav2, or that loader of a web UI"),
)


def loader_of(name: str) -> str:
    """What to load it with; nothing where its name tells of no packing."""
    found = (says for kind, says in LOADERS if re.search(kind, name, re.IGNORECASE))
    return next((f"its name tells of {says}" for says in found), "")


WITHOUT_WEIGHTS = dict.fromkeys(
    (
        "Pretrained model URL is invalid, using random init",
        "No pretrained weights exist for this model. Using random init",
        "No pretrained weights exist or were found for this model. Using random init",
    ),
    "timm knows no weights for this model, which keeps its random ones: timm.list_models(pretrained=True) "
    "names those that have some, or a newer timm, or checkpoint_path= for a file of your own",
)
"""What timm warns of -> what to say."""
