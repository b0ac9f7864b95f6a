# a sampler without a name, in a class that is given the loader
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


class Trainer:
    def __init__(self, model, train_data, optimizer):
        self.model, self.train_data, self.optimizer = model, train_data, optimizer
        self.orders = []

    def run_epoch(self):
        order = []
        for x in self.train_data:
            self.optimizer.zero_grad()
            self.model(x[:, None]).square().mean().backward()
            self.optimizer.step()
            order += x.tolist()
        self.orders.append(order)

    def train(self, epochs):
        for epoch in range(epochs):
            self.run_epoch()


data = list(torch.arange(8.0))
loader = DataLoader(
    data,
    batch_size=4,
    sampler=DistributedSampler(data, num_replicas=1, rank=0),  # check: no epoch is ever set
)
model = nn.Linear(1, 1)
trainer = Trainer(model, loader, torch.optim.SGD(model.parameters(), lr=0.01))
trainer.train(2)

# proof
assert trainer.orders[0] == trainer.orders[1]
