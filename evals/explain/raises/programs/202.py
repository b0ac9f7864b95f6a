# argument: 0
import torch
from torch.fx import Interpreter, symbolic_trace

interpreter = Interpreter(symbolic_trace(torch.nn.Sequential(torch.nn.ReLU())))
out = interpreter.call_module(0, (torch.ones(1),), {})
