# the logarithm follows in the next line, or the name says something else
import torch
from torch.nn import functional as F

scores = torch.randn(4, 3)
log_probs = F.softmax(scores, dim=-1)
log_probs = torch.log(log_probs + 1e-9)
catalog_probs = F.softmax(scores, dim=-1)
print(log_probs.shape, catalog_probs.sum())
end_log_probs = F.softmax(scores, dim=-1)
best, where = torch.topk(end_log_probs, 2)
print(best.shape, where.shape)
