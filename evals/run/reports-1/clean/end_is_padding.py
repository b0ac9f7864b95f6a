"""Instructions with an end token, after huggingface/trl issue 976."""

import tempfile

import torch
from digest import show
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import (DataCollatorForLanguageModeling, GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast, PrinterCallback, Trainer,
                          TrainingArguments, logging)

logging.set_verbosity_error()

def tokenizer():
    words = ["<s>", "</s>", "<unk>", *(f"w{i}" for i in range(40))]
    inner = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(tokenizer_object=inner, bos_token="<s>", eos_token="</s>", unk_token="<unk>")


torch.manual_seed(0)
tokens = tokenizer()
tokens.add_special_tokens({"pad_token": "<pad>"})
g = torch.Generator().manual_seed(0)
rows = []
for _ in range(96):
    size, start = int(torch.randint(3, 12, (1,), generator=g)), int(torch.randint(0, 40, (1,), generator=g))
    text = "<s> " + " ".join(f"w{(start + i) % 40}" for i in range(size)) + " </s>"
    rows.append(tokens(text, return_token_type_ids=False))
model = GPT2LMHeadModel(GPT2Config(vocab_size=64, n_positions=32, n_embd=32, n_layer=2, n_head=2,
                                   bos_token_id=0, eos_token_id=1, pad_token_id=tokens.pad_token_id))
with tempfile.TemporaryDirectory() as folder:
    arguments = TrainingArguments(folder, per_device_train_batch_size=8, num_train_epochs=4, learning_rate=3e-3, report_to=[],
                                  save_strategy="no", use_cpu=True, disable_tqdm=True, logging_steps=24, dataloader_pin_memory=False)
    trainer = Trainer(model=model, args=arguments, train_dataset=rows,
                      data_collator=DataCollatorForLanguageModeling(tokens, mlm=False))
    trainer.remove_callback(PrinterCallback)
    result = trainer.train()
print(f"{result.training_loss:.4f}")
show(model)
