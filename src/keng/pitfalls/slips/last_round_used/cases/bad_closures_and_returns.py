# environments that are all the last one; a function that returns the last of its values
import torch


def environments(n):
    return [lambda: torch.Generator().manual_seed(seed) for seed in range(n)]  # check: `seed` is looked up when the lambda is called


def hashed(values, as_tensor=True):
    hashes = []
    for value in values:
        hash_ = int(value.sum())
        hashes.append(hash_)
    hash_values = []
    for value in hashes:
        hash_value = value * 31
        hash_values.append(hash_value)
    if not as_tensor:
        return hash_value  # check: `hash_value` is that of the last round
    return torch.tensor(hash_values)


seeds = [make().initial_seed() for make in environments(3)]
values = torch.ones(2, 3)

# proof
assert seeds == [2, 2, 2] and hashed(values, as_tensor=False) == 93
