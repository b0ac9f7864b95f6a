# a shape is put together from two: the first dimensions are only split
import torch

specgram = torch.randn(2, 3, 5, 7)
shape = specgram.shape
flat = specgram.view(-1, shape[-2], shape[-1])
scaled = torch.matmul(flat.transpose(1, 2), torch.randn(5, 4)).transpose(1, 2)
print(scaled.view(shape[:-2] + scaled.shape[-2:]).shape)
