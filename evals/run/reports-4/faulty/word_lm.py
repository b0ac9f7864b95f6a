"""A GRU language model and its perplexity on padded batches, after huggingface/transformers issue 24839."""

import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(31)
VOCAB, PAD = 40, 0


class Sentences(Dataset):
    def __init__(self, count, seed):
        generator = torch.Generator().manual_seed(seed)
        self.rows = []
        follow = torch.stack([torch.randperm(VOCAB - 1, generator=torch.Generator().manual_seed(i))[:4] + 1 for i in range(VOCAB)])
        for _ in range(count):
            short = torch.rand(1, generator=generator).item() < 0.7
            length = int(torch.randint(3, 6, (1,), generator=generator)) if short else int(torch.randint(25, 50, (1,), generator=generator))
            row = [int(torch.randint(1, VOCAB, (1,), generator=generator))]
            for _ in range(length):
                if short:
                    row.append(int(torch.randint(1, VOCAB, (1,), generator=generator)))
                else:
                    row.append(int(follow[row[-1], int(torch.randint(4, (1,), generator=generator))]))
            self.rows.append(torch.tensor(row))
        self.rows.sort(key=len)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


def collate(rows):
    padded = pad_sequence(rows, batch_first=True, padding_value=PAD)
    return padded[:, :-1], padded[:, 1:]


class LanguageModel(nn.Module):
    def __init__(self, dim=48):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, dim, padding_idx=PAD)
        self.gru = nn.GRU(dim, dim, batch_first=True)
        self.head = nn.Linear(dim, VOCAB)

    def forward(self, ids):
        return self.head(self.gru(self.embed(ids))[0])


@torch.no_grad()
def perplexity(model, dataset, batch_size):
    model.eval()
    total, count = 0.0, 0
    for inputs, targets in DataLoader(dataset, batch_size=batch_size, collate_fn=collate):
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten(), ignore_index=PAD)
        total += loss.item() * len(inputs)  # run: evaluation-loss-weighted-wrongly
        count += len(inputs)
    model.train()
    return math.exp(total / count)


train_set, valid_set = Sentences(500, seed=1), Sentences(160, seed=2)
loader = DataLoader(train_set, batch_size=32, shuffle=True, collate_fn=collate)
model = LanguageModel()
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
for epoch in range(12):
    for inputs, targets in loader:
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten(), ignore_index=PAD)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    if epoch % 3 == 2:
        print(f"epoch {epoch} loss {loss.item():.4f} valid perplexity {perplexity(model, valid_set, 16):.4f}")
for batch_size in (1, 16, 160):
    print(f"valid perplexity in batches of {batch_size}: {perplexity(model, valid_set, batch_size):.4f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
