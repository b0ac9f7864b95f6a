# probabilities; a sigmoid outside training; labels; another model; a margin that has a name
import torch
from torch import nn

model, other, criterion = nn.Linear(4, 1), nn.Linear(4, 1), nn.BCEWithLogitsLoss()
x, y = torch.randn(64, 4), torch.randint(2, (64, 1)).float()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        logits = self.out(x)
        return logits if self.training else logits.sigmoid()


net = Net()
loss = criterion(model(x), y) + criterion(net(x), y)
net.eval()
probabilities = torch.sigmoid(model(x))
hits = (probabilities > 0.5) == (y > 0.5)
hits = (net(x) > 0.5) == (other(x) > 0.5)
margin = 0.5
sure = model(x) > margin
