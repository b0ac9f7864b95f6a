# where warnings are errors
import warnings

import torch
import torch.nn.functional as F

warnings.simplefilter("error")
prediction, target = torch.zeros(4, 1), torch.zeros(4)
loss = F.l1_loss(prediction, target)  # run: (4, 1) and (4,)
