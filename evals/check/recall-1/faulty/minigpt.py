import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, d, heads, p=0.1):
        super().__init__()
        self.heads, self.p = heads, p
        self.qkv = nn.Linear(d, 3 * d)
        self.proj = nn.Linear(d, d)
        self.mask = torch.tril(torch.ones(128, 128))  # check: module-not-registered

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (z.view(b, t, self.heads, d // self.heads).transpose(1, 2) for z in (q, k, v))
        att = q @ k.transpose(-2, -1) / math.sqrt(d // self.heads)
        att = att.masked_fill(self.mask[:t, :t] == 0, float('-inf'))
        att = F.dropout(F.softmax(att, dim=-1), self.p)  # check: functional-dropout-always-on
        y = (att @ v).transpose(1, 2)
        return self.proj(y.view(b, t, d))  # check: view-of-noncontiguous


class Block(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attn = Attention(d, heads)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class MiniGPT(nn.Module):
    def __init__(self, vocab, d=64, heads=4, depth=2):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Embedding(128, d)
        self.blocks = [Block(d, heads) for _ in range(depth)]  # check: module-not-registered
        self.head = nn.Linear(d, vocab)

    def forward(self, idx, targets=None):
        x = self.tok(idx) + self.pos(torch.arange(idx.size(1), device=idx.device))
        for block in self.blocks:
            x = block(x)
        logits = self.head(x)
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits.reshape(-1, logits.size(-1)), targets.reshape(-1))
        return logits, loss


def main():
    model = MiniGPT(50)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=20)
    data = torch.randint(0, 50, (2000,))
    for it in range(20):
        at = torch.randint(0, 1900, (8,)).tolist()
        x = torch.stack([data[i:i + 32] for i in at])
        y = torch.stack([data[i + 1:i + 33] for i in at])
        _, loss = model(x, y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        sched.step()  # check: scheduler-before-optimizer
        opt.step()


if __name__ == '__main__':
    main()
