# no metric
import torch
from torch import nn
from torch.optim.lr_scheduler import ReduceLROnPlateau


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scheduler = ReduceLROnPlateau(self.optimizer)

    def fit(self, batches):
        for batch in batches:
            self.optimizer.zero_grad()
            self.model(batch).mean().backward()
            self.optimizer.step()
        self.scheduler.step()  # check: a plateau of what


try:
    Trainer(nn.Linear(4, 1)).fit(torch.ones(3, 2, 4))
except TypeError as error:
    raised = str(error)

# proof
assert "metrics" in raised
