# one transform for the folders of both
import os

from torchvision import datasets, transforms


def sets(root):
    transform = transforms.Compose([transforms.RandomResizedCrop(8), transforms.ToTensor()])
    train_set = datasets.ImageFolder(os.path.join(root, "train"), transform)
    val_set = datasets.ImageFolder(os.path.join(root, "val"), transform)  # check: at random
    return train_set, val_set

# proof
import tempfile

import torch
from torchvision.transforms.functional import to_pil_image

torch.manual_seed(0)
with tempfile.TemporaryDirectory() as root:
    for part in ("train", "val"):
        os.makedirs(os.path.join(root, part, "cat"))
        to_pil_image(torch.rand(3, 32, 32)).save(os.path.join(root, part, "cat", "1.png"))
    val_set = sets(root)[1]
    assert not torch.equal(val_set[0][0], val_set[0][0])
