# a flip some lines before
import numpy as np
import torch

image = np.zeros((4, 4, 3), dtype=np.uint8)
image = np.fliplr(image)
image = image.transpose(2, 0, 1)
x = torch.tensor(image)  # check: flipped, and never copied since
