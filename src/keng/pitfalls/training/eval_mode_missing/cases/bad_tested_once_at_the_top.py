# tested once after the training, at the top of the file, without a loader or a loss
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(200, 6)
y = (x[:, 0] > 0).long()
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(20):
    for rows in torch.randperm(150).split(30):
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
with torch.no_grad():
    guessed = model(x[150:]).argmax(1)  # run: `2`
    right = (guessed == y[150:]).float().mean()
print(right)
