# of two models, one a part of another's
import itertools

import torch
from torch import nn

torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
decoder = nn.Linear(4, 1)
first = torch.optim.Adam(encoder.parameters(), lr=0.01)
second = torch.optim.Adam(  # check: `first` has the encoder's too
    itertools.chain(decoder.parameters(), encoder[0].parameters()), lr=0.01
)
for step in range(4):
    first.zero_grad()
    second.zero_grad()
    decoder(encoder(torch.randn(8, 4))).square().mean().backward()
    first.step()
    second.step()  # run: `first` has moved them
