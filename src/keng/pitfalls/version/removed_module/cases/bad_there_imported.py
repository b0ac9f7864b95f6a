# there, and not imported
import torch

prune = torch.nn.utils.prune  # run: `import torch.nn.utils.prune`
