# hidden on purpose and passed to the optimizer by hand
import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, embedding):
        super().__init__()
        self.out, self.tied = nn.Linear(8, 8), [embedding]

    def forward(self, x):
        return self.out(x) @ self.tied[0].weight.T


embedding = nn.Embedding(5, 8)
decoder = Decoder(embedding)
optimizer = torch.optim.SGD([*embedding.parameters(), *decoder.parameters()], lr=0.1)
for step in range(4):
    optimizer.zero_grad()
    decoder(embedding(torch.arange(5))).mean().backward()
    optimizer.step()
