# argument: net
import torch
from peft import initialize_lora_eva_weights

net = torch.nn.Sequential(torch.nn.Linear(4, 4))
initialize_lora_eva_weights(net, dataloader=[torch.ones(2, 4)])
