# special tokens that mark parts of a text
import torch
from peft import LoraConfig, get_peft_model


def marked(model, tokenizer):
    tokenizer.add_special_tokens({"additional_special_tokens": ["<think>", "</think>"], "pad_token": "[PAD]"})
    model.resize_token_embeddings(len(tokenizer))
    return get_peft_model(model, LoraConfig(r=8, target_modules="all-linear"))  # check: trains neither the embedding

# proof
from transformers import LlamaConfig, LlamaForCausalLM


class Words(list):
    def add_special_tokens(self, added):
        self += [*added["additional_special_tokens"], added["pad_token"]]


sizes = dict(hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2)
model = marked(LlamaForCausalLM(LlamaConfig(vocab_size=32, **sizes)), Words(map(str, range(32))))
assert model.get_input_embeddings().weight.shape[0] == 35
assert not any(p.requires_grad for p in model.get_input_embeddings().parameters())
