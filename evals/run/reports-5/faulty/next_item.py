"""Sequential recommendation with self-attention, after https://github.com/ZiyaoGeng/RecLearn/issues/81."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

ITEMS, USERS, LENGTH, EPOCHS = 120, 500, 16, 14
torch.manual_seed(2)


def histories(seed=9):
    """Each user visits the items of a few chains, which go on in a fixed order most of the time."""
    generator = torch.Generator().manual_seed(seed)
    follows = torch.randperm(ITEMS, generator=generator)
    rows = []
    for _ in range(USERS):
        length = int(torch.randint(7, LENGTH + 3, (1,), generator=generator))
        item = int(torch.randint(ITEMS, (1,), generator=generator))
        row = []
        for _ in range(length):
            row.append(item + 1)
            jump = torch.rand(1, generator=generator) < 0.2
            item = int(torch.randint(ITEMS, (1,), generator=generator)) if jump else int(follows[item])
        rows.append(row)
    return rows


def left_pad(row):
    row = row[-LENGTH:]
    return torch.tensor([0] * (LENGTH - len(row)) + row)


class TrainSet(Dataset):
    """Items of a history without its last two, and the item after each of them."""

    def __init__(self, rows):
        self.rows = [row[:-2] for row in rows]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        row = self.rows[i]
        return left_pad(row[:-1]), left_pad(row[1:])


class SASRec(nn.Module):
    def __init__(self, dim=32, heads=2, layers=2, dropout=0.1):
        super().__init__()
        self.items = nn.Embedding(ITEMS + 1, dim, padding_idx=0)
        self.places = nn.Embedding(LENGTH, dim)
        layer = nn.TransformerEncoderLayer(dim, heads, 2 * dim, dropout, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(dim)

    def forward(self, seqs):
        padding = torch.zeros(seqs.shape).masked_fill(seqs == 0, -1e9)
        x = self.items(seqs) + self.places.weight
        x = self.encoder(x, src_key_padding_mask=padding)  # any: attends-to-future
        return self.norm(x) @ self.items.weight[1:].T


@torch.no_grad()
def evaluate(model, rows, back, top=10):
    """Hit rate and NDCG of the item that stands `back` from the end of each history."""
    model.eval()
    seqs = torch.stack([left_pad(row[: len(row) - back]) for row in rows])
    wanted = torch.tensor([row[-back] for row in rows]) - 1
    scores = model(seqs)[:, -1]
    rank = (scores > scores.gather(1, wanted[:, None])).sum(1)
    hit = rank < top
    gain = torch.where(hit, 1 / torch.log2(rank + 2.0), 0.0)
    model.train()
    return hit.float().mean().item(), gain.mean().item()


rows = histories()
loader = DataLoader(TrainSet(rows), batch_size=50, shuffle=True)
model = SASRec()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(EPOCHS):
    total = 0.0
    for seqs, targets in loader:
        logits = model(seqs)
        known = targets > 0
        loss = F.cross_entropy(logits[known], targets[known] - 1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    if epoch % 5 == 3:
        hit, gain = evaluate(model, rows, 2)
        print(f"epoch {epoch + 1} loss {total / len(loader):.4f} valid HR@10 {hit:.4f} NDCG@10 {gain:.4f}")
hit, gain = evaluate(model, rows, 1)
print(f"test HR@10 {hit:.4f} NDCG@10 {gain:.4f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
