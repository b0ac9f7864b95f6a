"""Answers about images as tokens, after lxtGH/OMG-Seg issue 24."""

import torch
from digest import show
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

WORDS = 60


def dialogue(g):
    size = int(torch.randint(8, 30, (1,), generator=g))
    ids = torch.randint(1, WORDS, (size,), generator=g)
    return ids, (ids.float().mean() > WORDS / 2).long()


def collate(rows):
    ids, labels = zip(*rows)
    lengths = [len(i) for i in ids]
    ids = pad_sequence(ids, batch_first=True, padding_value=0)
    attention_mask = torch.zeros_like(ids).bool()
    for row, i in enumerate(lengths):
        attention_mask[row, :i] = True
    return {"input_ids": ids, "attention_mask": attention_mask, "labels": torch.stack(labels)}


class Reader(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.embed = nn.Embedding(WORDS, width)
        self.layer = nn.TransformerEncoderLayer(width, 4, 64, dropout=0.0, batch_first=True)
        self.head = nn.Linear(width, 2)

    def forward(self, input_ids, attention_mask):
        h = self.layer(self.embed(input_ids), src_key_padding_mask=~attention_mask)
        weights = attention_mask.unsqueeze(-1).float()
        return self.head((h * weights).sum(1) / weights.sum(1))


torch.manual_seed(0)
g = torch.Generator().manual_seed(0)
rows = [dialogue(g) for _ in range(400)]
loader = DataLoader(rows, batch_size=8, shuffle=True, collate_fn=collate)
model = Reader()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for epoch in range(3):
    total = 0.0
    for batch in loader:
        labels = batch.pop("labels")
        loss = nn.functional.cross_entropy(model(**batch), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, f"{total / len(loader):.4f}")
show(model)
