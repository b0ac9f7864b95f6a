"""A decoder with a sliding window, after huggingface/transformers issue 31673."""

import torch
from digest import show
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

VOCAB, LENGTH, WINDOW = 48, 24, 8


class Attention(nn.Module):
    def __init__(self, width, heads, sliding):
        super().__init__()
        self.heads, self.sliding = heads, sliding
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x, attention_mask):
        b, t, c = x.shape
        q, k, v = (p.view(b, t, self.heads, -1).transpose(1, 2) for p in self.qkv(x).chunk(3, -1))
        if self.sliding:
            attention_mask = attention_mask * torch.tril(torch.ones_like(attention_mask), diagonal=-WINDOW)  # run: attends-to-future
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=attention_mask)
        return self.out(y.transpose(1, 2).reshape(b, t, c))


class Layer(nn.Module):
    def __init__(self, width, sliding):
        super().__init__()
        self.attention = Attention(width, 4, sliding)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x, mask):
        x = x + self.attention(self.norm1(x), mask)
        return x + self.mlp(self.norm2(x))


class Decoder(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, width)
        self.position = nn.Parameter(torch.randn(LENGTH, width) * 0.02)
        self.layers = nn.ModuleList([Layer(width, i % 2 == 0) for i in range(2)])
        self.head = nn.Linear(width, VOCAB)

    def forward(self, ids):
        t = ids.shape[1]
        smallest = torch.finfo(torch.float32).min
        mask = torch.triu(torch.full((t, t), smallest), diagonal=1)
        x = self.embed(ids) + self.position[:t]
        for layer in self.layers:
            x = layer(x, mask)
        return self.head(x)


torch.manual_seed(0)
start = torch.randint(0, VOCAB, (320, 1))
jumps = torch.randint(1, 4, (320, LENGTH)).cumsum(1)
text = (start + jumps) % VOCAB
loader = DataLoader(TensorDataset(text), batch_size=16, shuffle=True)
model = Decoder()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
for epoch in range(3):
    for (ids,) in loader:
        logits = model(ids[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, f"{loss.item():.4f}")
show(model)
