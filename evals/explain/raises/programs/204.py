# argument: image
import torch
from torch.ao.nn.quantized import functional as qf

image = torch.quantize_per_tensor(torch.rand(1, 3, 8, 8), 0.1, 0, torch.qint8)
kernel = torch.quantize_per_tensor(torch.rand(4, 3, 3, 3), 0.1, 0, torch.qint8)
out = qf.conv2d(image, kernel, torch.zeros(4))
