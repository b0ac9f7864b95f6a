import torch
import torch.nn.functional as F
from transformers import ViTConfig, ViTForImageClassification

SIZE = 200


def preprocess(images):
    images = F.interpolate(images, size=(SIZE, SIZE), mode="bilinear")
    return (images - 0.5) / 0.5


config = ViTConfig(image_size=224, patch_size=16, hidden_size=48, num_hidden_layers=1, num_attention_heads=4, num_labels=4)
model = ViTForImageClassification(config)
print(model(preprocess(torch.rand(2, 3, 256, 300))).logits)
