# an evaluation on the training rows; test rows that were standardized with those of the training set
import torch
from torch import nn

torch.manual_seed(0)
raw = 3 + 2 * torch.randn(160, 4)
spread, middle = torch.std_mean(raw[:120], 0)
x_train, x_test = (raw[:120] - middle) / spread, (raw[120:] - middle) / spread
y_train, y_test = raw[:120].sum(1, keepdim=True), raw[120:].sum(1, keepdim=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(6):
    model.train()
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x_train), y_train).backward()
    optimizer.step()
    model.eval()
    with torch.no_grad():
        seen = nn.functional.mse_loss(model(x_train), y_train)
        unseen = nn.functional.mse_loss(model(x_test), y_test)
