# one-hot vectors of a label that marks what has none
import torch

labels = torch.tensor([0, -1, 2])
target = torch.nn.functional.one_hot(labels, 3)  # run: `does not accept labels. One is below 0`
