# images of several sizes
import torch
from torch.utils.data import DataLoader

images = [torch.zeros(3, 8, 8), torch.zeros(3, 8, 6)]
loader = DataLoader(images, batch_size=2)
batch = next(iter(loader))  # run: 8 x 8 and 8 x 6
