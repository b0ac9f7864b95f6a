"""Low-rank adapters put into a frozen model by name; only they are saved."""
from __future__ import annotations

import math
import re
from collections.abc import Iterator

import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, rank: int = 8, alpha: float = 16.0, p: float = 0.0):
        super().__init__()
        self.base = base
        self.a = nn.Parameter(torch.empty(rank, base.in_features))
        self.b = nn.Parameter(torch.zeros(base.out_features, rank))
        self.scaling = alpha / rank
        self.drop = nn.Dropout(p) if p else nn.Identity()
        nn.init.kaiming_uniform_(self.a, a=math.sqrt(5))
        self.merged = False

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.base(x)
        if self.merged:
            return y
        return y + self.drop(x) @ self.a.T @ self.b.T * self.scaling

    @torch.no_grad()
    def merge(self) -> None:
        self.base.weight += self.b @ self.a * self.scaling
        self.merged = True


def inject(model: nn.Module, pattern: str, **options) -> nn.Module:
    model.requires_grad_(False)
    wanted = [name for name, m in model.named_modules() if isinstance(m, nn.Linear) and re.search(pattern, name)]
    for name in wanted:
        parent = model.get_submodule(name.rpartition(".")[0])
        leaf = name.rpartition(".")[2]
        setattr(parent, leaf, LoRALinear(getattr(parent, leaf), **options))
    return model


def trainable(model: nn.Module) -> Iterator[nn.Parameter]:
    return (p for p in model.parameters() if p.requires_grad)


def adapter_state(model: nn.Module) -> dict[str, torch.Tensor]:
    return {k: v for k, v in model.state_dict().items() if k.endswith((".a", ".b"))}


def finetune(model: nn.Module, batches, steps: int) -> nn.Module:
    inject(model, r"\d$", rank=4, p=0.05)
    optimizer = torch.optim.AdamW(trainable(model), lr=1e-3, weight_decay=0.0)
    model.train()
    for _, (x, y) in zip(range(steps), batches):
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return model


def restore(model: nn.Module, path: str) -> nn.Module:
    inject(model, r"\d$", rank=4)
    missing, unexpected = model.load_state_dict(torch.load(path, map_location="cpu"), strict=False)
    if unexpected or any(k.endswith((".a", ".b")) for k in missing):
        raise ValueError(f"not this model's adapters: {unexpected}")
    for module in model.modules():
        if isinstance(module, LoRALinear):
            module.merge()
    return model.eval()


if __name__ == "__main__":
    base = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
    data = [(torch.randn(8, 16), torch.randint(0, 4, (8,))) for _ in range(5)]
    torch.save(adapter_state(finetune(base, data, 5)), "adapter.pt")
