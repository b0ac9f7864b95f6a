# cumulative lengths are passed to a model whose attention does not use them
# needs: nothing
import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.out = nn.Linear(16, 48), nn.Linear(16, 16)

    def forward(self, x):
        q, k, v = self.inner(x).view(*x.shape[:2], 4, 12).transpose(1, 2).chunk(3, dim=-1)
        return x + self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.block, self.head = nn.Embedding(32, 16), Block(), nn.Linear(16, 32)

    def forward(self, ids, lengths):
        return self.head(self.block(self.embed(ids)))


torch.manual_seed(0)
model = Model()
optimizer = torch.optim.Adam(model.parameters())
lengths = torch.tensor([0, 5, 9, 14])
for step in range(4):
    ids = torch.randint(32, (1, 14))
    logits = model(ids, lengths)  # run: each text see the one before
    loss = F.cross_entropy(logits[0, :-1], ids[0, 1:])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
# proof
other = ids.clone()
other[:, :5] = (ids[:, :5] + 1) % 32
assert not torch.equal(model(ids, lengths)[:, 5:9], model(other, lengths)[:, 5:9])
