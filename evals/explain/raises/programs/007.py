# argument: info=["first"]
import torch
from torch.utils.bundled_inputs import bundle_inputs

scripted = torch.jit.script(torch.nn.ReLU())
bundle_inputs(scripted, {scripted.forward: [(torch.ones(1),)]}, info=["first"])
