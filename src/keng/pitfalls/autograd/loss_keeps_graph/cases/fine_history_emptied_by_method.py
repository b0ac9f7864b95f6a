# a method of the loop empties the history; another one keeps numbers; a loss of several steps is kept on purpose
import torch
from torch import nn


class Game:
    def __init__(self):
        self.net, self.history, self.numbers = nn.Linear(8, 1), {"loss": []}, {"loss": []}
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.01)

    def report(self):
        mean = torch.stack(self.history["loss"]).mean().item()
        self.history["loss"] = []
        return mean

    def remember(self, loss):
        self.history["loss"].append(loss)

    def train(self, steps):
        for step in range(steps):
            self.optimizer.zero_grad()
            loss = self.net(torch.randn(16, 8)).square().mean()
            loss.backward()
            self.optimizer.step()
            self.remember(loss)
            self.numbers["loss"].append(loss.item())
            if step % 5 == 4:
                print(self.report())

    def imagine(self, steps):
        kept = []
        for step in range(steps):
            kept.append(self.net(torch.randn(16, 8)).square().mean())
        self.optimizer.zero_grad()
        torch.stack(kept).mean().backward()
        self.optimizer.step()


game = Game()
game.train(20)
game.imagine(4)
