"""Save the whole state of a run, so that a crash costs one epoch and nothing more.

Weights, optimizer, schedule, random numbers and the order of the samples, written aside and renamed by
a thread, the last two kept. The program resumes from what it saved and shows that it ends with the same
bits as the run that was never interrupted.

Needs keng and scikit-learn.

Avoids: resume-incomplete, checkpoint-damaged, whole-model-pickled, map-location-missing
"""

from tempfile import TemporaryDirectory

import torch
from sklearn.datasets import load_digits
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset

from keng.toolbox import Checkpointer, seed

EPOCHS = 4


def run(folder: str, until: int) -> dict[str, Tensor]:
    """Trains from the last checkpoint in the folder, or from the beginning."""
    order = seed(0)
    digits = load_digits()
    images = torch.tensor(digits.data, dtype=torch.float32) / 16
    dataset = TensorDataset(images, torch.tensor(digits.target))
    loader = DataLoader(dataset, batch_size=64, shuffle=True, generator=order)
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Dropout(0.5), nn.Linear(64, 10))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 2)
    criterion = nn.CrossEntropyLoss()
    checkpoints = Checkpointer(
        folder,
        keep=2,
        background=True,
        model=model,
        optimizer=optimizer,
        schedule=schedule,
        order=order,
    )

    begin = checkpoints.resume()  # when everything is made
    for epoch in range(begin, until):
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
        schedule.step()
        print(f"epoch {epoch + 1}: loss of the last batch {loss.item():.4f}")
        checkpoints.save(epoch + 1)
    checkpoints.wait()
    return model.state_dict()


def main() -> None:
    with TemporaryDirectory() as whole, TemporaryDirectory() as broken:
        wanted = run(whole, EPOCHS)
        run(broken, EPOCHS // 2)  # and here the power fails
        got = run(broken, EPOCHS)
    same = all(torch.equal(got[name], wanted[name]) for name in wanted)
    print("the same to the last bit:", same)


if __name__ == "__main__":
    main()
