# more than there are
from torch import nn
from torch.nn.utils import prune

layer = nn.Linear(4, 3)
prune.l1_unstructured(layer, "weight", amount=30)  # run: `12 entries`
