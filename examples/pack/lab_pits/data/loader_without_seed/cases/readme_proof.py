repeats = any(
    sorted(torch.cat([b for n in range(2) for b in make_loader(dataset, n, 2)]).tolist()) != dataset
    for _ in range(20)
)
assert repeats
