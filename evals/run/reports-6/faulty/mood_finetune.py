"""A pretrained encoder learns a second task, after https://github.com/amanshenoy/multilogue-net/issues/21."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

WORDS, LENGTH, TOPICS = 60, 10, 5
torch.manual_seed(16)


def utterances(count, seed):
    """Words of five topics; fear is in few utterances and shows in some words."""
    generator = torch.Generator().manual_seed(seed)
    topics = torch.randint(TOPICS, (count,), generator=generator)
    fear = (torch.rand(count, generator=generator) < 0.09).long()
    words = torch.randint(WORDS, (count, LENGTH), generator=generator)
    own = 10 * topics[:, None] + torch.randint(10, (count, LENGTH), generator=generator)
    words = torch.where(torch.rand(count, LENGTH, generator=generator) < 0.4, own, words)
    afraid = 50 + torch.randint(6, (count, LENGTH), generator=generator)
    chance = torch.where(fear == 1, 0.22, 0.03)[:, None]
    words = torch.where(torch.rand(count, LENGTH, generator=generator) < chance, afraid, words)
    return words, topics, fear


class Encoder(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.words = nn.Embedding(WORDS, dim)
        self.cell = nn.GRU(dim, dim // 2, batch_first=True, bidirectional=True)

    def forward(self, words):
        return self.cell(self.words(words))[0].amax(1)


class Classifier(nn.Module):
    def __init__(self, encoder, classes, dim=32):
        super().__init__()
        self.encoder = encoder
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(dim, classes)

    def forward(self, words):
        return self.head(self.drop(self.encoder(words)))


def fit(model, words, labels, criterion, groups, epochs):
    loader = DataLoader(TensorDataset(words, labels), batch_size=50, shuffle=True)
    optimizer = torch.optim.AdamW(groups)
    for epoch in range(epochs):
        total = 0.0
        for batch, wanted in loader:
            loss = criterion(model(batch), wanted)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1} loss {total / len(loader):.4f}")


@torch.no_grad()
def predict(model, words):
    model.eval()
    logits = model(words)
    model.train()
    return logits


words, topics, _ = utterances(800, 1)
encoder = Encoder()
model = Classifier(encoder, TOPICS)
fit(model, words, topics, nn.CrossEntropyLoss(), [{"params": model.parameters(), "lr": 8e-3}], 5)

words, _, fear = utterances(800, 2)
test_words, test_topics, test_fear = utterances(1000, 3)
print(f"topics {(predict(model, test_words).argmax(1) == test_topics).float().mean():.4f}")
share = fear.float().mean()
weights = torch.stack([1 / share, 1 / (1 - share)])  # any: class-weights-reversed
model = Classifier(encoder, 2)
groups = [{"params": model.head.parameters(), "lr": 8e-3}, {"params": encoder.parameters(), "lr": 3e-3}]
fit(model, words, fear, nn.CrossEntropyLoss(weight=weights), groups, 6)

logits = predict(model, test_words)
found = logits.argmax(1)
hits = (found & test_fear).sum().item()
recall = hits / test_fear.sum().item()
other = ((found == 0) & (test_fear == 0)).sum().item() / (test_fear == 0).sum().item()
f1 = 2 * hits / (found.sum() + test_fear.sum()).item()
print(f"fear {share:.4f} accuracy {(found == test_fear).float().mean():.4f} recall {recall:.4f} of others {other:.4f}")
print(f"balanced accuracy {(recall + other) / 2:.4f} F1 {f1:.4f} NLL {F.cross_entropy(logits, test_fear):.4f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
