"""Several tags a sample: the model ends in a sigmoid, the loss brings its own."""

import torch
from digest import show
from sklearn.datasets import make_multilabel_classification
from torch import nn


class TagNet(nn.Module):
    def __init__(self, n_features, n_tags):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(n_features, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, n_tags)
        )

    def forward(self, x):
        logits = self.layers(x)
        return {"logits": logits, "probs": torch.sigmoid(logits)}


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.criterion = nn.BCEWithLogitsLoss(pos_weight=torch.full((6,), 2.0))
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)

    def fit(self, x, y, epochs, batch_size=40):
        for epoch in range(epochs):
            self.model.train()
            for idx in torch.randperm(len(x)).split(batch_size):
                out = self.model(x[idx])
                loss = self.criterion(out["probs"], y[idx])  # run: bce-wants-probabilities
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
            print(epoch, f"{loss.item():.4f} {self.score(x, y):.4f}")

    @torch.no_grad()
    def score(self, x, y):
        self.model.eval()
        return ((self.model(x)["probs"] > 0.5) == y.bool()).float().mean().item()


torch.manual_seed(0)
x, y = make_multilabel_classification(600, 20, n_classes=6, random_state=0)
net = TagNet(20, 6)
Trainer(net, 1e-3).fit(torch.tensor(x).float(), torch.tensor(y).float(), epochs=5)
show(net)
