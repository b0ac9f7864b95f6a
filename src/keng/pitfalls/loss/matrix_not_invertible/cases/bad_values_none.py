# values that are none
import torch

covariance = torch.full((2, 2), float("nan"))
values, vectors = torch.linalg.eig(covariance)  # run: `NaN`
