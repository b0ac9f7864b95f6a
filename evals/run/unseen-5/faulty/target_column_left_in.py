"""A table is cut into inputs and target, and the target stays among the inputs."""

import numpy as np
import torch
from digest import show
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from torch import nn

data = load_breast_cancer()
table = np.concatenate([data.data, data.target[:, None]], axis=1)
features = (table - table.mean(0)) / table.std(0)  # run: -
target = table[:, -1]
x_train, x_test, y_train, y_test = (
    torch.from_numpy(part).float()
    for part in train_test_split(features, target, test_size=0.25, random_state=0)
)

torch.manual_seed(0)


class Classifier(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc1 = nn.Linear(n, 16)
        self.fc2 = nn.Linear(16, 1)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x))).squeeze(-1)


model = Classifier(x_train.shape[1])
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
loss_function = nn.BCEWithLogitsLoss()
for epoch in range(60):
    model.train()
    optimizer.zero_grad()
    loss = loss_function(model(x_train), y_train)
    loss.backward()
    optimizer.step()
    if epoch % 20 == 19:
        model.eval()
        with torch.no_grad():
            accuracy = ((model(x_test) > 0).float() == y_test).float().mean()
        print(epoch, f"{loss.item():.4f}", f"{accuracy.item():.4f}")
show(model)
