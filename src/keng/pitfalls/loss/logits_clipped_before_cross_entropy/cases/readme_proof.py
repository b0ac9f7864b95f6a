assert loss > 0.69 and torch.sigmoid(model(x)).min() >= 0.5
