"""A classifier ends in a linear layer, and its loss is NLLLoss."""

import torch
from digest import show
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
digits = load_digits()
xtr, xte, ytr, yte = train_test_split(
    digits.data / 16, digits.target, test_size=0.2, random_state=0
)
trainloader = DataLoader(
    TensorDataset(torch.tensor(xtr).float(), torch.tensor(ytr)), batch_size=64, shuffle=True
)
testloader = DataLoader(TensorDataset(torch.tensor(xte).float(), torch.tensor(yte)), batch_size=64)

model = nn.Sequential(
    nn.Linear(64, 128),
    nn.ReLU(),
    nn.Dropout(0.2),
    nn.Linear(128, 64),
    nn.ReLU(),
    nn.Linear(64, 10),
)
criterion = nn.NLLLoss()
optimizer = optim.SGD(model.parameters(), lr=0.003, momentum=0.9)
for e in range(4):
    running_loss = 0
    model.train()
    for images, labels in trainloader:
        optimizer.zero_grad()
        output = model(images)
        loss = criterion(output, labels)  # run: nll-wants-log
        loss.backward()
        optimizer.step()
        running_loss += loss.item()
    model.eval()
    hits = 0
    with torch.no_grad():
        for images, labels in testloader:
            hits += (model(images).argmax(dim=1) == labels).sum().item()
    print(f"Epoch {e} - loss {running_loss / len(trainloader):.3f} - {hits / len(yte):.3f}")
show(model)
