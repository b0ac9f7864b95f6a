# the annotations of a detection data set contradict each other, or lack a part
# needs: an annotation file and pycocotools
import json

import torch

data = json.loads(
    '{"annotations": [{"id": 7, "bbox": [0, 0, 9, 9]}, {"id": 7, "bbox": [1, 1, 5, 5]}]}'
)
for number, each in enumerate(data["annotations"], 1):
    each["id"] = number
boxes = torch.tensor([each["bbox"] for each in data["annotations"]])
