# grey, with a channel
import torch
from PIL import Image

image = torch.zeros(8, 8, 1, dtype=torch.uint8)
picture = Image.fromarray(image.numpy())  # run: `squeeze`
