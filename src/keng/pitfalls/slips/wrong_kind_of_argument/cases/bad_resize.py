# the width goes where the interpolation is expected
# needs: import torchvision
import torch
from torchvision import transforms


def preprocessing(height, width):
    return transforms.Compose([transforms.Resize(height, width), transforms.ToTensor()])  # check: goes to `interpolation`


steps = preprocessing(32, 2)
x = torch.ones(1)
