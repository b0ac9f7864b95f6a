# an image that was not flattened
import torch
from torch import nn

fc = nn.Linear(28 * 28, 10)
images = torch.randn(4, 28, 28)
scores = fc(images)  # run: `fc takes 784 features but gets 28. Flatten the input first`
