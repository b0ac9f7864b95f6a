# two different weights; one is divided by; the first statement begins anew
import torch


def weighed(error, weights, mask):
    loss = error * weights
    loss = (mask * loss).mean()
    second_loss = error * weights
    second_loss = (second_loss / weights).mean()
    third_loss = error * weights
    third_loss = (error.abs() * weights).mean()
    return loss + second_loss + third_loss


loss = weighed(torch.ones(3), torch.ones(3), torch.ones(3))
