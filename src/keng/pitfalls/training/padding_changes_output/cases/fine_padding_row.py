# the row of `padding_idx` is zero, or random and masked
import torch
from torch import nn


class Bag(nn.Module):
    def __init__(self, masks):
        super().__init__()
        self.masks = masks
        self.embed = nn.Embedding(30, 16, padding_idx=0)
        self.head = nn.Linear(16, 1)
        if masks:
            nn.init.normal_(self.embed.weight)

    def forward(self, ids):
        x = self.embed(ids)
        if self.masks:
            x = x * (ids > 0).unsqueeze(-1)
        return self.head(x.sum(1).tanh()).squeeze(1)


torch.manual_seed(0)
for masks in (True, False):
    model = Bag(masks)
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(10):
        ids = torch.randint(1, 30, (12, 9)) * (torch.arange(9) < torch.randint(3, 10, (12, 1)))
        optimizer.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(model(ids), torch.rand(12)).backward()
        optimizer.step()
