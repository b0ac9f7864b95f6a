# a padding token alone is added
import torch
from peft import LoraConfig, get_peft_model


def padded(model, tokenizer):
    tokenizer.add_special_tokens({"pad_token": "[PAD]"})
    model.resize_token_embeddings(len(tokenizer))
    return get_peft_model(model, LoraConfig(target_modules=["q_proj", "v_proj"]))
