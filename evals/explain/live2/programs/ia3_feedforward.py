from peft import IA3Config, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel

base = GPT2LMHeadModel(GPT2Config(vocab_size=40, n_positions=16, n_embd=16, n_layer=1, n_head=2))
config = IA3Config(
    task_type="CAUSAL_LM",
    target_modules=["c_attn", "c_proj"],
    feedforward_modules=["c_fc"],
)
model = get_peft_model(base, config)
print(model.active_adapter)
