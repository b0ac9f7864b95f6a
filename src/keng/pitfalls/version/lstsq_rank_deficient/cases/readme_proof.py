assert solution.abs().max() > 1e4
assert torch.linalg.lstsq(A, b).solution.abs().max() < 10
