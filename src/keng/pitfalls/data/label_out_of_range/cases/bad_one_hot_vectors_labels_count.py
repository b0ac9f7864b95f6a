# one-hot vectors of labels that count from 1
import torch

labels = torch.tensor([1, 2, 3])
target = torch.nn.functional.one_hot(labels, 3)  # run: `does not accept labels. One is too large`
