"""Packages of PyPI that have the name of another project, and what a program asks of that."""

from __future__ import annotations

OPENAIS = (
    "this is not OpenAI's {0}: the package `{0}` of PyPI is {1}, or a file {0}.py is there: "
    "pip uninstall {0}, pip install openai-{0}"
)
CLIP = OPENAIS.format("clip", "a clipboard manager")
WHISPER = OPENAIS.format("whisper", "a database of Graphite's")
NAMESAKES = {f"module 'clip' has no attribute '{name}'": CLIP for name in ("load", "tokenize")} | {
    f"module 'whisper' has no attribute '{name}'": WHISPER for name in ("load_model", "load_audio")
}
"""A piece of the message, and a sentence."""

CRF = (
    "`batch_first` is of pytorch-crf, and this CRF is another, as that of the package TorchCRF: "
    "pip install pytorch-crf, from torchcrf import CRF"
)
