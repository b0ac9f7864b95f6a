# argument: net_type="resnet"
from torchmetrics.image import lpip

lpip._TORCHVISION_AVAILABLE = True
metric = lpip.LearnedPerceptualImagePatchSimilarity(net_type="resnet")
