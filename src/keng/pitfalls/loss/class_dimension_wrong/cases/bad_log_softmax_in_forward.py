# forward returns log_softmax over the samples, and a mask chooses rows for nll_loss
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        x = self.fc(x)
        return F.log_softmax(x, dim=0)  # check: add up to 1 over dimension 0


torch.manual_seed(0)
model = Net()
chosen = torch.tensor([True, True, False, True])
output = model(torch.randn(4, 8))
loss = F.nll_loss(output[chosen], torch.tensor([0, 1, 2]))
loss.backward()

# proof
assert torch.allclose(output.exp().sum(0), torch.ones(3))
