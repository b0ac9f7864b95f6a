# argument: task_ids
import torch
from peft import PolyConfig, get_peft_model

net = torch.nn.Sequential(torch.nn.Linear(8, 8))
model = get_peft_model(net, PolyConfig(target_modules=["0"], r=2, n_tasks=2))
out = model(torch.ones(1, 8))
