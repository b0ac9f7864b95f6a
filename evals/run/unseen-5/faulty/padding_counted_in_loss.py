"""A character model learns to predict padding, since the loss is not told to leave it out."""

import torch
from digest import show
from torch import nn
from torch.nn.utils.rnn import pad_sequence

NAMES = "anna bert charlotte dan emma frederic george hildegard ivo jo kunigunde leo max".split()
PAD, END = 0, 27
SIZE = 28


def encode(name):
    return torch.tensor([ord(c) - 96 for c in name] + [END])


class CharModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(SIZE, 16, padding_idx=PAD)
        self.gru = nn.GRU(16, 64, batch_first=True)
        self.head = nn.Linear(64, SIZE)

    def forward(self, x):
        out, _ = self.gru(self.emb(x))
        return self.head(out)


torch.manual_seed(0)
sequences = pad_sequence([encode(n) for n in NAMES], batch_first=True, padding_value=PAD)
inputs, targets = sequences[:, :-1], sequences[:, 1:]
model = CharModel()
criterion = nn.CrossEntropyLoss()  # run: -
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for step in range(120):
    logits = model(inputs)
    loss = criterion(logits.reshape(-1, SIZE), targets.reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % 30 == 0:
        print(step, f"{loss.item():.3f}")
show(model)
