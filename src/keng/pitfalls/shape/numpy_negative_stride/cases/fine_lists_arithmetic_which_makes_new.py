# lists; arithmetic, which creates a new array; not reversed; another function
import numpy as np
import torch

row, image = [1, 2, 3], np.zeros((4, 4, 3))
x = torch.tensor(row[::-1])
x = torch.from_numpy(np.flip(image) / 255)
x = torch.from_numpy(np.rot90(image, 4))
x = torch.from_numpy(image[::2, 1:][np.array([1, 0])])
image = np.flip(image).astype("float32")
x = torch.from_numpy(image[::-1][::1].copy())
