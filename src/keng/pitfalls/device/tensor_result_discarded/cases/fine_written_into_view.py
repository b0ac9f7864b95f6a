# a slice or a number gives a view; one index with a mask writes in place
import torch

boxes = torch.zeros(3, 4)
wide = boxes[:, 0] < 1
boxes[:2][..., 2] = 5
boxes[0][1] = 3
boxes[wide, 2] = 4
for row in range(3):
    boxes[row][0] = 1
print(boxes)
