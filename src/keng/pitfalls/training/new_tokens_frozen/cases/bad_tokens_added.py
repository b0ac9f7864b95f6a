# tokens are added, and the configuration names attention layers only
import torch
from peft import LoraConfig, get_peft_model


def adapted(model, tokenizer, words):
    tokenizer.add_tokens(words)
    model.resize_token_embeddings(len(tokenizer))
    config = LoraConfig(r=8, target_modules=["q_proj", "v_proj"])  # check: `tokenizer.add_tokens` adds tokens
    return get_peft_model(model, config)

# proof
from transformers import LlamaConfig, LlamaForCausalLM


class Words(list):
    def add_tokens(self, words):
        self += words


sizes = dict(hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2)
words = Words(map(str, range(32)))
model = adapted(LlamaForCausalLM(LlamaConfig(vocab_size=32, **sizes)), words, ["<a>", "<b>"])
assert model.get_input_embeddings().weight.shape[0] == 34
assert not any(p.requires_grad for p in model.get_input_embeddings().parameters())
