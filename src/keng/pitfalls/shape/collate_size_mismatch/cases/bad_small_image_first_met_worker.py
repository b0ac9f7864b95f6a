# a small image first, met in a worker
import torch
from torch.utils.data import DataLoader

images = [torch.zeros(3, 6, 8), torch.zeros(3, 8, 8)]
loader = DataLoader(images, batch_size=2, num_workers=1)
for batch in loader:  # run: 6 x 8 and 8 x 8
    print(batch.shape)
