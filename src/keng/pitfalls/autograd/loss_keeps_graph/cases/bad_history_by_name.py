# lists of a history by the name of the loss, on an object that trains two networks
import torch
from torch import nn


class Game:
    def __init__(self):
        self.one, self.other = nn.Linear(8, 1), nn.Linear(8, 1)
        self.optimizer = torch.optim.SGD([*self.one.parameters(), *self.other.parameters()], lr=0.01)

    def train(self, steps):
        self.history = {}
        self.history["one"] = []
        self.history["other"] = []
        for step in range(steps):
            for name, net in (("one", self.one), ("other", self.other)):
                self.optimizer.zero_grad()
                loss = net(torch.randn(16, 8)).square().mean()
                loss.backward()
                self.optimizer.step()
            self.history["one"].append(loss)  # check: `self.history['one']` keeps  # run: one graph each


game = Game()
game.train(40)

# proof
assert all(loss.grad_fn is not None for loss in game.history["one"])
