# infinity times a mask is NaN where the mask is 0
import numpy as np
import torch


def chosen(values, threshold):
    mask = (values < threshold).float()
    return values - np.inf * mask  # check: infinity times `mask` is NaN


def scores(values, attention_mask):
    return values + (1.0 - attention_mask) * float("-inf")  # check: is NaN wherever the mask is 0


values = torch.tensor([1.0, 3.0])
attention_mask = torch.tensor([1.0, 0.0])

# proof
assert chosen(values, 2.0).isnan().any() and scores(values, attention_mask).isnan().any()
