# lists of windows
import numpy as np
import torch
from sklearn.model_selection import train_test_split


def cut(series, window):
    xs, ys = [], []
    for i in range(len(series) - window):
        xs.append(series[i : i + window])
        ys.append(series[i + window])
    return np.array(xs), np.array(ys)


x, y = cut(torch.arange(100.0).numpy(), 12)
x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.2)  # check: drawn

# proof
assert all(np.abs(x_train[:, 0] - each[0]).min() < 12 for each in x_test)
