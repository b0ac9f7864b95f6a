import torch


def train_one_epoch(model, criterion, optimizer, loader, device, scheduler=None):
    model.train()
    total = count = 0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
        total += loss.item() * x.size(0)
        count += x.size(0)
    return total / count


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    hits = count = 0
    for x, y in loader:
        hits += (model(x.to(device)).argmax(1) == y.to(device)).sum()
        count += y.size(0)
    return hits.item() / count
