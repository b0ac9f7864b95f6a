with torch.no_grad():
    ids = torch.randint(30, (2, 12))
    changed = ids.clone()
    changed[:, 6] = (changed[:, 6] + 1) % 30
    moved = (model(ids) != model(changed)).any(2).any(0)
assert moved[5]
