"""Screens fingerprints of molecules for activity, after https://github.com/BioSystemsUM/DeepMol/pull/46."""

import copy

import numpy as np
import torch
from sklearn.metrics import average_precision_score, roc_auc_score
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

BITS, EPOCHS = 128, 20
torch.manual_seed(6)


def molecules(count, seed):
    """Sparse fingerprints; one in eight molecules is active, if enough of its fragments are."""
    rng = np.random.default_rng(seed)
    world = np.random.default_rng(0)
    common = world.uniform(0.02, 0.3, BITS)
    effect = world.normal(0, 1.0, BITS) * (world.random(BITS) < 0.4)
    pairs = world.integers(0, BITS, (40, 2))
    bits = (rng.random((count, BITS)) < common).astype(np.float32)
    score = bits @ effect + 1.2 * (bits[:, pairs[:, 0]] * bits[:, pairs[:, 1]]).sum(1) + 1.0 * rng.standard_normal(count)
    labels = (score > np.quantile(score, 0.875)).astype(np.int64)
    return torch.from_numpy(bits), torch.from_numpy(labels)


class Screen(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(BITS, hidden), nn.ReLU(), nn.Dropout(0.3), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 2))

    def forward(self, x):
        return self.layers(x)


class Metric:
    def __init__(self, name, function):
        self.name, self.function = name, function

    def __call__(self, labels, output):
        return self.function(labels, output)


class Evaluator:
    def __init__(self, metrics):
        self.metrics = metrics

    def predict(self, model, x):
        model.eval()
        with torch.no_grad():
            chances = torch.cat([model(part).softmax(1) for part in x.split(256)])
        return chances[:, 1]

    def __call__(self, model, x, labels):
        output = self.predict(model, x)
        return {metric.name: float(metric(labels.numpy(), output.numpy())) for metric in self.metrics}


def fit(model, train, valid, evaluator):
    loader = DataLoader(TensorDataset(*train), batch_size=50, shuffle=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1.5e-3, weight_decay=1e-2)
    best, kept, at = -1.0, None, 0
    for epoch in range(EPOCHS):
        model.train()
        total = 0.0
        for x, y in loader:
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        scores = evaluator(model, *valid)
        if scores["roc_auc"] > best:
            best, kept, at = scores["roc_auc"], copy.deepcopy(model.state_dict()), epoch + 1
        if epoch % 5 == 4:
            text = " ".join(f"{name} {value:.4f}" for name, value in scores.items())
            print(f"epoch {epoch + 1} loss {total / len(loader):.4f} valid {text}")
    model.load_state_dict(kept)
    print(f"kept epoch {at} of valid roc_auc {best:.4f}")


evaluator = Evaluator([Metric("roc_auc", roc_auc_score), Metric("pr_auc", average_precision_score)])
model = Screen()
fit(model, molecules(2000, 1), molecules(600, 2), evaluator)
test_x, test_y = molecules(2000, 3)
scores = evaluator(model, test_x, test_y)
with torch.no_grad():
    nll = F.cross_entropy(model(test_x), test_y).item()
print("test " + " ".join(f"{name} {value:.4f}" for name, value in scores.items()) + f" nll {nll:.4f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
