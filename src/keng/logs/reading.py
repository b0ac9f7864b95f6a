"""Reads the logs of trainers and trackers. Formats of a library are read by that library, if it is
installed."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from keng._util.texts import sentence, why
from keng.logs.series import Log, Point, Unreadable, scalars_of

PAIR = re.compile(
    r"([A-Za-z_][\w/.-]*(?: (?:loss|acc|accuracy|rate|norm))?)['\"]?\s*[:=]?\s*"
    r"(-?(?:\d+\.?\d*(?:e[+-]?\d+)?|\.\d+|nan|inf))\b",
    re.IGNORECASE,
)
"""A name and a number: "step 10", "loss: 0.5", "'lr': 1e-3"."""
SHORT = {"it": "iter", "iteration": "iter", "steps": "step", "ep": "epoch"}
HEADER, BLOCK = 7, 32 * 1024
"""Bytes of the head of a .wandb file and of each piece, and of a block."""
LARGEST = 256 * 1024 * 1024
TRAINER, EVENTS, OFFLINE = "trainer_state.json", "events.out.tfevents.*", "*.wandb"


def read_log(path: str) -> Log:
    """Of a file, or of a folder that holds one. Raises Unreadable."""
    place = Path(path)
    try:
        file = _file_in(place) if place.is_dir() else place
        if file.stat().st_size > LARGEST:
            raise Unreadable(sentence("too_large", size=LARGEST // 1024 // 1024))
        scalars = _scalars(file)
    except OSError as error:
        raise Unreadable(why(error)) from None
    if not scalars:
        raise Unreadable(sentence("log_without_numbers"))
    return Log(str(file), scalars)


def _file_in(folder: Path) -> Path:
    """The newest of the best known kind: a trainer's state holds all that the ones before it hold."""
    for pattern in (TRAINER, "metrics.csv", EVENTS, OFFLINE, "*.csv", "*.log", "*.txt"):
        found = [each for each in folder.rglob(pattern) if each.is_file()]
        if found:
            return max(found, key=lambda each: (each.stat().st_mtime_ns, str(each)))
    raise Unreadable(sentence("no_log_in_folder"))


def _scalars(file: Path) -> dict[str, list[Point]]:
    if file.name.endswith(".json"):
        return scalars_of(_of_trainer(file))
    if file.name.endswith((".jsonl", ".ndjson")):
        return scalars_of(_of_lines_of_json(file))
    if file.name.endswith(".csv"):
        return scalars_of(_of_csv(file))
    if file.match(EVENTS):
        return _of_tensorboard(file)
    if file.name.endswith(".wandb"):
        return scalars_of(_of_wandb(file))
    return scalars_of(_of_text(file))


def _of_trainer(file: Path) -> list[dict[str, object]]:
    """trainer_state.json of Transformers: rows of `log_history`."""
    try:
        state = json.loads(file.read_text("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise Unreadable(sentence("not_json", why=str(error))) from None
    rows = state.get("log_history") if isinstance(state, dict) else state
    if not isinstance(rows, list):
        raise Unreadable(sentence("log_without_numbers"))
    return [row for row in rows if isinstance(row, dict)]


def _of_lines_of_json(file: Path) -> Iterator[dict[str, object]]:
    for line in file.read_text("utf-8", "replace").splitlines():
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            yield row


def _of_csv(file: Path) -> list[dict[str, object]]:
    """metrics.csv of Lightning, and others with a line of names."""
    with open(file, newline="", encoding="utf-8", errors="replace") as text:
        try:
            return [dict(row) for row in csv.DictReader(text)]
        except csv.Error as error:
            raise Unreadable(sentence("not_csv", why=str(error))) from None


def _of_tensorboard(file: Path) -> dict[str, list[Point]]:
    _need("tensorboard")
    from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
    from tensorboard.util import tensor_util

    found: dict[str, list[Point]] = {}
    try:
        for event in EventFileLoader(str(file)).Load():
            for value in event.summary.value:
                if value.HasField("tensor") and not value.tensor.tensor_shape.dim:
                    number = float(tensor_util.make_ndarray(value.tensor))
                    found.setdefault(value.tag, []).append(Point(event.step, number))
    except (ValueError, TypeError):  # a text among the scalars
        pass
    except Exception as error:  # of the library, for a damaged file
        raise Unreadable(sentence("log_damaged", error=type(error).__name__)) from None
    return found


def _of_wandb(file: Path) -> Iterator[dict[str, object]]:
    """run-ID.wandb in the folder of a run that was logged offline: frames of LevelDB's log,
    for which wandb has no reader in Python."""
    _need("wandb")
    from wandb.proto import wandb_internal_pb2

    for data in _frames(file.read_bytes()):
        record: Any = wandb_internal_pb2.Record()
        try:
            record.ParseFromString(data)
            if record.WhichOneof("record_type") == "history":
                yield {
                    item.key or "/".join(item.nested_key): json.loads(item.value_json)
                    for item in record.history.item
                }
        except Exception:  # the library's, for a record that was cut off
            return


def _frames(data: bytes) -> Iterator[bytes]:
    """Blocks of 32 KiB hold pieces: checksum, length, kind (1 whole, 2 first, 3 middle, 4 last), bytes."""
    at, held = HEADER, b""
    while at + HEADER <= len(data):
        left = BLOCK - at % BLOCK
        if left < HEADER:
            at += left
            continue
        length, kind = int.from_bytes(data[at + 4 : at + 6], "little"), data[at + 6]
        piece = data[at + HEADER : at + HEADER + length]
        if kind not in (1, 2, 3, 4) or len(piece) < length:
            return
        held = piece if kind in (1, 2) else held + piece
        if kind in (1, 4):
            yield held
        at += HEADER + length


def _need(package: str) -> None:
    if find_spec(package) is None:
        raise Unreadable(sentence("log_needs", package=package))


def _of_text(file: Path) -> Iterator[dict[str, object]]:
    """Lines with names and numbers, one of which is a loss or a metric."""
    text = file.read_text("utf-8", "replace")
    step = 0.0
    for line in text.replace("\r", "\n").splitlines():
        row: dict[str, object] = {}
        for name, value in PAIR.findall(line):
            key = name.lower().strip()
            row[SHORT.get(key, key)] = value
        counted = [key for key in row if key in ("step", "iter", "epoch", "global_step")]
        if counted and len(row) > len(counted):
            yield row
        elif "loss" in row:
            yield {**row, "step": step}
            step += 1
