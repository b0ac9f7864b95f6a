"""A draft head that learns from states, in two sittings, after https://github.com/vllm-project/speculators/pull/900."""

import io
import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, TensorDataset

STATE, WORDS, EPOCHS, BATCH = 24, 20, 12, 32
torch.manual_seed(14)


def make(count, seed):
    """States of a large model and the words that it would say next."""
    weights = torch.Generator().manual_seed(99)
    first = torch.randn(STATE, 40, generator=weights) / STATE**0.5
    second = torch.randn(40, WORDS, generator=weights)
    generator = torch.Generator().manual_seed(seed)
    states = torch.randn(count, STATE, generator=generator)
    logits = (2 * states @ first).tanh() @ second
    return TensorDataset(states, torch.multinomial((1.5 * logits).softmax(1), 1, generator=generator)[:, 0])


class DraftHead(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.enter = nn.Linear(STATE, width)
        self.middle = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)
        self.leave = nn.Linear(width, WORDS)

    def forward(self, states):
        x = F.silu(self.enter(states))
        return self.leave(self.norm(x + F.silu(self.middle(x))))


def factor(step, warmup, total):
    if step < warmup:
        return step / warmup
    return 0.5 * (1 + math.cos(math.pi * min(1.0, (step - warmup) / (total - warmup))))


class Trainer:
    def __init__(self, loader, lr=0.02, warmup=50):
        self.loader = loader
        self.model = DraftHead()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr, weight_decay=0.01)
        self.rule = lambda step: factor(step, warmup, EPOCHS * len(loader))
        self.first_epoch = self.global_step = 0
        self.schedule = None

    def setup_schedule(self, last=-1):
        self.schedule = LambdaLR(self.optimizer, self.rule, last_epoch=last)

    def save(self, epoch):
        file = io.BytesIO()
        state = {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}
        torch.save({**state, "epoch": epoch, "global_step": self.global_step}, file)
        return file.getvalue()

    def resume(self, data):
        state = torch.load(io.BytesIO(data))
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.first_epoch, self.global_step = state["epoch"] + 1, state["global_step"]
        self.setup_schedule(last=state["epoch"])  # any: schedule-longer-than-run or scheduler-resumed-without-rates or resume-incomplete or schedule-not-applied

    def fit(self, until):
        for epoch in range(self.first_epoch, until):
            total = 0.0
            for states, words in self.loader:
                loss = F.cross_entropy(self.model(states), words)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                self.schedule.step()
                self.global_step += 1
                total += loss.item()
            if epoch % 3 == 1:
                rate = self.optimizer.param_groups[0]["lr"]
                print(f"epoch {epoch + 1} step {self.global_step} loss {total / len(self.loader):.4f} rate {rate:.6f}")
        return self.save(until - 1)


@torch.no_grad()
def evaluate(model, data):
    states, words = data.tensors
    logits = model(states)
    return F.cross_entropy(logits, words).item(), (logits.argmax(-1) == words).float().mean().item()


loader = DataLoader(make(1600, 1), batch_size=BATCH, shuffle=True)
valid = make(1500, 2)
trainer = Trainer(loader)
trainer.setup_schedule()
data = trainer.fit(EPOCHS // 2)
print("valid loss %.4f accuracy %.4f" % evaluate(trainer.model, valid))
trainer = Trainer(loader)
trainer.resume(data)
trainer.fit(EPOCHS)
print("valid loss %.4f accuracy %.4f" % evaluate(trainer.model, valid))
print(f"last rate {trainer.optimizer.param_groups[0]['lr']:.6f}")
print(f"checksum {sum(p.double().sum() for p in trainer.model.parameters()).item():.6f}")
