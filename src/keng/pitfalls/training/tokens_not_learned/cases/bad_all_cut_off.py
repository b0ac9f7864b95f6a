# needs: import transformers
# as in Trainer, with the number of items; prompts fill the maximal length: nothing of the answers is left in every other batch
import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(vocab_size=32, n_embd=16, n_layer=1, n_head=2, eos_token_id=1, bos_token_id=0))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(24):
    ids = torch.randint(2, 32, (4, 10))
    prompt = 10 if step % 2 else 6
    labels = ids.clone()
    labels[:, :prompt] = -100
    optimizer.zero_grad()
    model(input_ids=ids, labels=labels, num_items_in_batch=16).loss.backward()  # run: nothing to learn
    optimizer.step()
