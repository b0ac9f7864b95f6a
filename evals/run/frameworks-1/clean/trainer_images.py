"""Images of two kinds with a small ViT."""

import tiny
import torch
from datasets import Dataset
from transformers import Trainer, TrainingArguments, ViTConfig, ViTForImageClassification

torch.manual_seed(0)
tokenizer = tiny.tokenizer()
images = torch.randn(64, 3, 16, 16)
labels = (torch.arange(64) % 2).tolist()
images[1::2] += 0.5
data = [{"pixel_values": image, "labels": label} for image, label in zip(images, labels)]
model = ViTForImageClassification(ViTConfig(image_size=16, patch_size=4, hidden_size=32, num_hidden_layers=2,
                                            num_attention_heads=4, intermediate_size=64, num_labels=2))
tiny.train(Trainer(
    model=model,
    args=TrainingArguments(**tiny.arguments(eval_strategy="epoch", warmup_steps=2)),
    train_dataset=data[:48],
    eval_dataset=data[48:],
))
