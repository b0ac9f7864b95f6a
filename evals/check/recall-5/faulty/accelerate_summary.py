"""Fine-tunes a sequence-to-sequence model with Accelerate."""
import argparse
import os

import evaluate
import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from datasets import load_dataset
from torch.utils.data import DataLoader
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer, DataCollatorForSeq2Seq, get_scheduler


def loaders(tokenizer, args):
    raw = load_dataset("samsum")

    def encode(rows):
        inputs = tokenizer(rows["dialogue"], max_length=512, truncation=True)
        inputs["labels"] = tokenizer(text_target=rows["summary"], max_length=64, truncation=True)["input_ids"]
        return inputs

    tokens = raw.map(encode, batched=True, remove_columns=raw["train"].column_names)
    collate = DataCollatorForSeq2Seq(tokenizer)
    train = DataLoader(tokens["train"], shuffle=True, collate_fn=collate, batch_size=args.batch_size)
    val = DataLoader(tokens["validation"], collate_fn=collate, batch_size=args.batch_size)
    return train, val


def main(args):
    accelerator = Accelerator(mixed_precision="bf16", gradient_accumulation_steps=args.accumulate)
    set_seed(args.seed)
    tokenizer = AutoTokenizer.from_pretrained(args.model)
    model = AutoModelForSeq2SeqLM.from_pretrained(args.model)
    train_loader, val_loader = loaders(tokenizer, args)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scheduler = get_scheduler("linear", optimizer, 100, len(train_loader) * args.epochs)
    model, optimizer, train_loader, val_loader, scheduler = accelerator.prepare(
        model, optimizer, train_loader, val_loader, scheduler
    )
    rouge = evaluate.load("rouge")

    for epoch in range(args.epochs):
        model.train()
        total_loss = 0
        for batch in train_loader:
            with accelerator.accumulate(model):
                outputs = model(**batch)
                loss = outputs.loss
                total_loss += loss  # check: loss-keeps-graph
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()  # check: zero-grad-missing
                scheduler.step()

        model.eval()
        eval_losses = []
        for batch in val_loader:
            outputs = model(**batch)  # check: validation-records-gradients
            eval_losses.append(accelerator.gather_for_metrics(outputs.loss.detach().repeat(args.batch_size)))
            with torch.no_grad():
                generated = model.generate(batch["input_ids"], max_length=64)  # check: wrapped-module-attribute
            generated = accelerator.gather(generated)
            labels = accelerator.gather(batch["labels"])  # check: metrics-over-padding
            rouge.add_batch(
                predictions=tokenizer.batch_decode(generated, skip_special_tokens=True),
                references=tokenizer.batch_decode(labels.clamp_min(0), skip_special_tokens=True),
            )
        if accelerator.is_main_process:
            mean = accelerator.gather(torch.cat(eval_losses)).mean()  # check: collective-on-one-rank
            print(f"epoch {epoch} loss {mean:.4f} {rouge.compute()}")
        torch.save(model.state_dict(), os.path.join(args.out, f"epoch_{epoch}.pt"))  # check: saved-on-every-rank; state-prefix

    model.save_pretrained(args.out)  # check: wrapped-module-attribute


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="google/flan-t5-small")
    parser.add_argument("--batch_size", type=int, default=8)
    parser.add_argument("--accumulate", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=5e-5)
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--out", default="out")
    main(parser.parse_args())
