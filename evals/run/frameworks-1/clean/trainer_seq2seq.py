"""Reversing a sentence with an encoder and a decoder; generates for evaluation."""

import tiny
import torch
from datasets import Dataset
from transformers import DataCollatorForSeq2Seq, Seq2SeqTrainer, Seq2SeqTrainingArguments, T5Config, T5ForConditionalGeneration

torch.manual_seed(0)
tokenizer = tiny.tokenizer()
texts = tiny.sentences(64)
data = Dataset.from_dict({
    "input_ids": [tokenizer(f"{text} </s>")["input_ids"] for text in texts],
    "labels": [tokenizer(" ".join(reversed(text.split())) + " </s>")["input_ids"] for text in texts],
}).train_test_split(0.25, seed=0)
model = T5ForConditionalGeneration(T5Config(
    vocab_size=len(tokenizer), d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4,
    pad_token_id=0, eos_token_id=6, decoder_start_token_id=0,
))


def metrics(given):
    right = (given.predictions[:, 1:2] == given.label_ids[:, :1]).mean()
    return {"first": float(right)}


tiny.train(Seq2SeqTrainer(
    model=model,
    args=Seq2SeqTrainingArguments(**tiny.arguments(eval_strategy="epoch", predict_with_generate=True,
                                                   generation_max_length=12)),
    train_dataset=data["train"],
    eval_dataset=data["test"],
    data_collator=DataCollatorForSeq2Seq(tokenizer, model=model),
    compute_metrics=metrics,
))
