# the channels among the sizes
import torch
import torch.nn.functional as F

images = torch.zeros(1, 3, 8, 8)
small = F.interpolate(images, size=(3, 4, 4))  # run: channels are not resized
