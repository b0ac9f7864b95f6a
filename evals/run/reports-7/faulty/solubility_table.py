"""Solubility from descriptors of molecules, after https://github.com/nijamudheen/CheMLFlow/issues/9."""

import numpy as np
import torch
from sklearn.metrics import r2_score
from sklearn.model_selection import GroupShuffleSplit
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

MOLECULES, DESCRIPTORS, SCAFFOLDS, EPOCHS = 500, 20, 40, 30
torch.manual_seed(24)


def molecules(seed=7):
    """Descriptors with long tails which depend on the scaffold, and the solubility."""
    rng = np.random.default_rng(seed)
    scaffold = rng.integers(SCAFFOLDS, size=MOLECULES)
    centre = rng.normal(size=(SCAFFOLDS, DESCRIPTORS))
    size = np.exp(0.4 * rng.normal(size=(SCAFFOLDS, 1)))
    table = np.exp(0.7 * size[scaffold] * (centre[scaffold] + 0.5 * rng.normal(size=(MOLECULES, DESCRIPTORS))) / 2)
    direction = rng.normal(size=DESCRIPTORS) / DESCRIPTORS**0.5
    solubility = np.log1p(table) @ direction + 0.1 * rng.normal(size=MOLECULES)
    return table.astype("float32"), solubility.astype("float32"), scaffold


class Regressor(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(DESCRIPTORS, width), nn.ReLU(), nn.Dropout(0.1), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1)
        )

    def forward(self, x):
        return self.layers(x).squeeze(1)


@torch.no_grad()
def evaluate(model, x, y):
    model.eval()
    guess = model(x)
    model.train()
    return F.mse_loss(guess, y).sqrt().item(), r2_score(y.numpy(), guess.numpy())


table, solubility, scaffold = molecules()
splitter = GroupShuffleSplit(n_splits=1, test_size=0.3, random_state=1)
train_rows, test_rows = next(splitter.split(table, solubility, scaffold))
scaler = StandardScaler().fit(table)  # any: -
x_train, x_test = (torch.from_numpy(scaler.transform(table[rows])) for rows in (train_rows, test_rows))
y_train, y_test = (torch.from_numpy(solubility[rows]) for rows in (train_rows, test_rows))
loader = DataLoader(TensorDataset(x_train, y_train), batch_size=32, shuffle=True)
model = Regressor()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-2)
for epoch in range(EPOCHS):
    total = 0.0
    for x, y in loader:
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    if epoch % 10 == 9:
        print(f"epoch {epoch + 1} loss {total / len(loader):.4f}")
print(f"training rows: mean of the inputs {x_train.mean().item():.4f} std {x_train.std(0).mean().item():.4f}")
rmse, r2 = evaluate(model, x_test, y_test)
print(f"test rmse {rmse:.4f} r2 {r2:.4f} largest input {x_test.abs().max().item():.4f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
