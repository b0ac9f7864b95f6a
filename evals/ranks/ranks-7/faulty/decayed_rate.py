"""Text classification with Accelerate and a rate that falls to zero until the last step."""

import os

os.environ.setdefault("ACCELERATE_USE_CPU", "true")

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
from transformers import get_linear_schedule_with_warmup

WORDS, TOPICS, EPOCHS = 80, 6, 12


class Bag(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.words = nn.EmbeddingBag(WORDS, dim)
        self.layers = nn.Sequential(nn.Linear(dim, 64), nn.ReLU(), nn.Linear(64, TOPICS))

    def forward(self, rows):
        return self.layers(self.words(rows))


def documents(count, seed):
    chances = torch.rand(TOPICS, WORDS, generator=torch.Generator().manual_seed(0)) ** 0.7
    generator = torch.Generator().manual_seed(seed)
    topics = torch.randint(TOPICS, (count,), generator=generator)
    return TensorDataset(chances[topics].multinomial(20, True, generator=generator), topics)


@torch.no_grad()
def evaluate(accelerator, model, loader):
    model.eval()
    right, seen = 0, 0
    for rows, topics in loader:
        guesses, topics = accelerator.gather_for_metrics((model(rows).argmax(1), topics))
        right += (guesses == topics).sum().item()
        seen += len(topics)
    model.train()
    return right / seen


def main():
    set_seed(3)
    accelerator = Accelerator(cpu=True)
    train_loader = DataLoader(documents(960, 1), batch_size=24, shuffle=True)
    valid_loader = DataLoader(documents(401, 2), batch_size=50)
    model = Bag()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.12, momentum=0.9)
    model, optimizer, train_loader, valid_loader = accelerator.prepare(model, optimizer, train_loader, valid_loader)
    steps = EPOCHS * len(train_loader)
    scheduler = get_linear_schedule_with_warmup(optimizer, steps // 20, steps)
    scheduler = accelerator.prepare(scheduler)  # any: schedule-longer-than-run or scheduler-past-its-end
    step, zero_at = 0, None
    for epoch in range(EPOCHS):
        for rows, topics in train_loader:
            loss = F.cross_entropy(model(rows), topics)
            accelerator.backward(loss)
            accelerator.clip_grad_norm_(model.parameters(), 2.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
            step += 1
            if zero_at is None and scheduler.get_last_lr()[0] < 1e-6:
                zero_at = step
        accuracy = evaluate(accelerator, model, valid_loader)
        if epoch % 3 == 0:
            accelerator.print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.4f} rate {scheduler.get_last_lr()[0]:.4f}", flush=True)
    accelerator.print(f"accuracy {accuracy:.4f}, the rate was zero at step {zero_at} of {steps}", flush=True)
    accelerator.wait_for_everyone()
    accelerator.end_training()


if __name__ == "__main__":
    main()
