# sigmoid
import torch
import torch.nn.functional as F

x = torch.tensor([-200.0, 3.0])
log_p = torch.sigmoid(x).log()  # check: the sigmoid of -200 is 0

# proof
assert log_p.isinf().any()
