# training mode before each loop of one function, whatever the model, and an evaluation at the end
import torch
from torch import nn


class Fitting:
    def __init__(self, build, options):
        self.model = getattr(self, build)(options)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def network(self, width):
        return nn.Sequential(nn.Linear(4, width), nn.Dropout(0.5), nn.Linear(width, 1))

    def fit(self, loader, epochs, val_loader=None):
        for epoch in range(epochs):
            for phase, batches in (("train", loader), ("val", val_loader)):
                if batches is None:
                    continue
                self.model.train(phase == "train")
                for x, y in batches:
                    with torch.set_grad_enabled(phase == "train"):
                        loss = (self.model(x) - y).square().mean()
                    if phase == "train":
                        self.optimizer.zero_grad()
                        loss.backward()
                        self.optimizer.step()


data = [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(4)]
fitting = Fitting("network", 8)
fitting.fit(data, 2, data)
fitting.model.eval()
