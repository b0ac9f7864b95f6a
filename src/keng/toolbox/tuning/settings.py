"""What a tuning tells. No torch here: it is shown without it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Bound = Literal["storage", "cpu", "copying", "shared memory"]
"""What the loader waits for: bytes from a disk or network; decoding and augmentation; the copy of
samples into batches, and of batches into pinned memory; the way of batches through shared memory, or
room in /dev/shm for more of them."""


@dataclass(frozen=True)
class Setting:
    """How a loader is made. `sharing` is torch.multiprocessing's strategy, "" where it has no say."""

    num_workers: int = 0
    prefetch_factor: int = 2
    pin_memory: bool = False
    sharing: str = ""

    @property
    def arguments(self) -> dict[str, Any]:
        """For DataLoader."""
        given: dict[str, Any] = {"num_workers": self.num_workers}
        if self.num_workers:
            given |= {"prefetch_factor": self.prefetch_factor, "persistent_workers": True}
        return given | ({"pin_memory": True} if self.pin_memory else {})

    def __str__(self) -> str:
        given = {**self.arguments, "sharing": self.sharing}
        given.pop("persistent_workers", None)
        return ", ".join(f"{name}={value}" for name, value in given.items() if value != "")

    def shared_bytes(self, batch_bytes: int) -> int:
        """Bytes of shared memory at most in use: what waits in the queues (`prefetch_factor` batches
        for each worker), and the batch in the program's hands."""
        return (
            (self.num_workers * self.prefetch_factor + 1) * batch_bytes if self.num_workers else 0
        )


@dataclass(frozen=True)
class Measure:
    """A setting as measured: `samples` came in `seconds`, after the first batch."""

    setting: Setting
    samples: int
    seconds: float

    @property
    def rate(self) -> float:
        """Samples a second."""
        return self.samples / self.seconds


@dataclass(frozen=True)
class Profile:
    """Seconds of one process: waiting in the dataset for what is no processor, computing in it,
    copying samples into batches, putting into shared memory what is not copied there anyway; and
    bytes of a batch of tensors. Time in which another program had the processor is in none of them."""

    waiting: float
    computing: float
    copying: float
    sharing: float
    batch_bytes: int

    @property
    def shares(self) -> dict[Bound, float]:
        """Of the time, by what it went into."""
        whole = self.waiting + self.computing + self.copying + self.sharing or 1.0
        return {
            "storage": self.waiting / whole,
            "cpu": self.computing / whole,
            "copying": self.copying / whole,
            "shared memory": self.sharing / whole,
        }


@dataclass(frozen=True)
class Tuning:
    """`best` of the settings measured with batches of `batch_size` samples, what `bound`s it, the
    bytes of shared memory that it needs. `dominated` settings were not tried, as smaller ones were
    already slower; those `too_big` would not fit in shared memory."""

    best: Measure
    measures: tuple[Measure, ...]
    profile: Profile
    bound: Bound
    shared_bytes: int
    dominated: tuple[Setting, ...] = ()
    too_big: tuple[Setting, ...] = ()
    interrupted: bool = False
    batch_size: int = 1

    @property
    def code(self) -> str:
        """The arguments to copy, and the line that goes before them."""
        given = ", ".join(f"{name}={value}" for name, value in self.best.setting.arguments.items())
        sharing = self.best.setting.sharing
        before = f"torch.multiprocessing.set_sharing_strategy({sharing!r})\n" if sharing else ""
        return f"{before}DataLoader(dataset, batch_size={self.batch_size}, {given})"
