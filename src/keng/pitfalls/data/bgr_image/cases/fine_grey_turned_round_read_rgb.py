# grey; reversed; read as RGB; only sometimes from OpenCV
import cv2
import numpy as np
import torch
from PIL import Image

cv2.imwrite("red.png", np.full((4, 4, 3), (0, 0, 255), dtype=np.uint8))
grey = Image.fromarray(cv2.imread("red.png", cv2.IMREAD_GRAYSCALE))
turned = Image.fromarray(cv2.imread("red.png")[:, :, ::-1])
read = Image.fromarray(cv2.imread("red.png", flags=cv2.IMREAD_COLOR_RGB))
image = cv2.imread("red.png")
if torch.rand(1) < 2:
    image = np.zeros((4, 4, 3), dtype=np.uint8)
mixed = Image.fromarray(image)
