# an alpha channel, met in a worker
import torch
from torch.utils.data import DataLoader

images = [torch.zeros(4, 8, 8), torch.zeros(3, 8, 8)]
loader = DataLoader(images, batch_size=2, num_workers=1)
for batch in loader:  # run: 4 channels and 3 channels
    print(batch.shape)
