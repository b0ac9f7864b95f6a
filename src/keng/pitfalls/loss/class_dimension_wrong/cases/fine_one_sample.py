# the scores of one sample have no other dimension; a batch has its classes in the last
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        return F.log_softmax(self.fc(x), dim=1)


model = Net()
print(F.nll_loss(model(torch.randn(4, 8)), torch.tensor([0, 1, 2, 0])))
scores = model.fc(torch.randn(8))
print(F.nll_loss(F.log_softmax(scores, dim=0).unsqueeze(0), torch.tensor([1])))
