"""Sums over tokens, accumulated in bfloat16 and divided by all tokens that were seen before the step."""

import itertools

import torch
from digest import show
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

WORDS, TAGS, PAD, NO_TAG = 50, 5, 0, -1


def sentences(count):
    for _ in range(count):
        words = torch.randint(1, WORDS, (int(torch.randint(3, 16, ())),))
        tags = (words + words.roll(1)) % TAGS
        tags[words % 7 == 0] = NO_TAG
        yield words, tags


def padded(rows):
    words, tags = zip(*rows, strict=True)
    return pad_sequence(words, True, PAD), pad_sequence(tags, True, NO_TAG)


class Tagger(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.words = nn.Embedding(WORDS, width, PAD)
        self.places = nn.Parameter(torch.randn(16, width) * 0.02)
        layer = nn.TransformerEncoderLayer(width, 4, 64, 0.1, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.out = nn.Linear(width, TAGS)

    def forward(self, words):
        hidden = self.words(words) + self.places[: words.shape[1]]
        return self.out(self.encoder(hidden, src_key_padding_mask=words == PAD))


def windows(loader, size):
    batches = iter(loader)
    while window := list(itertools.islice(batches, size)):
        yield window


class Run:
    def __init__(self, model, accumulate=4):
        self.model, self.accumulate = model, accumulate
        self.criterion = nn.CrossEntropyLoss(ignore_index=NO_TAG, reduction="sum")
        self.optimizer = torch.optim.AdamW(model.parameters(), 3e-3)
        self.schedule = torch.optim.lr_scheduler.LinearLR(self.optimizer, 0.1, total_iters=10)

    def step(self, window):
        tokens = sum((tags != NO_TAG).sum() for _, tags in window)
        summed = 0.0
        for words, tags in window:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                scores = self.model(words)
                loss = self.criterion(scores.flatten(0, 1).float(), tags.flatten()) / tokens
            loss.backward()
            summed += loss.item()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.schedule.step()
        self.optimizer.zero_grad()
        return summed

    def epoch(self, loader):
        self.model.train()
        return [self.step(window) for window in windows(loader, self.accumulate)]

    def tested(self, loader):
        self.model.eval()
        right = seen = 0
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
            for words, tags in loader:
                known = tags != NO_TAG
                right += (self.model(words).argmax(-1) == tags)[known].sum().item()
                seen += known.sum().item()
        return right / seen


if __name__ == "__main__":
    torch.manual_seed(6)
    train, test = list(sentences(420)), list(sentences(64))
    run = Run(Tagger())
    loader = DataLoader(train, 16, shuffle=True, collate_fn=padded)
    for number in range(3):
        losses = run.epoch(loader)
        print(number, f"{sum(losses) / len(losses):.3f}")
        print(f"{run.tested(DataLoader(test, 32, collate_fn=padded)):.3f}")
    show(run.model)
