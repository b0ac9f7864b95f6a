"""Helpers that several pitfalls of this group share."""

from __future__ import annotations

import ast
import re

from keng.source import Code

PACKED_FORMATS = (
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


def file_made_by(code: Code, call: ast.Call, position: int, makers: str) -> bool:
    """Whether the file that torch.save or torch.load is given was made, empty, by a function whose
    name begins so."""
    file = code.calls.argument(call, "f", position)
    file = file.value if isinstance(file, ast.Attribute) else file
    ways = (
        [b.value for b in code.flow.reaching_definitions(file)]
        if isinstance(file, ast.Name)
        else [file]
    )
    return bool(ways) and all(
        isinstance(way, ast.Call)
        and not way.args
        and code.names.resolve(way.func).startswith(makers)
        for way in ways
    )


def loader_of_packed_weights(name: str) -> str:
    """What to load it with; nothing where its name tells of no packing."""
    found = (says for kind, says in PACKED_FORMATS if re.search(kind, name, re.IGNORECASE))
    return next((f"its name tells of {says}" for says in found), "")
