# an adapter is merged into weights that cannot hold the sum as it was
import warnings

from peft import LoraConfig, get_peft_model
from torch import nn

warnings.simplefilter("error")
model = get_peft_model(nn.Sequential(nn.Linear(4, 4)), LoraConfig(target_modules=["0"]))
model.add_adapter("style", LoraConfig(target_modules=["0"]))
model.merge_adapter(["default"])
model.merge_adapter(["style"])  # run: `style`
