# a mirrored image
import torch

image = torch.rand(3, 8, 8)
mirrored = image[..., ::-1]  # check: the last dimension runs backwards
batch = torch.stack([image, mirrored])
