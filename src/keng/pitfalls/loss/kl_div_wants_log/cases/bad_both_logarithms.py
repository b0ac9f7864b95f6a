# both are logarithms
import torch
import torch.nn.functional as F

torch.manual_seed(0)
student, teacher = torch.randn(8, 5), torch.randn(8, 5)
p, q = F.log_softmax(student, dim=1), F.log_softmax(teacher, dim=1)
loss = F.kl_div(p, q, reduction="batchmean")  # check: q is to be probabilities, or said to be none

# proof
assert loss.isnan()
