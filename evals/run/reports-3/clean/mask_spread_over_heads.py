"""The batch axis of a mask lands on the heads, where sizes agree, after lucidrains/graph-transformer-pytorch pull 2 and ml-explore/mlx-lm pull 1903."""

import torch
from digest import show
from torch import nn

torch.manual_seed(9)
HEADS, BATCH = 4, 4


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.to_qkv, self.to_out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x, mask):
        b, n, d = x.shape
        q, k, v = (each.view(b, n, HEADS, -1).transpose(1, 2) for each in self.to_qkv(x).chunk(3, -1))
        sim = q @ k.transpose(-1, -2) * (d // HEADS) ** -0.5
        sim = sim.masked_fill(~mask[:, None, None, :], -1e9)
        out = sim.softmax(-1) @ v
        return self.to_out(out.transpose(1, 2).reshape(b, n, d))


class GraphTransformer(nn.Module):
    def __init__(self, dim=32, depth=2):
        super().__init__()
        self.embed = nn.Linear(6, dim)
        self.layers = nn.ModuleList([nn.ModuleList([nn.LayerNorm(dim), Attention(dim)]) for _ in range(depth)])
        self.head = nn.Linear(dim, 1)

    def forward(self, nodes, mask):
        x = self.embed(nodes)
        for norm, attention in self.layers:
            x = x + attention(norm(x), mask)
        return self.head(x).squeeze(-1)


def graphs():
    lengths = torch.randint(3, 11, (BATCH,))
    mask = torch.arange(10) < lengths[:, None]
    nodes = torch.randn(BATCH, 10, 6)
    around = (nodes[..., 0] * mask).sum(1, keepdim=True) / lengths[:, None]
    return nodes, mask, nodes[..., 1] + around


model = GraphTransformer()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(80):
    nodes, mask, targets = graphs()
    loss = ((model(nodes, mask) - targets)[mask] ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        print(step, loss.item())
show(model)
