# a list among numbers
import torch

rows = [[1, 2], [3, [4]]]
x = torch.LongTensor(rows)  # run: `different lengths or depths`
