# statistics of the training rows; of other data; of each row; a plain difference
import torch

torch.manual_seed(0)
rows, others = torch.randn(80, 3), torch.randn(80, 3)
cut = 60
train_raw, test_raw = rows[:cut], rows[cut:]
mean = train_raw.mean(0)
std = train_raw.std(0)
train, test = (train_raw - mean) / std, (test_raw - mean) / std
centre = others.mean(0)
spread = others.std(0)
moved = (test_raw - centre) / spread
each = rows.mean(1)[cut:, None]
by_row = (test_raw - each) / test_raw.std(1, keepdim=True)
shifted = test_raw - rows.mean(0)
