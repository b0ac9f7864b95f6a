# residuals that grow with each call
import torch
from torch import nn


class Up(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x, residuals, extra):
        kept = ()
        for residual, more in zip(residuals, extra):
            residual += more  # check: `residual += ...` changes the tensors of
            kept += (residual,)
        return self.fc(x) + sum(kept)


up, residuals = Up(), [torch.zeros(2, 4), torch.zeros(2, 4)]
for _ in range(2):
    up(torch.ones(2, 4), residuals, [torch.ones(2, 4), torch.ones(2, 4)])

# proof
assert residuals[0].max() == 2
