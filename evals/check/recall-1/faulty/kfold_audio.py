import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Subset, TensorDataset


class AudioNet(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.c1 = nn.Conv1d(1, 16, 9, stride=4)
        self.c2 = nn.Conv1d(16, 32, 9, stride=4)
        self.gru = nn.GRU(32, 32)
        self.fc = nn.Linear(32, classes)

    def forward(self, wav):
        x = F.relu(self.c1(wav.unsqueeze(1)))
        x = F.relu(self.c2(x))
        x = x.permute(2, 0, 1)
        x, _ = self.gru(x)
        x = nn.Dropout(0.5)(x[-1])  # check: functional-dropout-always-on or layer-created-in-forward
        return self.fc(x)


def evaluate(model, loader):
    hits = total = 0
    with torch.no_grad():
        for wav, y in loader:
            hits += (model(wav).argmax(1) == y).sum().item()
            total += len(y)
    return hits / total


data = TensorDataset(torch.randn(60, 1600), torch.randint(0, 4, (60,)))
folds = np.array_split(np.random.permutation(60), 3)
scores = []
for k in range(3):
    train_idx = np.concatenate([f for i, f in enumerate(folds) if i != k])
    train = DataLoader(Subset(data, train_idx), 10, shuffle=True)
    test = DataLoader(Subset(data, folds[k]), 10)
    model = AudioNet()
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(2):
        model.train()
        for wav, y in train:
            opt.zero_grad()
            loss = F.cross_entropy(model(wav), y)
            loss.backward()
            opt.step()
    scores.append(evaluate(model, test))
    torch.save({'model': model}, f'fold{k}.pt')  # check: whole-model-pickled
print(np.mean(scores))
m = torch.load('fold0.pt')['model']  # check: weights-only-refused
