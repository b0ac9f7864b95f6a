# argument: r=0
import torch
from peft import VeraConfig
from peft.tuners._buffer_dict import BufferDict
from peft.tuners.vera.layer import Linear

base = torch.nn.Linear(8, 8)
config = VeraConfig(target_modules=["0"])
layer = Linear(base, BufferDict({}), BufferDict({}), "default", config=config, r=0)
