# a value made from another; both of one set on purpose, as the second is read; a result next to a setting; a plain sequence; a score of both orders
import torch
from torch.utils.data import DataLoader, TensorDataset


def parts(x):
    wing_chord, wing_span = x[0], x[1]
    wing_normal = torch.linalg.cross(wing_chord, wing_span)
    return wing_chord, wing_span


def loaders(x):
    train_set = TensorDataset(x)
    test_set = TensorDataset(x[:2])
    train_loader = DataLoader(train_set, batch_size=2, shuffle=True)
    test_loader = DataLoader(train_set, batch_size=2)
    return train_loader, test_loader, len(test_set)


def trained(phase_config, data_splits):
    phase_results = []
    all_phase_results = dict(phase_config, data=data_splits)
    return all_phase_results, dict(phase_config)


def steps(x1, x2):
    y1 = x1 * 2
    y2 = y1 + x1
    return y2


def transposed(rows, columns):
    return torch.zeros(rows, columns)


def scored(query, gallery):
    return (query @ gallery.T).mean() - gallery.std()


def symmetric(query, gallery):
    return (scored(query, gallery) + scored(gallery, query)) / 2


print(symmetric(torch.eye(2), torch.eye(2)))
print(parts(torch.eye(3)), len(loaders(torch.ones(4, 2))[1]), trained({"a": 1}, 2))
print(steps(1, 2), transposed(2, 3).shape)
