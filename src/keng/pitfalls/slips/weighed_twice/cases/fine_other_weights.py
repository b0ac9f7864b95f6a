# two different weights; one is divided by
import torch


def weighed(error, weights, mask):
    loss = error * weights
    loss = (mask * loss).mean()
    second_loss = error * weights
    second_loss = (second_loss / weights).mean()
    return loss + second_loss


loss = weighed(torch.ones(3), torch.ones(3), torch.ones(3))
