import torch
from transformers import GPT2Config, GPT2LMHeadModel

FORBIDDEN = [5, 17, 23]
config = GPT2Config(
    vocab_size=60, n_positions=32, n_embd=16, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=1
)
model = GPT2LMHeadModel(config).eval()


def complete(prompt, length):
    return model.generate(
        prompt, max_new_tokens=length, do_sample=False, bad_words_ids=FORBIDDEN, pad_token_id=1
    )


print(complete(torch.tensor([[2, 3, 4]]), 6))
