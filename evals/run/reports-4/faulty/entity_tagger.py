"""An entity tagger with a CRF and a rate for each part, after zjunlp/HVPNeT issue 5."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(101)
VOCAB, LENGTH, TAGS = 120, 14, 5


def sentences(count):
    words = torch.randint(60, VOCAB, (count, LENGTH))
    tags = torch.zeros(count, LENGTH, dtype=torch.long)
    for row in range(count):
        position = int(torch.randint(3, (1,)))
        while position < LENGTH - 3:
            kind, size = int(torch.randint(2, (1,))), int(torch.randint(1, 4, (1,)))
            words[row, position] = 20 * kind + torch.randint(20, (1,))
            words[row, position + 1 : position + size] = torch.randint(40, 60, (size - 1,))
            tags[row, position] = 1 + 2 * kind
            tags[row, position + 1 : position + size] = 2 + 2 * kind
            position += size + int(torch.randint(1, 4, (1,)))
    return TensorDataset(words, tags)


class CRF(nn.Module):
    def __init__(self, tags):
        super().__init__()
        self.transitions = nn.Parameter(torch.empty(tags, tags).uniform_(-0.1, 0.1))
        self.start = nn.Parameter(torch.empty(tags).uniform_(-0.1, 0.1))

    def forward(self, emissions, tags):
        score = self.start[tags[:, 0]] + emissions.gather(2, tags[..., None]).squeeze(-1).sum(1)
        score = score + self.transitions[tags[:, :-1], tags[:, 1:]].sum(1)
        alpha = self.start + emissions[:, 0]
        for t in range(1, emissions.shape[1]):
            alpha = torch.logsumexp(alpha[:, :, None] + self.transitions, 1) + emissions[:, t]
        return (torch.logsumexp(alpha, 1) - score).mean()

    @torch.no_grad()
    def decode(self, emissions):
        best, back = self.start + emissions[:, 0], []
        for t in range(1, emissions.shape[1]):
            value, index = (best[:, :, None] + self.transitions).max(1)
            best = value + emissions[:, t]
            back.append(index)
        path = [best.argmax(1)]
        for index in reversed(back):
            path.append(index.gather(1, path[-1][:, None]).squeeze(1))
        return torch.stack(path[::-1], 1)


class Tagger(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.encoder = nn.ModuleDict({"embed": nn.Embedding(VOCAB, dim), "rnn": nn.GRU(dim, dim, batch_first=True, bidirectional=True)})
        self.fc = nn.Linear(2 * dim, TAGS)
        self.crf = CRF(TAGS)

    def emissions(self, words):
        return self.fc(self.encoder["rnn"](self.encoder["embed"](words))[0])


class Trainer:
    def __init__(self, model, lr=5e-4):
        self.model, self.lr = model, lr
        self.before_train()

    def before_train(self):
        parameters = []
        params = {"lr": self.lr, "weight_decay": 1e-2, "params": []}
        for name, param in self.model.named_parameters():
            if "encoder" in name:
                params["params"].append(param)
        parameters.append(params)
        params = {"lr": 2e-2, "weight_decay": 1e-2, "params": []}
        for name, param in self.model.named_parameters():
            if "crf" in name or name.startswith("fc"):
                params["params"].append(param)
        self.optimizer = torch.optim.AdamW(parameters)  # run: parameters-not-optimized

    def train(self, loader, epochs=8):
        for epoch in range(epochs):
            total = 0.0
            for words, tags in loader:
                loss = self.model.crf(self.model.emissions(words), tags)
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
                self.optimizer.step()
                total += loss.item()
            if epoch % 2 == 1:
                print(f"epoch {epoch} loss {total / len(loader):.4f}")

    @torch.no_grad()
    def evaluate(self, dataset):
        words, tags = dataset.tensors
        predicted = self.model.crf.decode(self.model.emissions(words))
        hits = ((predicted == tags) & (tags > 0)).sum().item()
        return 2 * hits / ((predicted > 0).sum().item() + (tags > 0).sum().item())


train_set, test_set = sentences(480), sentences(200)
trainer = Trainer(Tagger())
trainer.train(DataLoader(train_set, batch_size=24, shuffle=True))
print(f"test F1 {trainer.evaluate(test_set):.4f}")
print(f"checksum {sum(p.double().sum() for p in trainer.model.parameters()).item():.6f}")
