import json

import torch
from torch import nn

config = json.loads('{"width": 64, "heads": 4, "layers": 2, "dropout": 10}')


def encoder(config):
    layer = nn.TransformerEncoderLayer(
        config["width"],
        config["heads"],
        dim_feedforward=128,
        dropout=config["dropout"],
        batch_first=True,
    )
    return nn.TransformerEncoder(layer, config["layers"])


model = encoder(config)
print(model(torch.randn(2, 5, 64)).shape)
