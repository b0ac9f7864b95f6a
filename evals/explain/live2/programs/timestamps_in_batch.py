import pandas as pd
import torch
from torch.utils.data import DataLoader, Dataset


class Sales(Dataset):
    def __init__(self, table):
        self.days = table["day"]
        self.sold = torch.tensor(table["sold"].to_numpy(), dtype=torch.float32)

    def __len__(self):
        return len(self.sold)

    def __getitem__(self, i):
        return {"day": self.days.iloc[i], "sold": self.sold[i]}


table = pd.DataFrame({"day": pd.date_range("2024-01-01", periods=6), "sold": [3, 5, 2, 8, 1, 4]})
total = 0.0
for batch in DataLoader(Sales(table), batch_size=3, shuffle=True):
    total += batch["sold"].sum().item()
print(total)
