"""An adapter for report classification, saved and loaded again, after unslothai/unsloth pull 3317."""

import tempfile

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from torch.utils.data import DataLoader, TensorDataset
from transformers import BertConfig, BertForPreTraining, BertForSequenceClassification
from transformers.utils import logging

logging.set_verbosity_error()
logging.disable_progress_bar()
torch.manual_seed(71)
VOCAB, LENGTH, CLASSES, MASK = 90, 16, 4, 1


def reports(count):
    labels = torch.randint(CLASSES, (count,))
    words = torch.randint(10, VOCAB, (count, LENGTH))
    topical = torch.rand(count, LENGTH) < 0.5
    return torch.where(topical, 10 + 20 * labels[:, None] + torch.randint(20, (count, LENGTH)), words), labels


def pretrain(folder):
    config = BertConfig(
        vocab_size=VOCAB, hidden_size=48, num_hidden_layers=2, num_attention_heads=4, intermediate_size=96,
        max_position_embeddings=LENGTH, hidden_dropout_prob=0.0,
    )
    model = BertForPreTraining(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    half = LENGTH // 2
    for _ in range(250):
        words, labels = reports(64)
        other, other_labels = reports(64)
        swapped = torch.rand(64) < 0.5
        words = torch.cat([words[:, :half], torch.where(swapped[:, None], other, words)[:, half:]], 1)
        masked = torch.rand(words.shape) < 0.15
        changed = (swapped & (labels != other_labels)).long()
        output = model(input_ids=words.masked_fill(masked, MASK), labels=words.masked_fill(~masked, -100), next_sentence_label=changed)
        optimizer.zero_grad()
        output.loss.backward()
        optimizer.step()
    model.save_pretrained(folder)


def base_model(folder):
    return BertForSequenceClassification.from_pretrained(folder, num_labels=CLASSES)


@torch.no_grad()
def accuracy(model, words, labels):
    model.eval()
    predicted = model(input_ids=words).logits.argmax(-1)
    model.train()
    return (predicted == labels).float().mean().item()


with tempfile.TemporaryDirectory() as root:
    pretrain(f"{root}/base")
    train_x, train_y = reports(512)
    test_x, test_y = reports(512)
    config = LoraConfig(
        r=8,
        lora_alpha=16,
        lora_dropout=0.05,
        target_modules=["query", "key", "value"],  # run: restored-model-differs or trained-weights-not-saved
    )
    model = get_peft_model(base_model(f"{root}/base"), config)
    for name, parameter in model.named_parameters():
        if "classifier" in name and "original_module" not in name:
            parameter.requires_grad = True
    loader = DataLoader(TensorDataset(train_x, train_y), batch_size=32, shuffle=True)
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=5e-3)
    for epoch in range(8):
        total = 0.0
        for words, labels in loader:
            loss = model(input_ids=words, labels=labels).loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        if epoch % 2 == 1:
            print(f"epoch {epoch} loss {total / len(loader):.4f}")
    print(f"test accuracy after training {accuracy(model, test_x, test_y):.4f}")
    model.save_pretrained(f"{root}/adapter")

    restored = PeftModel.from_pretrained(base_model(f"{root}/base"), f"{root}/adapter")
    print(f"test accuracy of the loaded adapter {accuracy(restored, test_x, test_y):.4f}")
    print(f"checksum {sum(p.double().sum() for p in restored.parameters()).item():.6f}")
