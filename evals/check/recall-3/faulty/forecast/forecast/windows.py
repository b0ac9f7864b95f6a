import numpy as np
import pandas as pd
import torch
from torch.utils.data import Dataset


class Windows(Dataset):
    """Sliding windows over several series."""

    def __init__(self, csv, past=96, ahead=1):
        frame = pd.read_csv(csv, parse_dates=["time"])
        self.items = []
        for _, series in frame.groupby("station"):
            values = series["load"].to_numpy(np.float32)
            for start in range(len(values) - past - ahead):
                self.items.append({"x": list(values[start : start + past]), "y": values[start + past]})  # check: dataset-python-objects-grow

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        item = self.items[index]
        return torch.tensor(item["x"]).unsqueeze(-1), torch.tensor(item["y"])
