# the forward asks for its mode; nothing to be told; in training; told that it is not forced by default
import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.cell, self.out = nn.Embedding(9, 8), nn.GRUCell(8, 8), nn.Linear(8, 9)

    def unroll(self, state, target, ratio):
        word, scores = torch.zeros(len(state), dtype=torch.long), []
        for t in range(5):
            state = self.cell(self.embed(word), state)
            scores.append(self.out(state))
            forced = target is not None and torch.rand(()) < ratio
            word = target[:, t] if forced else scores[-1].argmax(-1)
        return torch.stack(scores, 1)


class Asking(Decoder):
    def forward(self, state, target, teacher_forcing_ratio=0.5):
        return self.unroll(state, target, teacher_forcing_ratio if self.training else 0.0)


class Optional(Decoder):
    def forward(self, state, target=None, teacher_forcing_ratio=0.5):
        return self.unroll(state, target, teacher_forcing_ratio)


class Free(Decoder):
    def forward(self, state, target, teacher_forcing_ratio=0.0):
        return self.unroll(state, target, teacher_forcing_ratio)


def judge(asking, optional, free):
    state, target = torch.randn(2, 8), torch.randint(9, (2, 5))
    with torch.no_grad():
        for scores in (asking(state, target), optional(state, None), optional(state)):
            print((scores.argmax(-1) == target).float().mean())
        print((free(state, target).argmax(-1) == target).all(1).float().mean())


asking, optional, free = Asking().eval(), Optional().eval(), Free().eval()
judge(asking, optional, free)
optional.train()
with torch.no_grad():
    print(optional(torch.randn(2, 8), torch.randint(9, (2, 5))).argmax(-1))
