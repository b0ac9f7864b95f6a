# the good program of the page with its training
import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 16, padding_idx=0)
        self.attention = nn.MultiheadAttention(16, 2, batch_first=True)
        self.head = nn.Linear(16, 3)

    def forward(self, ids, mask):
        x = self.embed(ids)
        x, _ = self.attention(x, x, x, key_padding_mask=~mask)
        return self.head(x[:, 0])


torch.manual_seed(0)
model = Classifier()
optimizer = torch.optim.AdamW(model.parameters())
for _ in range(10):
    mask = torch.arange(9) < torch.randint(3, 10, (12, 1))
    ids, y = torch.randint(1, 30, (12, 9)) * mask, torch.randint(3, (12,))
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(ids, mask), y).backward()
    optimizer.step()
