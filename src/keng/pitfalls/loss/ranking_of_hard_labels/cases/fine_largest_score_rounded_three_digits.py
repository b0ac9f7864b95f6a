# the largest score; rounded to three digits; reversed; classes as the ground truth and for an accuracy; sometimes one, sometimes the other
import torch
from sklearn.metrics import accuracy_score, roc_auc_score
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 2)
x, y = torch.randn(200, 4), torch.arange(200) % 2
with torch.no_grad():
    output = model(x).softmax(1)
confidence, preds = output.max(1)
accuracy = accuracy_score(y, preds)
when_sure = roc_auc_score(preds == y, confidence)
rounded = roc_auc_score(y, output[:, 1].numpy().round(3))
one_side = roc_auc_score(y, torch.where(preds == 1, confidence, 1 - confidence))
teacher = roc_auc_score(y_true=preds, y_score=model(x + 0.1).detach()[:, 1])
scores = preds
if len(scores) > 2:
    scores = output[:, 1]
auc = roc_auc_score(y, scores)
gathered = []
for row, chosen in zip(output, preds, strict=True):
    gathered.append(row[1] if chosen else (row[0] > 0.5))
largest = torch.max(output[:, 1], output[:, 1] / 2)
auc = roc_auc_score(y, gathered), roc_auc_score(y, largest)
