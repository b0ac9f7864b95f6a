# the mean of the means of batches, sorted by length
import torch
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)
PAD = 0


class Namer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.out = nn.Embedding(12, 16), nn.Linear(16, 12)

    def forward(self, ids):
        return self.out(self.embed(ids))


def name(length):
    start = int(torch.randint(1, 12, (1,)))
    row = torch.zeros(17, dtype=torch.long)
    row[:length] = (start + torch.arange(length) - 1) % 11 + 1 if length > 6 else torch.randint(1, 12, (length,))
    return row


names = [name(length) for length in [3] * 24 + [5] * 24 + [16] * 48]
model = Namer()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
criterion = nn.CrossEntropyLoss(ignore_index=PAD)


def validate():
    model.eval()
    losses = 0.0
    loader = DataLoader(names, batch_size=16)
    with torch.no_grad():
        for rows in loader:
            scores = model(rows[:, :-1]).transpose(1, 2)
            losses += criterion(scores, rows[:, 1:]).item()  # run: averages the mean losses of batches
    model.train()
    return losses / len(loader)


for epoch in range(6):
    for rows in DataLoader(names, batch_size=16, shuffle=True):
        optimizer.zero_grad()
        criterion(model(rows[:, :-1]).transpose(1, 2), rows[:, 1:]).backward()
        optimizer.step()
    mean = validate()
# proof
every = torch.stack(names)
with torch.no_grad():
    right = criterion(model(every[:, :-1]).transpose(1, 2), every[:, 1:]).item()
assert mean > 1.1 * right
