from __future__ import print_function
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import Variable


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv1 = nn.Conv2d(1, 10, kernel_size=5)
        self.fc1 = nn.Linear(1440, 50)
        self.fc2 = nn.Linear(50, 10)

    def forward(self, x):
        x = F.relu(F.max_pool2d(self.conv1(x), 2))
        x = x.view(-1, 1440)
        x = F.sigmoid(self.fc1(x))
        x = F.dropout(x)  # check: functional-dropout-always-on
        return F.log_softmax(self.fc2(x))  # check: softmax-dim-missing


def test(model, loader):
    model.eval()
    loss, correct = 0, 0
    for data, target in loader:
        data = Variable(data, volatile=True)  # check: variable-api; validation-records-gradients
        out = model(data)
        loss += F.nll_loss(out, target, size_average=False).item()  # check: loss-arguments-removed
        correct += out.max(1)[1].eq(target).sum().item()
    print(loss / len(loader.dataset), correct)


def train(model, loader, epochs=2):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.5)
    for epoch in range(epochs):
        model.train()
        for data, target in loader:
            optimizer.zero_grad()
            loss = F.nll_loss(model(data), target)
            loss.backward()
            nn.utils.clip_grad_norm(model.parameters(), 1)  # check: api-deprecated
            optimizer.step()
        test(model, loader)


ds = torch.utils.data.TensorDataset(torch.randn(64, 1, 28, 28), torch.randint(10, (64,)))
train(Net(), torch.utils.data.DataLoader(ds, 16))
