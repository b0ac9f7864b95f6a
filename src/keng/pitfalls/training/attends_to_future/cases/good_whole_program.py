# the good program of the page with its training
import torch
from torch import nn


class Language(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 16)
        self.mix = nn.Conv1d(16, 16, 3)
        self.head = nn.Linear(16, 30)

    def forward(self, ids):
        x = nn.functional.pad(self.embed(ids).transpose(1, 2), (2, 0))
        x = torch.relu(self.mix(x))
        return self.head(x.transpose(1, 2))


torch.manual_seed(0)
model = Language()
optimizer = torch.optim.AdamW(model.parameters())
for _ in range(10):
    text = torch.randint(30, (12, 13))
    optimizer.zero_grad()
    logits = model(text[:, :-1])
    nn.functional.cross_entropy(logits.flatten(0, 1), text[:, 1:].flatten()).backward()
    optimizer.step()
