# argument: format="coco"
import numpy as np
from transformers import ConditionalDetrImageProcessor

processor = ConditionalDetrImageProcessor()
processor.prepare_annotation(np.zeros((3, 8, 8)), {"image_id": 1, "annotations": []}, format="coco")
