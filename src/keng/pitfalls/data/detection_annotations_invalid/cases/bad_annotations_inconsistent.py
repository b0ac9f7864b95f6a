# the annotations of a detection data set contradict each other, or lack a part
# needs: an annotation file and pycocotools
from pycocotools.coco import COCO

truth = COCO("instances_val.json")
found = truth.loadRes([{"image_id": "0001", "category_id": 1, "bbox": [0, 0, 9, 9], "score": 1.0}])
