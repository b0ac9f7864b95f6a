# argument: (0, 0, 0, 0)
import numpy as np
from transformers.models.deepseek_ocr2.image_processing_pil_deepseek_ocr2 import (
    DeepseekOcr2ImageProcessorPil,
)

processor = DeepseekOcr2ImageProcessorPil()
image = np.zeros((3, 10, 20), dtype=np.uint8)
square = processor.pad_to_square(image, background_color=(0, 0, 0, 0))
