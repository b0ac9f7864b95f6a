# A metric of images or boxes gets them in another form than it takes
import torch
from torchmetrics.functional.image import structural_similarity_index_measure

score = structural_similarity_index_measure(torch.rand(3, 32, 32), torch.rand(3, 32, 32))
