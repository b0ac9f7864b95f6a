"""A reward model is trained in two runs with checkpoints, after https://github.com/OpenRLHF/OpenRLHF/pull/1333."""

import os
import tempfile

import torch
from torch import nn
from torch.nn import functional as F

DIM, PAIRS, BATCH = 32, 160, 20


def preferences(count, seed):
    """Pairs of answers; the first is the better one for nine of ten judges."""
    world = torch.Generator().manual_seed(0)
    taste = torch.randn(DIM, generator=world)
    generator = torch.Generator().manual_seed(seed)
    answers = torch.randn(count, 2, DIM, generator=generator)
    value = answers @ taste + 1.5 * (answers[..., 0] * answers[..., 1])
    value = value + 2.0 * torch.randn(count, 2, generator=generator)
    order = value.argsort(1, descending=True)
    return answers.gather(1, order[..., None].expand(-1, -1, DIM))


class RewardModel(nn.Module):
    def __init__(self, hidden=128):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(DIM, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, answers):
        return self.layers(answers).squeeze(-1)


def pair_loss(model, pairs):
    rewards = model(pairs)
    return -F.logsigmoid(rewards[:, 0] - rewards[:, 1]).mean()


class Trainer:
    def __init__(self, folder, seed):
        torch.manual_seed(seed)
        self.folder = folder
        self.model = RewardModel()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)
        self.train_pairs, self.eval_pairs = preferences(PAIRS, 1), preferences(400, 2)
        self.epoch, self.best_metric_value = 0, float("-inf")

    def path(self, name):
        return os.path.join(self.folder, f"{name}.pt")

    def save_checkpoint(self):
        client_states = {"epoch": self.epoch, "best_metric_value": self.best_metric_value}
        torch.save({"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), "client_states": client_states}, self.path("last"))

    def load_checkpoint(self):
        state = torch.load(self.path("last"), weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.epoch, self.best_metric_value = state["client_states"]["epoch"], state["client_states"]["best_metric_value"]

    @torch.no_grad()
    def evaluate(self, pairs):
        rewards = self.model(pairs)
        return -pair_loss(self.model, pairs).item(), (rewards[:, 0] > rewards[:, 1]).float().mean().item()

    def save_best(self, value):
        if value > self.best_metric_value:
            self.best_metric_value = value
            torch.save({"model": self.model.state_dict(), "epoch": self.epoch, "value": value}, self.path("best"))

    def fit(self, until):
        while self.epoch < until:
            total = 0.0
            for index in torch.randperm(PAIRS).split(BATCH):
                loss = pair_loss(self.model, self.train_pairs[index])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                total += loss.item() * len(index)
            self.epoch += 1
            value, accuracy = self.evaluate(self.eval_pairs)
            self.save_best(value)
            self.save_checkpoint()
            if self.epoch % 6 == 0:
                print(f"epoch {self.epoch} loss {total / PAIRS:.4f} valid log likelihood {value:.4f} accuracy {accuracy:.4f} best {self.best_metric_value:.4f}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        Trainer(folder, seed=1).fit(until=18)
        trainer = Trainer(folder, seed=2)
        trainer.load_checkpoint()
        trainer.fit(until=60)
        best = torch.load(trainer.path("best"), weights_only=True)
    trainer.model.load_state_dict(best["model"])
    value, accuracy = trainer.evaluate(preferences(2000, 3))
    print(f"best of epoch {best['epoch']} valid log likelihood {best['value']:.4f}")
    print(f"test log likelihood {value:.4f} accuracy {accuracy:.4f}")
    print(f"checksum {sum(p.double().sum() for p in trainer.model.parameters()).item():.6f}")


main()
