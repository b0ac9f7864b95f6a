# A layer of GPT-2, which keeps its weight the other way round
# needs: import peft, transformers
import warnings

from peft import LoraConfig, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel

warnings.simplefilter("error")
model = GPT2LMHeadModel(GPT2Config(n_layer=1))
model = get_peft_model(model, LoraConfig(target_modules=["c_attn"]))  # run: `fan_in_fan_out`
