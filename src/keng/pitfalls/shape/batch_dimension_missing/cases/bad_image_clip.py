# an image for CLIP
import torch
from torch import nn


class CLIP(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 768, 32, 32, bias=False)
        self.mark = nn.Parameter(torch.zeros(768))

    def encode_image(self, image):
        x = self.conv1(image)
        x = x.reshape(x.shape[0], x.shape[1], -1).permute(0, 2, 1)
        mark = self.mark + torch.zeros(x.shape[0], 1, x.shape[-1])  # run: `unsqueeze(0)`
        return torch.cat([mark, x], dim=1)


model = CLIP()
features = model.encode_image(torch.ones(3, 224, 224))
