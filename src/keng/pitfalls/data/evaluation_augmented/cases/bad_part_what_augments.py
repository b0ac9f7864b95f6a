# a part of what augments
import torch
from torch.utils.data import random_split
from torchvision import datasets
from torchvision.transforms import v2

flips = v2.Compose([v2.RandomHorizontalFlip(), v2.ToImage(), v2.ToDtype(torch.float32, scale=True)])
torch.manual_seed(0)
whole = datasets.FakeData(8, (3, 8, 8), transform=flips)  # check: `RandomHorizontalFlip`
train_set, val_set = random_split(whole, [4, 4])

# proof
passes = [torch.stack([val_set[i][0] for i in range(4)]) for _ in range(2)]
assert not torch.equal(*passes)
