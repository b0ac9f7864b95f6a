import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def load():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(120, 4)).astype("float32")
    species = rng.integers(0, 3, 120).reshape(-1, 1)
    return torch.from_numpy(features), torch.from_numpy(species)


x, y = load()
loader = DataLoader(TensorDataset(x, y), batch_size=20, shuffle=True)
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for inputs, labels in loader:
    optimizer.zero_grad()
    loss = criterion(model(inputs), labels)
    loss.backward()
    optimizer.step()
