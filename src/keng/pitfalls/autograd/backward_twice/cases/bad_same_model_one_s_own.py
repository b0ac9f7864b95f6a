# the same, in a model of one's own, without an optimizer
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.head = nn.LSTM(4, 6), nn.Linear(6, 2)

    def forward(self, x, state):
        out, state = self.rnn(x, state)
        return self.head(out), state


def train(model, parts, state):
    for x in parts:
        out, state = model(x, state)
        loss = out.mean()
        loss.backward()  # run: `perhaps through state`


train(Tagger(), [torch.ones(3, 2, 4)] * 2, (torch.zeros(1, 2, 6), torch.zeros(1, 2, 6)))
