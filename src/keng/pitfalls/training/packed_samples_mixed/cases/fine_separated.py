# a mask that is block-diagonal, boolean and added; one text in each row; zeros at the end as padding; an encoder that reads all
# needs: nothing
import torch
from torch import nn
from torch.nn import functional as F


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.places = nn.Embedding(32, 16), nn.Embedding(16, 16)
        self.inner, self.head = nn.Linear(16, 48), nn.Linear(16, 32)

    def forward(self, ids, positions, mask=None, causal=False):
        x = self.embed(ids) + self.places(positions)
        q, k, v = self.inner(x).view(*x.shape[:2], 4, 12).transpose(1, 2).chunk(3, dim=-1)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=causal)
        return self.head(y.transpose(1, 2).flatten(2))


torch.manual_seed(0)
model = Model()
optimizer = torch.optim.Adam(model.parameters())
packed = torch.tensor([[0, 1, 2, 3, 0, 1, 2, 0, 1, 2], [0, 1, 0, 1, 2, 3, 4, 5, 6, 7]])
one = torch.arange(10).expand(2, 10)
padded = torch.tensor([[0, 1, 2, 3, 4, 5, 6, 0, 0, 0], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]])
text = (packed == 0).cumsum(1)
seen = (text[:, :, None] == text[:, None, :]) & torch.ones(10, 10, dtype=torch.bool).tril()
added = torch.zeros(2, 1, 10, 10).masked_fill(~seen[:, None], torch.finfo(torch.float32).min)
for given in [
    {"positions": packed, "mask": seen[:, None]},
    {"positions": packed, "mask": added},
    {"positions": one, "causal": True},
    {"positions": padded, "causal": True},
    {"positions": packed},
]:
    for step in range(3):
        ids = torch.randint(32, (2, 10))
        loss = F.cross_entropy(model(ids, **given)[:, :-1].flatten(0, 1), ids[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
