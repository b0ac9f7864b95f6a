# half of the features
import torch
from torch import nn

fc = nn.Linear(8, 2)
features = torch.randn(2, 2, 4).view(4, 4)
scores = fc(features)  # run: `fc takes 8 features but gets 4. Set in_features=4`
