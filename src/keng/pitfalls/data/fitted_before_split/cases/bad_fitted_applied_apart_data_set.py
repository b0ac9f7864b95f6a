# fitted and applied apart; a data set is split
import torch
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from torch.utils.data import TensorDataset, random_split

torch.manual_seed(0)
x, y = torch.randn(80, 200), torch.arange(80) % 2
analysis = LinearDiscriminantAnalysis()
analysis.fit(x, y)  # check: the labels of all
scores = torch.tensor(analysis.transform(x))
data = TensorDataset(scores.float(), y)
train_set, test_set = random_split(data, [60, 20])

# proof
assert sum((score > 0) == label for score, label in test_set) > 14
