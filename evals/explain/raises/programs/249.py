# argument: normalize="sigmoid"
from torchmetrics.image import MultiScaleStructuralSimilarityIndexMeasure as MultiScaleSSIM

metric = MultiScaleSSIM(normalize="sigmoid")
