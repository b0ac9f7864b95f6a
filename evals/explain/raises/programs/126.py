# argument: contingency=table
import torch
from torchmetrics.functional.clustering.utils import calculate_pair_cluster_confusion_matrix

labels = torch.tensor([0, 1, 1])
table = torch.ones(2, 2)
matrix = calculate_pair_cluster_confusion_matrix(labels, labels, contingency=table)
