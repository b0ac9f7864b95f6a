from torch.nn import functional as F


def fit(model, optimizer, batches, epochs):
    for _ in range(epochs):
        model.train()
        for x, y in batches():
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()  # run: parameters-not-optimized
    return loss.item()
