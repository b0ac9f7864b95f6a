# labels as a condition for generation; a margin on the score of the label
import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.kinds, self.fc = nn.Embedding(3, 6), nn.Linear(12, 6)

    def forward(self, noise, labels):
        return self.fc(torch.cat([noise, self.kinds(labels)], dim=1))


class Margin(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 3)

    def forward(self, x, labels):
        logits = self.fc(x) - nn.functional.one_hot(labels, 3) * 0.3
        return nn.functional.cross_entropy(logits, labels), logits


one, two = Generator(), Margin()
optimizers = [torch.optim.AdamW(model.parameters()) for model in (one, two)]
for _ in range(10):
    x, labels = torch.randn(12, 6), torch.randint(3, (12,))
    for optimizer, loss in zip(optimizers, ((one(x, labels) - x).square().mean(), two(x, labels)[0])):
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
