# the row of `padding_idx` is overwritten when the weights are initialized
import torch
from torch import nn


class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 16, padding_idx=0)
        self.head = nn.Linear(16, 1)
        nn.init.normal_(self.embed.weight)

    def forward(self, ids):
        summed = self.embed(ids).sum(1)  # run: is not zero
        return self.head(summed.tanh()).squeeze(1)


torch.manual_seed(0)
model = Bag()
optimizer = torch.optim.AdamW(model.parameters())
for _ in range(10):
    ids = torch.randint(1, 30, (12, 9)) * (torch.arange(9) < torch.randint(3, 10, (12, 1)))
    optimizer.zero_grad()
    nn.functional.binary_cross_entropy_with_logits(model(ids), torch.rand(12)).backward()
    optimizer.step()
# proof
assert (model(ids[:1, :3]) - model(nn.functional.pad(ids[:1, :3], (0, 6)))).abs().item() > 0.01
