# as a function, and both at once
import warnings

import torch
import torch.nn.functional as F

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    scores, labels = torch.randn(4, 3), torch.tensor([0, 1, 2, 1])
    each = F.cross_entropy(scores, labels, size_average=False, reduce=False)  # check: one for each
    mean = F.cross_entropy(scores, labels, reduction="elementwise_mean")  # check: an older name

# proof
assert len(said) > 1
