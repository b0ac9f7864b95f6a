# rows over the whole model
from torch import nn
from torch.nn.utils import prune

pairs = [(nn.Linear(4, 3), "weight")]
prune.global_unstructured(pairs, prune.LnStructured, amount=0.5, n=2, dim=0)  # run: single entries
