# the class numbers of cross-entropy
import torch
import torch.nn.functional as F

chances, labels = torch.full((4, 2), 0.5), torch.tensor([0.0, 1.0, 1.0, 0.0])
loss = F.binary_cross_entropy(chances, labels)  # run: `class indices of 2 classes`
