# an adapter is merged into weights that cannot hold the sum as it was
from peft import LoraConfig, get_peft_model
from torch import nn

model = get_peft_model(nn.Sequential(nn.Linear(4, 4)), LoraConfig(target_modules=["0"]))
model.add_adapter("style", LoraConfig(target_modules=["0"]))
model.merge_adapter(["default"])
model.unmerge_adapter()
model.merge_adapter(["style"])
