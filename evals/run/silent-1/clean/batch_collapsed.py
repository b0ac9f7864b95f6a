"""The processor makes one image of a batch of eight, which broadcasting hides."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)
samples = [(torch.rand(12), torch.randint(20, (6,)), torch.randint(4, ())) for _ in range(128)]


def process(batch):
    images, words, labels = zip(*batch)
    pixels = torch.stack(images)
    inputs = {"pixels": pixels, "words": torch.stack(words)}
    return inputs, torch.stack(labels)


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.see, self.read, self.head = nn.Linear(12, 16), nn.Embedding(20, 16), nn.Linear(16, 4)

    def forward(self, pixels, words, scale=1.0):
        return self.head(self.see(pixels) * scale + self.read(words).mean(1))


loader = DataLoader(samples, batch_size=8, shuffle=True, collate_fn=process)
model = Both()
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(2):
    for inputs, labels in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(**inputs), labels).backward()
        optimizer.step()
