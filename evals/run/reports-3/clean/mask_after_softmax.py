"""The attention mask is added after the softmax, after huggingface/pytorch-image-models pull 2236."""

import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(13)
patches = torch.randn(128, 9, 16)
lengths = torch.randint(4, 10, (128,))
keep = torch.arange(9) < lengths[:, None]
labels = (((patches.mean(-1) * keep).sum(1) / lengths) * 20).round().clamp(-1, 1).long() + 1
loader = DataLoader(TensorDataset(patches, keep, labels), batch_size=16, shuffle=True)


class EvaAttention(nn.Module):
    def __init__(self, dim, num_heads=4):
        super().__init__()
        self.num_heads, self.scale = num_heads, (dim // num_heads) ** -0.5
        self.qkv, self.proj = nn.Linear(dim, dim * 3), nn.Linear(dim, dim)
        self.attn_drop = nn.Dropout(0.1)

    def forward(self, x, attn_mask):
        b, n, c = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.num_heads, -1).permute(2, 0, 3, 1, 4).unbind(0)
        attn = (q * self.scale) @ k.transpose(-2, -1)
        attn = attn.masked_fill(~attn_mask[:, None, None, :], float("-inf"))
        attn = attn.softmax(dim=-1)
        return self.proj((self.attn_drop(attn) @ v).transpose(1, 2).reshape(b, n, c))


class Eva(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.embed, self.norm = nn.Linear(16, dim), nn.LayerNorm(dim)
        self.place = nn.Parameter(torch.randn(9, dim) * 0.02)
        self.attn, self.head = EvaAttention(dim), nn.Linear(dim, 3)

    def forward(self, x, attn_mask):
        x = self.embed(x) + self.place
        x = x + self.attn(self.norm(x), attn_mask)
        weights = attn_mask / attn_mask.sum(1, keepdim=True)
        return self.head((x * weights[..., None]).sum(1))


model = Eva()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
for epoch in range(8):
    for x, mask, y in loader:
        loss = nn.functional.cross_entropy(model(x, mask), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
show(model)
