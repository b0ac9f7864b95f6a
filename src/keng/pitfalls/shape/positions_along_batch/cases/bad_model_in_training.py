# a model in training: one position for all steps of a sample
import math

import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, width, longest=64):
        super().__init__()
        pe = torch.zeros(longest, width)
        at = torch.arange(longest).unsqueeze(1)
        rate = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
        pe[:, 0::2], pe[:, 1::2] = torch.sin(at * rate), torch.cos(at * rate)
        self.register_buffer("pe", pe.unsqueeze(1))

    def forward(self, x):
        return x + self.pe[: x.size(0)]  # check: the batch  # run: place of a row


class Model(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.embed, self.positions = nn.Embedding(20, width), Positions(width)
        layer = nn.TransformerEncoderLayer(width, 2, 32, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.head = nn.Linear(width, 20)

    def forward(self, ids):
        return self.head(self.encoder(self.positions(self.embed(ids))).mean(1))


torch.manual_seed(0)
model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(12):
    ids = torch.randint(20, (12, 7))
    loss = nn.functional.cross_entropy(model(ids), ids[:, 0])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
