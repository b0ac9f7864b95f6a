# what belongs to generating
import tempfile

from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(
    GPT2Config(n_layer=1, n_embd=12, vocab_size=9, bos_token_id=0, eos_token_id=0)
)
model.config.max_length = 50
model.save_pretrained(tempfile.mkdtemp())  # run: `max_length`
