# a mask that is filled up with ones where the tokens get padding
import torch


def batch_of(token_lists, pad):
    longest = max(len(ids) for ids in token_lists)
    ids, masks = [], []
    for tokens in token_lists:
        mask = [1] * len(tokens)
        rest = longest - len(tokens)
        ids.append(tokens + [pad] * rest)
        masks.append(mask + [1] * rest)  # check: `[1] * rest`
    return torch.tensor(ids), torch.tensor(masks)


ids, masks = batch_of([[101, 7, 102], [101, 7, 8, 9, 102]], 0)

# proof
assert masks[0, 3:].all()
assert not ids[0, 3:].any()
