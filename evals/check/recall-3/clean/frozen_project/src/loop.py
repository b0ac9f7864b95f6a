import torch
import torch.nn.functional as F


def run(model, loader, optimizer=None, device="cpu"):
    """One epoch; trains where an optimizer is given."""
    training = optimizer is not None
    model.train(training)
    total = count = 0
    with torch.set_grad_enabled(training):
        for images, labels in loader:
            images, labels = images.to(device), labels.to(device)
            loss = F.cross_entropy(model(images), labels, reduction="sum")
            if training:
                optimizer.zero_grad()
                (loss / len(labels)).backward()
                optimizer.step()
            total += float(loss)
            count += len(labels)
    return total / count


@torch.no_grad()
def predict(model, loader, device="cpu"):
    model.eval()
    return torch.cat([model(x.to(device), probabilities=True).cpu() for x, _ in loader])
