"""Accelerate done right: accumulate, gather for metrics, resume, save on the main process."""
import argparse
import os

import evaluate
import torch
from accelerate import Accelerator, DataLoaderConfiguration
from accelerate.utils import set_seed
from datasets import load_dataset
from torch.utils.data import DataLoader
from transformers import AutoModelForSequenceClassification, AutoTokenizer, get_cosine_schedule_with_warmup

CHECKPOINT = "bert-base-cased"


def get_loaders(accelerator, batch_size):
    tokenizer = AutoTokenizer.from_pretrained(CHECKPOINT)

    def tokenize(rows):
        return tokenizer(rows["sentence1"], rows["sentence2"], truncation=True, max_length=None)

    with accelerator.main_process_first():
        data = load_dataset("glue", "mrpc").map(tokenize, batched=True, remove_columns=["idx", "sentence1", "sentence2"])
    data = data.rename_column("label", "labels")

    def collate(rows):
        return tokenizer.pad(rows, padding="longest", return_tensors="pt")

    return (
        DataLoader(data["train"], shuffle=True, collate_fn=collate, batch_size=batch_size, drop_last=True),
        DataLoader(data["validation"], shuffle=False, collate_fn=collate, batch_size=32),
    )


def train(args):
    accelerator = Accelerator(
        gradient_accumulation_steps=args.accumulate,
        mixed_precision=args.mixed_precision,
        dataloader_config=DataLoaderConfiguration(use_seedable_sampler=True),
    )
    set_seed(args.seed)
    train_loader, eval_loader = get_loaders(accelerator, args.batch_size)
    metric = evaluate.load("glue", "mrpc")
    model = AutoModelForSequenceClassification.from_pretrained(CHECKPOINT)
    optimizer = torch.optim.AdamW(params=model.parameters(), lr=args.lr)
    scheduler = get_cosine_schedule_with_warmup(optimizer, 100, len(train_loader) * args.epochs // args.accumulate)
    model, optimizer, train_loader, eval_loader, scheduler = accelerator.prepare(
        model, optimizer, train_loader, eval_loader, scheduler
    )
    start = 0
    if args.resume:
        accelerator.load_state(args.resume)
        start = int(os.path.basename(args.resume).split("_")[-1]) + 1
    for epoch in range(start, args.epochs):
        model.train()
        total_loss = 0
        for batch in train_loader:
            with accelerator.accumulate(model):
                loss = model(**batch).loss
                total_loss += loss.detach().float()
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
        model.eval()
        for batch in eval_loader:
            with torch.no_grad():
                outputs = model(**batch)
            predictions, references = accelerator.gather_for_metrics((outputs.logits.argmax(-1), batch["labels"]))
            metric.add_batch(predictions=predictions, references=references)
        accelerator.print(epoch, metric.compute(), total_loss.item() / len(train_loader))
        accelerator.save_state(os.path.join(args.output, f"epoch_{epoch}"))
    accelerator.wait_for_everyone()
    unwrapped = accelerator.unwrap_model(model)
    unwrapped.save_pretrained(args.output, is_main_process=accelerator.is_main_process, save_function=accelerator.save)
    if accelerator.is_main_process:
        torch.save(unwrapped.classifier.state_dict(), os.path.join(args.output, "head.pt"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--accumulate", type=int, default=2)
    parser.add_argument("--mixed_precision", default="fp16")
    parser.add_argument("--batch_size", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=2e-5)
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--resume")
    parser.add_argument("--output", default="out")
    train(parser.parse_args())
