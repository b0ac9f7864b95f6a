"""A translator with forced tokens that grow fewer, padded and packed; validated by its own tokens."""

import random

import torch
from digest import show
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset

PAD, SOS, EOS, WORDS = 0, 1, 2, 16


class Reversed(Dataset):
    def __init__(self, count):
        self.rows = [torch.randint(3, WORDS, (random.randint(2, 7),)) for _ in range(count)]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        row = self.rows[i]
        return row, torch.cat([torch.tensor([SOS]), row.flip(0), torch.tensor([EOS])])


def collate(pairs):
    sources, targets = zip(*pairs)
    lengths = torch.tensor([len(s) for s in sources])
    return (
        pad_sequence(sources, padding_value=PAD),
        lengths,
        pad_sequence(targets, padding_value=PAD),
    )


class Seq2Seq(nn.Module):
    """Time comes first in all that it takes and gives."""

    def __init__(self, width=40):
        super().__init__()
        self.embed = nn.Embedding(WORDS, width, padding_idx=PAD)
        self.encoder = nn.GRU(width, width, bidirectional=True)
        self.bridge = nn.Linear(2 * width, width)
        self.cell = nn.GRUCell(2 * width, width)
        self.keys, self.out = nn.Linear(2 * width, width), nn.Linear(2 * width, WORDS)
        self.drop = nn.Dropout(0.1)

    def forward(self, source, lengths, target=None, forced=0.0, longest=10):
        packed = pack_padded_sequence(self.drop(self.embed(source)), lengths, enforce_sorted=False)
        memory, last = self.encoder(packed)
        keys = self.keys(pad_packed_sequence(memory)[0])
        h = torch.tanh(self.bridge(last.transpose(0, 1).flatten(1)))
        context, hidden_part = torch.zeros_like(h), source == PAD
        token, outs = torch.full_like(lengths, SOS), []
        for t in range(1, longest if target is None else len(target)):
            h = self.cell(torch.cat([self.embed(token), context], 1), h)
            scores = (keys * h).sum(-1).masked_fill(hidden_part, float("-inf"))
            context = (scores.softmax(0).unsqueeze(-1) * keys).sum(0)
            outs.append(self.out(torch.cat([h, context], 1)))
            token = outs[-1].argmax(1)
            if target is not None and random.random() < forced:
                token = target[t]
        return torch.stack(outs)


def train(model, loader, criterion, optimizer, forced):
    model.train()
    total = 0.0
    for source, lengths, target in loader:
        optimizer.zero_grad()
        out = model(source, lengths, target, forced)
        loss = criterion(out.flatten(0, 1), target[1:].flatten())
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    right = count = 0
    for source, lengths, target in loader:
        guess = model(source, lengths, target).argmax(-1)
        known = target[1:] != PAD
        right, count = right + (guess == target[1:])[known].sum().item(), count + known.sum().item()
    return right / count


random.seed(0)
torch.manual_seed(0)
loaders = [DataLoader(Reversed(n), 32, shuffle=n > 200, collate_fn=collate) for n in (640, 96)]
model = Seq2Seq()
optimizer = torch.optim.Adam(model.parameters(), 3e-3)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, "max", patience=1)
criterion = nn.CrossEntropyLoss(ignore_index=PAD)
for epoch in range(4):
    loss = train(model, loaders[0], criterion, optimizer, forced=1 - epoch / 4)
    score = evaluate(model, loaders[1])
    plateau.step(score)
    print(epoch, f"{loss:.3f} {score:.3f}")
show(model)
