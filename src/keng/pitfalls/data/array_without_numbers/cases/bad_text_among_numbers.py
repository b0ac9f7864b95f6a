# a text among numbers
import torch

labels = [0, "1"]
y = torch.LongTensor(labels)  # run: `a string is among the numbers`
