# argument: kernel
import torch
from peft.tuners.boft.layer import MultiplicativeDropoutLayer

drop = MultiplicativeDropoutLayer(p=0.5).train()
kernel = torch.randn(4, 3, 5)
out = drop(kernel)
