import torch
from torch import nn

config = {
    "width": 100,
    "heads": 8,
    "dropout": 0.1,
}


class Reader(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.emb = nn.Embedding(1000, cfg["width"])
        self.attn = nn.MultiheadAttention(cfg["width"], cfg["heads"], dropout=cfg["dropout"], batch_first=True)
        self.out = nn.Linear(cfg["width"], 2)

    def forward(self, tokens):
        x = self.emb(tokens)
        x, _ = self.attn(x, x, x)
        return self.out(x.mean(1))


reader = Reader(config)
print(reader(torch.randint(1000, (4, 20))).shape)
