# a matrix that is made in two dimensions is indexed in three
import torch


def marked(states, length):
    mask = torch.zeros([1, states.shape[1]], dtype=torch.long)
    mask[:, :, length:] = 1  # check: `mask` is 2-dimensional and gets 3 indices
    return mask


try:
    marked(torch.ones(2, 5, 4), 3)
    raised = False
except IndexError:
    raised = True

# proof
assert raised
