"""A trainer with callbacks, as libraries have them: the one that clips listens to the wrong event."""

from dataclasses import dataclass

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


@dataclass
class TrainingArguments:
    epochs: int = 3
    batch_size: int = 32
    learning_rate: float = 2e-3
    weight_decay: float = 0.01
    max_grad_norm: float = 1.0
    warmup_steps: int = 10


class Callback:
    def on_backward_end(self, trainer): ...
    def on_step_end(self, trainer): ...
    def on_epoch_end(self, trainer): ...


class ClipGradients(Callback):
    def __init__(self, limit):
        self.limit = limit

    def on_step_end(self, trainer):
        nn.utils.clip_grad_norm_(trainer.model.parameters(), self.limit)  # run: clipped-too-late


class Evaluate(Callback):
    def on_epoch_end(self, trainer):
        print(trainer.state["epoch"], f"{trainer.evaluate():.3f}")


class Trainer:
    def __init__(self, model, args, train_dataset, eval_dataset, callbacks=()):
        self.model, self.args = model, args
        self.train_dataset, self.eval_dataset = train_dataset, eval_dataset
        self.callbacks = list(callbacks)
        self.state = {"epoch": 0, "global_step": 0}
        self.create_optimizer_and_scheduler()

    def create_optimizer_and_scheduler(self):
        decayed = [p for p in self.model.parameters() if p.ndim > 1]
        others = [p for p in self.model.parameters() if p.ndim <= 1]
        self.optimizer = torch.optim.AdamW(
            [
                {"params": decayed, "weight_decay": self.args.weight_decay},
                {"params": others, "weight_decay": 0.0},
            ],
            lr=self.args.learning_rate,
        )
        total = self.args.epochs * -(-len(self.train_dataset) // self.args.batch_size)
        warm = self.args.warmup_steps
        self.lr_scheduler = torch.optim.lr_scheduler.LambdaLR(
            self.optimizer,
            lambda step: min((step + 1) / warm, max(0.0, (total - step) / (total - warm))),
        )

    def fire(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def compute_loss(self, inputs):
        x, labels = inputs
        return nn.functional.cross_entropy(self.model(x), labels)

    def training_step(self, inputs):
        self.model.train()
        loss = self.compute_loss(inputs)
        loss.backward()
        self.fire("on_backward_end")
        return loss.detach()

    def train(self):
        loader = DataLoader(self.train_dataset, self.args.batch_size, shuffle=True)
        for epoch in range(self.args.epochs):
            self.state["epoch"] = epoch
            for inputs in loader:
                self.training_step(inputs)
                self.optimizer.step()  # run: clipped-too-late
                self.fire("on_step_end")
                self.lr_scheduler.step()
                self.optimizer.zero_grad()
                self.state["global_step"] += 1
            self.fire("on_epoch_end")

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        right = 0
        for x, labels in DataLoader(self.eval_dataset, 256):
            right += (self.model(x).argmax(-1) == labels).sum().item()
        return right / len(self.eval_dataset)


def main():
    torch.manual_seed(1)
    digits = load_digits()
    data = TensorDataset(
        torch.tensor(digits.data, dtype=torch.float32) / 16, torch.tensor(digits.target)
    )
    train, held_out = random_split(data, [1437, 360])
    model = nn.Sequential(
        nn.Linear(64, 96), nn.LayerNorm(96), nn.GELU(), nn.Dropout(0.1), nn.Linear(96, 10)
    )
    args = TrainingArguments()
    trainer = Trainer(model, args, train, held_out, [ClipGradients(args.max_grad_norm), Evaluate()])
    trainer.train()
    show(model)


if __name__ == "__main__":
    main()
