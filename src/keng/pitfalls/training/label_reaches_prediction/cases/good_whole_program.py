# the good program of the page with its training
import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 3)

    def forward(self, x, labels):
        logits = self.fc(x)
        return nn.functional.cross_entropy(logits, labels), logits


torch.manual_seed(0)
model = Classifier()
optimizer = torch.optim.AdamW(model.parameters())
for _ in range(10):
    optimizer.zero_grad()
    loss, _ = model(torch.randn(12, 6), torch.randint(3, (12,)))
    loss.backward()
    optimizer.step()
