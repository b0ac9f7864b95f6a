# between layers; another loss; an activation with negative values; only in some branches; while nothing is dropped
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(16, 4), torch.randint(3, (16,))
body, head, tail = nn.Linear(4, 8), nn.Linear(8, 3), nn.Sequential(nn.Linear(4, 3), nn.ReLU())
F.cross_entropy(head(F.dropout(F.relu(body(x)), training=True)), y).backward()
F.mse_loss(tail(x), torch.rand(16, 3)).backward()
F.nll_loss(F.log_softmax(head(body(x)), dim=1), y).backward()
F.cross_entropy(-F.relu(head(body(x))), y).backward()
scores = head(body(x))
if scores.isnan().any():
    scores = F.relu(scores)
F.cross_entropy(scores, y).backward()
dropping = nn.Sequential(nn.Linear(4, 3), nn.Dropout(0.5)).eval()
with torch.no_grad():
    print(F.cross_entropy(dropping(x), y))
