# A batch of sequences
import torch

chances = torch.ones(2, 5, 9).softmax(-1)
words = torch.multinomial(chances, 1)  # run: `flatten`
