"""The mask of the answers is thrown away when conversations are packed, so prompts are learned too, after karpathy/nanochat pull 582."""

import torch
from digest import show
from torch import nn
from torch.nn import functional as F

torch.manual_seed(5)
BOS, USER, ASSISTANT, END = 0, 1, 2, 3
LENGTH = 33


def render_conversation(number):
    draw = torch.Generator().manual_seed(number)
    question = torch.randint(4, 40, (int(torch.randint(3, 7, (), generator=draw)),), generator=draw).tolist()
    answer = sorted(question)
    ids = [BOS, USER, *question, ASSISTANT, *answer, END]
    mask = [0] * (len(question) + 3) + [1] * (len(answer) + 1)
    return ids, mask


def batches(count, size):
    number = 0
    for _ in range(count):
        rows, masks = [], []
        for _ in range(size):
            row, mask = [], []
            while len(row) < LENGTH:
                ids, learned = render_conversation(number)
                row, mask = row + ids, mask + learned
                number += 1
            rows.append(row[:LENGTH])
            masks.append(mask[:LENGTH])
        ids, mask = torch.tensor(rows), torch.tensor(masks)
        yield ids[:, :-1], ids[:, 1:].masked_fill(mask[:, 1:] == 0, -1)


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).reshape(b, t, c))
        return x + self.mlp(self.norm2(x))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(40, 32), nn.Embedding(LENGTH, 32)
        self.blocks = nn.ModuleList([Block(32, 4) for _ in range(2)])
        self.lm_head = nn.Linear(32, 40, bias=False)

    def forward(self, ids, targets):
        x = self.wte(ids) + self.wpe(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return F.cross_entropy(self.lm_head(x).flatten(0, 1), targets.flatten(), ignore_index=-1)


model = GPT()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
for step, (ids, targets) in enumerate(batches(40, 8)):
    loss = model(ids, targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(step, loss.item())
show(model)
