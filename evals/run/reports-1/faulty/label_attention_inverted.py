"""One query for each label over the words of a text, after InseeFrLab/torchTextClassifiers pull request 92."""

import torch
from digest import show
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

WORDS, LABELS, LENGTH = 80, 5, 24


class LabelAttention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.labels = nn.Parameter(torch.randn(LABELS, width) * 0.2)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)

    def forward(self, x, attention_mask):
        queries = self.labels.expand(len(x), -1, -1)
        padding = (attention_mask == 0)[:, None, :]
        return F.scaled_dot_product_attention(queries, self.key(x), self.value(x), attn_mask=padding)  # any: padding-changes-output or padding-mask-inverted


class Classifier(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.embed = nn.Embedding(WORDS, width, padding_idx=0)
        self.attend = LabelAttention(width)
        self.score = nn.Linear(width, 1)

    def forward(self, ids, attention_mask):
        return self.score(self.attend(self.embed(ids), attention_mask)).squeeze(-1)


torch.manual_seed(0)
lengths = torch.randint(5, LENGTH, (480,))
attention_mask = (torch.arange(LENGTH) < lengths[:, None]).long()
ids = torch.randint(1, WORDS, (480, LENGTH)) * attention_mask
labels = (ids.sum(1) // lengths) % LABELS
loader = DataLoader(TensorDataset(ids, attention_mask, labels), batch_size=24, shuffle=True)
model = Classifier()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(4):
    for x, mask, y in loader:
        loss = F.cross_entropy(model(x, mask), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, f"{loss.item():.4f}")
show(model)
