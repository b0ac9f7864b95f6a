from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class OptimConfig:
    name: str = "adam"
    lr: float = 1e-3
    weight_decay: float = 1e-5


@dataclass
class Config:
    users: int = 6040
    items: int = 3706
    dim: int = 32
    hidden: list[int] = field(default_factory=lambda: [64, 32, 16])
    epochs: int = 10
    batch_size: int = 1024
    optim: OptimConfig = field(default_factory=OptimConfig)
