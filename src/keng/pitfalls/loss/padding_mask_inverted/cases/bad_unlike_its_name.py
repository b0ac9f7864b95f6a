# one of two masks of a kind, and one that is named for tokens, are True for padding
import torch

PAD = 0
NEVER = -100


def batch(sources, targets):
    src_mask = sources != PAD
    tgt_mask = targets == PAD  # check: `src_mask` next to it is True for tokens
    return sources, src_mask, targets, tgt_mask


def accuracy(predicted, labels, pad):
    mask_non_pad = labels == pad  # check: its name says that it is True for everything else
    return (predicted[mask_non_pad] == labels[mask_non_pad]).float().mean()


ids = torch.tensor([[5, 6, PAD]])
_, first, _, second = batch(ids, ids)
score = accuracy(ids, ids.roll(1, 1), PAD)
# proof
assert first.sum() == 2 and second.sum() == 1
assert score == 0 and accuracy(ids, ids, PAD) == 1
