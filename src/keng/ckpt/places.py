"""Where files are: on a disk, or at an address that fsspec opens (`s3://`, `hf://`, `https://`)."""

from __future__ import annotations

import os
from collections.abc import Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO


def is_address(path: str) -> bool:
    scheme, found, _ = path.partition("://")
    return bool(found and scheme.replace("+", "").isalnum())


def is_folder(path: str) -> bool:
    if not is_address(path):
        return os.path.isdir(path)
    from keng.ckpt import remote

    return remote.is_folder(path)


def exists(path: str) -> bool:
    if not is_address(path):
        return os.path.exists(path)
    from keng.ckpt import remote

    return remote.exists(path)


def names_in(folder: str) -> list[str]:
    """Sorted. Raises OSError."""
    if not is_address(folder):
        return sorted(os.listdir(folder))
    from keng.ckpt import remote

    return remote.names_in(folder)


def below(folder: str) -> Iterator[tuple[str, list[str]]]:
    """Each folder below one, with the names of its files."""
    if is_address(folder):
        from keng.ckpt import remote

        yield from remote.below(folder)
        return
    for here, folders, names in os.walk(folder):
        folders.sort()
        yield here, names


def open_raw(path: str) -> BinaryIO:
    """Raises OSError."""
    if not is_address(path):
        return open(path, "rb", buffering=0)
    from keng.ckpt import remote

    file: Any = remote.opened(path)
    return file  # type: ignore[no-any-return]
