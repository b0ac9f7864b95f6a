"""A Trainer with a loss of its own and accumulated gradients, after huggingface/transformers issue 37766."""

import tempfile

import torch
from digest import show
from torch import nn
from transformers import GPT2Config, GPT2LMHeadModel, PrinterCallback, Trainer, TrainingArguments, logging

logging.set_verbosity_error()


class SmoothedTrainer(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        labels = inputs.pop("labels")
        outputs = model(**inputs)
        logits, targets = outputs.logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten()
        loss = nn.functional.cross_entropy(logits, targets, label_smoothing=0.1)  # any: accumulation-unscaled
        return (loss, outputs) if return_outputs else loss


def collate(rows):
    width = max(len(row["input_ids"]) for row in rows)
    ids = torch.tensor([row["input_ids"] + [0] * (width - len(row["input_ids"])) for row in rows])
    mask = torch.tensor([[1] * len(row["input_ids"]) + [0] * (width - len(row["input_ids"])) for row in rows])
    return {"input_ids": ids, "attention_mask": mask, "labels": ids.masked_fill(mask == 0, -100)}


torch.manual_seed(0)
g = torch.Generator().manual_seed(0)
rows = []
for _ in range(96):
    size, start = int(torch.randint(4, 40, (1,), generator=g)), int(torch.randint(1, 50, (1,), generator=g))
    rows.append({"input_ids": [(start + i) % 49 + 1 for i in range(size)]})
config = GPT2Config(vocab_size=50, n_positions=48, n_embd=32, n_layer=2, n_head=2,
                    attn_pdrop=0.0, embd_pdrop=0.0, resid_pdrop=0.0, bos_token_id=0, eos_token_id=0)
model = GPT2LMHeadModel(config)
with tempfile.TemporaryDirectory() as folder:
    arguments = TrainingArguments(folder, per_device_train_batch_size=4, gradient_accumulation_steps=4, num_train_epochs=3,
                                  learning_rate=2e-3, report_to=[], save_strategy="no", use_cpu=True, disable_tqdm=True,
                                  logging_steps=6, remove_unused_columns=False, dataloader_pin_memory=False)
    trainer = SmoothedTrainer(model=model, args=arguments, train_dataset=rows, data_collator=collate)
    trainer.remove_callback(PrinterCallback)
    result = trainer.train()
print(f"{result.training_loss:.4f}")
show(model)
