"""Functions of PyTorch as messages name them: what a line calls of them, and names that are nobody else's."""

from __future__ import annotations

import re

from keng.tables.torch_names import OPTIMIZERS, SCHEDULERS

CALL = re.compile(r"\b(?:torch|nn|optim|lr_scheduler|F)\.(?:\w+\.)*\w+(?=\()")
RECURRENT = ("RNN", "LSTM", "GRU")
OWN = re.compile(
    r"linalg_\w+|fft_i?[rh]?fft[2n]?|scaled_dot_product_attention|binary_cross_entropy\w*|init_process_group|"
    r"(?:DataLoader|Distributed(?:DataParallel|Sampler)|GradScaler|MultiheadAttention|"
    r"Transformer(?:En|De)coder(?:Layer)?)\.__init__"
)


def called(named: str, line: str) -> list[str]:
    """What a line calls of torch, of that which the message names."""
    function = named.removesuffix(".__init__").rpartition(".")[2]
    meant = RECURRENT if function == "RNNBase" else (function,)
    return [call for call in CALL.findall(line) if call.rpartition(".")[2] in meant]


def called_around(named: str, text: str) -> list[str]:
    """The same where no frame is there, only the text around the error."""
    kind, _, method = named.rpartition(".")
    made = method == "__init__" and kind in SCHEDULERS | OPTIMIZERS
    own = [named.removesuffix(".__init__")] if made or OWN.fullmatch(named) else []
    return list(dict.fromkeys(called(named, text))) or own
