import torch
from torch import nn

IMAGE_WIDTH = 64
TEXT_WIDTH = 48


class Fusion(nn.Module):
    def __init__(self, width, heads=4):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.norm = nn.LayerNorm(width)

    def forward(self, query, memory):
        mixed, _ = self.attention(query, memory, memory)
        return self.norm(query + mixed)


text = torch.randn(2, 7, TEXT_WIDTH)
image = torch.randn(2, 49, IMAGE_WIDTH)
fusion = Fusion(IMAGE_WIDTH)
print(fusion(text, image).shape)
