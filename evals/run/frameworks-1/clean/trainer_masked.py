"""Masked language modelling."""

import tiny
import torch
from datasets import Dataset
from transformers import BertConfig, BertForMaskedLM, DataCollatorForLanguageModeling, Trainer, TrainingArguments

torch.manual_seed(0)
tokenizer = tiny.tokenizer()
data = Dataset.from_dict({"text": tiny.sentences()})
data = data.map(lambda row: tokenizer(f"<s> {row['text']} </s>", return_token_type_ids=False), remove_columns=["text"])

model = BertForMaskedLM(BertConfig(vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64))
tiny.train(Trainer(
    model=model,
    args=TrainingArguments(**tiny.arguments(lr_scheduler_type="cosine", warmup_steps=3)),
    train_dataset=data,
    data_collator=DataCollatorForLanguageModeling(tokenizer, mlm_probability=0.3),
))
