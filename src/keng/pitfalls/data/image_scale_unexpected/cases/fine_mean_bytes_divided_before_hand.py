# a mean for bytes; divided before, by hand or later; float images; no floats at all
import torch
from torchvision.transforms import v2

mean, std = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
bytes_ = v2.Compose(
    [
        v2.PILToTensor(),
        v2.ToDtype(torch.float32),
        v2.Normalize([123.7, 116.3, 103.5], [58.4, 57.1, 57.4]),
    ]
)
divided = v2.Compose(
    [
        v2.ToImage(),
        v2.ConvertImageDtype(torch.float32),
        v2.ToDtype(torch.float32),
        v2.Normalize([0.5, 0.5, 0.5], [0.5, 0.5, 0.5]),
    ]
)
by_hand = [
    v2.ToImage(),
    v2.ToDtype(torch.float32),
    lambda x: x / 255,
    v2.Normalize([0.5, 0.5, 0.5], [0.5, 0.5, 0.5]),
]
floats = [
    v2.ToDtype(torch.float32),
    v2.Normalize([0.5, 0.5, 0.5], [0.5, 0.5, 0.5]),
]
after = [
    v2.ToImage(),
    v2.ToDtype(torch.uint8),
    v2.ToDtype(torch.float32, scale=True),
    v2.Normalize([0.5, 0.5, 0.5], [0.5, 0.5, 0.5]),
]
whole = [v2.ToImage(), v2.ToDtype(torch.uint8), v2.Normalize([0.5], [0.5])]
