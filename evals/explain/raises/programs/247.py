# argument: num_outputs=0.5
from torchmetrics import SpearmanCorrCoef

metric = SpearmanCorrCoef(num_outputs=0.5)
