# a container of numbers
from torch.nn.utils import prune

both = prune.PruningContainer()
both.add_pruning_method(0.3)  # run: `prune.L1Unstructured`
