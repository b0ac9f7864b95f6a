# read at the end of each epoch, and not emptied
import torch
from torch import nn
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self):
        self.model = nn.Linear(2048, 2048)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)
        self.outputs = []

    def step(self, x):
        out = self.model(x)
        self.optimizer.zero_grad()
        out.square().mean().backward()
        self.optimizer.step()
        self.outputs.append(out.detach())  # run: 4 passes

    def epoch(self, loader):
        for x in loader:
            self.step(x)
        return torch.cat(self.outputs).mean().item()


torch.manual_seed(0)
trainer = Trainer()
for epoch in range(5):
    print(trainer.epoch(DataLoader(torch.randn(480, 2048), batch_size=16)))

# proof
assert len(trainer.outputs) == 150
