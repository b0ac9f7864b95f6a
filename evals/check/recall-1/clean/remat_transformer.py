import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attn = nn.MultiheadAttention(d, 4, dropout=0.1, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Dropout(0.1), nn.Linear(2 * d, d))

    def forward(self, x):
        n = self.norm1(x)
        a, _ = self.attn(n, n, n, need_weights=False)
        x = x + a
        return x + self.ff(self.norm2(x))


class Encoder(nn.Module):
    def __init__(self, vocab=64, d=32, depth=3, remat=True):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.register_buffer('pos', torch.randn(1, 64, d) * 0.02, persistent=False)
        self.blocks = nn.ModuleList([Block(d) for _ in range(depth)])
        self.head = nn.Linear(d, vocab, bias=False)
        self.head.weight = self.tok.weight
        self.remat = remat

    def forward(self, x):
        h = self.tok(x) + self.pos[:, :x.shape[1]]
        for block in self.blocks:
            if self.remat and self.training:
                h = checkpoint(block, h, use_reentrant=False)
            else:
                h = block(h)
        return self.head(h)


def groups(model, wd):
    decay = [p for p in model.parameters() if p.dim() >= 2]
    plain = [p for p in model.parameters() if p.dim() < 2]
    return [{'params': decay, 'weight_decay': wd}, {'params': plain, 'weight_decay': 0.0}]


model = Encoder()
opt = torch.optim.AdamW(groups(model, 0.1), lr=3e-4)
sched = torch.optim.lr_scheduler.SequentialLR(opt, [
    torch.optim.lr_scheduler.LinearLR(opt, 0.1, total_iters=3),
    torch.optim.lr_scheduler.CosineAnnealingLR(opt, 7)], milestones=[3])
for it in range(10):
    x = torch.randint(0, 64, (4, 33))
    logits = model(x[:, :-1])
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), x[:, 1:].reshape(-1))
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    opt.zero_grad(set_to_none=True)
    sched.step()
print(loss.item())
