# argument: init_lora_weights="pissa_four"
import torch
from peft import LoraConfig, get_peft_model

net = torch.nn.Sequential(torch.nn.Linear(8, 8))
config = LoraConfig(r=2, target_modules=["0"], init_lora_weights="pissa_four")
model = get_peft_model(net, config)
