import torch
import torch.nn as nn


class NCF(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.tables = {  # check: module-not-registered
            "user": nn.Embedding(cfg.users, cfg.dim),
            "item": nn.Embedding(cfg.items, cfg.dim),
        }
        sizes = [2 * cfg.dim, *cfg.hidden]
        layers = []
        for a, b in zip(sizes, sizes[1:]):
            layers += [nn.Linear(a, b), nn.ReLU(), nn.Dropout(0.2)]
        self.mlp = nn.Sequential(*layers)
        self.head = nn.Linear(sizes[-1], 1)

    def forward(self, user, item):
        x = torch.cat([self.tables["user"](user), self.tables["item"](item)], dim=-1)
        return self.head(self.mlp(x)).squeeze(-1)
