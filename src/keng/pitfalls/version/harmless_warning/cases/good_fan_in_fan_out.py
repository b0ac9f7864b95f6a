# A library of fine-tuning warns of what changes no result
# needs: import peft, transformers
from peft import LoraConfig, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1))
model = get_peft_model(model, LoraConfig(target_modules=["c_attn"], fan_in_fan_out=True))
