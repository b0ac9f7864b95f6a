"""Compiles the index of all pitfalls into the wheel, so that the first `keng explain` is as fast as the hundredth."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledIndex(BuildHookInterface):  # type: ignore[misc]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # a checkout compiles into the cache, again after each change
            return
        sys.path.insert(0, str(Path(self.root, "src")))
        from keng._util.cache import compiled_own, compiled_path
        from keng.explain.matching import index as messages
        from keng.pitfalls import index as pitfalls
        from keng.pitfalls import search

        files = {f"keng/pitfalls/{pitfalls.SHIPPED}": pitfalls.whole()}
        files[f"keng/pitfalls/{search.SHIPPED}"] = search.whole()
        for what in messages.MAKERS:
            files[f"keng/explain/matching/{messages.SHIPPED.format(what)}"] = messages.whole(what)
        source = Path(self.root, "src")
        for file in source.joinpath("keng").rglob("*.toml"):
            if "pitfalls" not in file.parts:
                place = Path(compiled_path(str(file))).relative_to(source)
                files[place.as_posix()] = compiled_own(str(file))
        folder = Path(mkdtemp(prefix="keng-index-"))
        for n, (place, data) in enumerate(files.items()):
            (folder / str(n)).write_bytes(data)
            build_data["force_include"][str(folder / str(n))] = place
