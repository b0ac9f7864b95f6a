# gathered over the batches
import numpy as np
import torch
from sklearn import metrics
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Linear(4, 1)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.arange(64) % 2), batch_size=16)
y_true, y_pred = [], []
with torch.no_grad():
    for x, y in loader:
        p = torch.sigmoid(model(x)).squeeze(1)
        y_true.extend(y.tolist())
        y_pred.extend((p > 0.5).int().cpu().numpy())
ap = metrics.average_precision_score(y_true, np.array(y_pred))  # check: `np.array(y_pred)`

# proof
assert set(y_pred) <= {0, 1}
