"""Use a trained model: evaluation mode, no graph, work on the device, one transfer each way.

Bytes travel to the device as they are, a quarter of floats; scaling before and ranking after the model
run there, and only the answers come back.

Needs keng and scikit-learn.

Avoids: eval-mode-missing, validation-records-gradients, host-sync-in-loop, image-scale-unexpected
"""

import torch
from sklearn.datasets import load_digits
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset

from keng.toolbox import prefetch

BATCH = 256
STEPS = 80


class Classifier(nn.Module):
    """From pixels of 0 to 255 to the best class and its probability: what belongs to the model is in
    the model, so that training and use cannot differ in it."""

    def __init__(self, net: nn.Module, mean: float, std: float) -> None:
        super().__init__()
        self.net = net
        self.register_buffer("mean", torch.tensor(mean))
        self.register_buffer("std", torch.tensor(std))

    def logits(self, pixels: Tensor) -> Tensor:
        return self.net((pixels.float() - self.mean) / self.std)

    def forward(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        probability, best = self.logits(pixels).softmax(dim=1).max(dim=1)
        return best, probability


def trained(pixels: Tensor, labels: Tensor) -> Classifier:
    net = nn.Sequential(nn.Flatten(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
    values = pixels.float()
    model = Classifier(net, values.mean().item(), values.std().item())
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    criterion = nn.CrossEntropyLoss()
    for _ in range(STEPS):
        optimizer.zero_grad()
        criterion(model.logits(pixels), labels).backward()
        optimizer.step()
    return model


@torch.inference_mode()
def predict(model: Classifier, loader: DataLoader, device: torch.device) -> Tensor:
    model.eval()
    answers = [model(pixels)[0] for (pixels,) in prefetch(loader, device)]
    return torch.cat(answers).cpu()  # the one wait


def main() -> None:
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    digits = load_digits()
    pixels = torch.tensor(digits.images * 15).to(torch.uint8).unsqueeze(1)
    labels = torch.tensor(digits.target)
    model = trained(pixels, labels).to(device)
    loader = DataLoader(TensorDataset(pixels), BATCH, pin_memory=device.type == "cuda")
    answers = predict(model, loader, device)
    print(f"{(answers == labels).float().mean():.1%} of {len(labels)} digits are named rightly")


if __name__ == "__main__":
    main()
