"""What a program of this folder prints last: a digest of all its weights and buffers."""

import hashlib

from torch import nn


def show(*models: nn.Module) -> None:
    digest = hashlib.sha256()
    for model in models:
        for tensor in model.state_dict().values():
            digest.update(tensor.detach().numpy().tobytes())
    print(digest.hexdigest())
