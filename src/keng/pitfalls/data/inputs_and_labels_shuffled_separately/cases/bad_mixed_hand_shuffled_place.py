# mixed by hand; shuffled in place
import random

import torch

torch.manual_seed(0)
images, labels = torch.randn(8, 3), torch.eye(8)
mixed = 0.7 * images + 0.3 * images[torch.randperm(8)]
labels = 0.7 * labels + 0.3 * labels[torch.randperm(8), :]  # check: another partner
files, targets = [f"{n}.png" for n in range(100)], list(range(100))
random.shuffle(files)
random.shuffle(targets)  # check: another order

# proof
assert [f"{n}.png" for n in targets] != files
