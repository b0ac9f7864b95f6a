# lists
from torch.utils.data import DataLoader

boxes = [[0, 0, 4, 4], [0, 0, 4, 4, 1, 1, 5, 5]]
batch = next(iter(DataLoader(boxes, batch_size=2)))  # run: one box and two
