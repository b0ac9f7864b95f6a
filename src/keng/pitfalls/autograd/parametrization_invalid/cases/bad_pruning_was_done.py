# pruning that was not done
from torch import nn
from torch.nn.utils import prune

layer = nn.Linear(4, 3)
prune.remove(layer, "weight")  # run: `pruning`
