import numpy as np
import torch
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Scans(Dataset):
    def __init__(self, n):
        self.arrays = [np.random.randint(0, 255, (64, 64, 3), dtype=np.uint8) for _ in range(n)]

    def __len__(self):
        return len(self.arrays)

    def __getitem__(self, i):
        image = Image.fromarray(self.arrays[i]).convert("L")
        pixels = torch.from_numpy(np.array(image)).float().div(255)
        return pixels.unsqueeze(0), i % 2


model = nn.Sequential(
    nn.Conv2d(3, 16, 3, padding=1),
    nn.BatchNorm2d(16),
    nn.ReLU(),
    nn.AdaptiveAvgPool2d(1),
    nn.Flatten(),
    nn.Linear(16, 2),
)
for x, y in DataLoader(Scans(12), batch_size=4):
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
