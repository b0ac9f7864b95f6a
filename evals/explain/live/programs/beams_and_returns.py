import torch
from transformers import GPT2Config, GPT2LMHeadModel

decoding = dict(
    max_new_tokens=8,
    num_beams=3,
    num_return_sequences=5,
    do_sample=False,
    pad_token_id=0,
)
model = GPT2LMHeadModel(GPT2Config(vocab_size=150, n_positions=64, n_embd=32, n_layer=1, n_head=4)).eval()
prompt = torch.randint(1, 150, (1, 10))
with torch.no_grad():
    texts = model.generate(prompt, attention_mask=torch.ones_like(prompt), **decoding)
print(texts)
