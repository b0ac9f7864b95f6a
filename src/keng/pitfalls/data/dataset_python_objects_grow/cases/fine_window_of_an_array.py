# places are kept, and each window is cut out of one array
import torch
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    def __init__(self, values, past):
        self.values, self.past, self.starts, self.names = torch.tensor(values), past, [], []
        for start in range(len(values) - past):
            self.starts.append(start)
        for name in ("a", "b"):
            self.names.append(list(name[:1]))

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, index):
        start = self.starts[index]
        return self.values[start : start + self.past]


if __name__ == "__main__":
    loader = DataLoader(Windows([0.5 * n for n in range(100)], 10), batch_size=4, num_workers=2)
    print(sum(len(batch) for batch in loader))
