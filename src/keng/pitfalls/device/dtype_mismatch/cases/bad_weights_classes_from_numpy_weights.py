# weights of the classes from NumPy; `the weights of the classes`
import numpy as np
import torch
import torch.nn.functional as F

scores, labels = torch.randn(4, 3), torch.tensor([0, 2, 1, 2])
weight = torch.from_numpy(np.array([1.0, 4.0, 2.0]))
loss = F.cross_entropy(scores, labels, weight=weight)  # run: they are of float64
