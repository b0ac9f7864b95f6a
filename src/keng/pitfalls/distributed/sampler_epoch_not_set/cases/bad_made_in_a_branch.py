# made in one branch, and trained by a method that another object has
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


class Model:
    def __init__(self):
        self.net = nn.Linear(1, 1)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.01)

    def optimize(self, x):
        self.optimizer.zero_grad()
        self.net(x[:, None]).square().mean().backward()
        self.optimizer.step()


MODELS = {"plain": Model}
options = {"dist": True, "model": "plain"}
data, orders = list(torch.arange(8.0)), []
if options["dist"]:
    train_sampler = DistributedSampler(data, num_replicas=1, rank=0)  # check: no epoch is ever set
    train_loader = DataLoader(data, batch_size=4, sampler=train_sampler)
else:
    train_loader = DataLoader(data, batch_size=4, shuffle=True)
model = MODELS[options["model"]]()
for epoch in range(2):
    orders.append([])
    for i, x in enumerate(train_loader):
        model.optimize(x)
        orders[-1] += x.tolist()

# proof
assert orders[0] == orders[1]
