# a model that ends in softmax
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)
        self.softmax = nn.Softmax(dim=1)

    def forward(self, x):
        x = self.fc(x)
        return self.softmax(x)


net = Net()
criterion = nn.CrossEntropyLoss()
x, y = torch.randn(16, 8), torch.randint(3, (16,))
loss = criterion(net(x), y)  # check: `the output of net went through softmax before`
loss.backward()
