# only the names are exchanged: OpenCV is given (columns, rows)
import cv2
import numpy as np


def rotate(img, angle):
    w, h = img.shape[:2]
    matrix = cv2.getRotationMatrix2D((h / 2, w / 2), angle, 1)
    return cv2.warpAffine(img, matrix, (h, w))


print(rotate(np.zeros((4, 6, 3), np.uint8), 10).shape)
