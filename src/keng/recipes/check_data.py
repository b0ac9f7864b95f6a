"""Look at the data before training on it: what is broken, mislabelled, constant, or in both splits.

One pass reads every sample. What is surely wrong ends the program, before hours of training are spent on it;
from a shell, `keng data module:train --against module:test` does the same with pictures.

Needs keng and scikit-learn.

Avoids: dirty-data
"""

import sys

import torch
from sklearn.datasets import load_digits
from torch.utils.data import TensorDataset, random_split

from keng.toolbox import check_dataset

CLASSES = 10


def digits() -> TensorDataset:
    images, labels = load_digits(return_X_y=True)
    x = torch.tensor(images, dtype=torch.float32).view(-1, 1, 8, 8) / 16
    return TensorDataset(x, torch.tensor(labels))


def main() -> None:
    train, test = random_split(digits(), [0.8, 0.2], torch.Generator().manual_seed(0))
    report = check_dataset(train, against=test, classes=CLASSES)
    for part in report.parts:
        print(f"{part.name}: {part.shapes}, {part.dtypes}, from {part.minimum} to {part.maximum}")
    for finding in report.findings:
        print(f"{finding.severity}: {finding.says} {finding.indices}")
    if any(finding.sure and finding.severity == "error" for finding in report.findings):
        sys.exit(1)
    print(f"{report.read} samples read, {report.failed} failed")


if __name__ == "__main__":
    main()
