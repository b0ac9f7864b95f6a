# without a word
import torch
import torch.nn.functional as F

image = torch.zeros(3, 8, 8)
small = F.interpolate(image, size=4)  # run: resizes the width alone

# proof
assert small.shape == (3, 8, 4)
