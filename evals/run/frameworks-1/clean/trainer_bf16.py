"""Autocast to bfloat16 over float32 weights, accumulation, gradient checkpointing."""

import tiny
import torch
from datasets import Dataset
from transformers import DataCollatorForLanguageModeling, GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

torch.manual_seed(0)
tokenizer = tiny.tokenizer()
data = Dataset.from_dict({"text": tiny.sentences()})
data = data.map(lambda row: tokenizer(f"<s> {row['text']} </s>", return_token_type_ids=False), remove_columns=["text"])

model = GPT2LMHeadModel(GPT2Config(vocab_size=len(tokenizer), n_embd=32, n_layer=2, n_head=4, n_positions=64,
                                   bos_token_id=5, eos_token_id=6, pad_token_id=0))

tiny.train(Trainer(
    model=model,
    args=TrainingArguments(**tiny.arguments(bf16=True, gradient_accumulation_steps=2, gradient_checkpointing=True,
                                            gradient_checkpointing_kwargs={"use_reentrant": False},
                                            per_device_train_batch_size=4)),
    train_dataset=data,
    data_collator=DataCollatorForLanguageModeling(tokenizer, mlm=False),
))
