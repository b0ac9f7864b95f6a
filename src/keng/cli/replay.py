"""`keng replay`: a step that broke, run again by itself."""

from __future__ import annotations

import argparse
import os
import pdb
import pickle
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from keng._util.texts import sentence
from keng.cli import run
from keng.cli.commands import refused
from keng.cli.options import Parser
from keng.cli.run_folder import HOME
from keng.cli.run_output import Told
from keng.model import Finding
from keng.report.places import near
from keng.report.screen import Piece

if TYPE_CHECKING:
    from keng.run.plan import Plan
    from keng.run.replay.capsules import Capsule

BAD = (OSError, ValueError, KeyError, TypeError, RuntimeError, EOFError, pickle.UnpicklingError)


def parser() -> Parser:
    parser = Parser("replay", "Run a saved step again, from `keng run --capsule`.")
    parser.add_argument("capsule", metavar="CAPSULE", nargs="?", help="its folder")
    parser.add_argument(
        "--pdb", action="store_true", help="open a debugger where the error is raised or reported"
    )
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    if options.capsule is None:
        raise refused("replay", sentence("which_capsule", newest=_newest()))
    capsule = _read(Path(options.capsule))
    story = capsule.story
    like = ["--steps", "1", "--lang", options.lang, "--color", options.color]
    again = run.parser().parse([*like, *(["-m"] if story["module"] else [])])
    os.chdir(story["folder"])
    told = Replayed(again, capsule, debug=options.pdb)
    told.begin()
    return run.launched(again, story["program"], told)


def _newest() -> str:
    """Which capsule there is, or how one is made."""
    kept = sorted((HOME / "capsules").glob("*/capsule.json"), key=lambda path: path.stat().st_mtime)
    if not kept:
        return sentence("no_capsule_yet")
    return sentence("newest_capsule", folder=kept[-1].parent)


def _read(place: Path) -> Capsule:
    """With torch, but running nothing of what is in it. Raises Usage."""
    from keng.run.replay import capsules

    try:
        capsule = capsules.read(place)
        os.stat(capsule.story["folder"])
    except ImportError:
        raise refused("replay", sentence("no_pytorch")) from None
    except BAD as error:
        if not place.is_dir():
            says = sentence("no_capsule_folder", folder=place, newest=_newest())
            raise refused("replay", says) from None
        what = str(error).splitlines()[0] if str(error) else type(error).__name__
        says = sentence("not_a_capsule", folder=place, error=what)
        raise refused("replay", says) from None
    return capsule


CHANGED_IN_PLACE = "modified by an inplace operation"
"""What autograd says of a value that backward needs: which line made it is known if lines are recorded."""


class Replayed(Told):
    """What is said of a run whose first step is that of a capsule."""

    def __init__(self, options: argparse.Namespace, capsule: Capsule, debug: bool) -> None:
        super().__init__(options, capsule.story["program"])
        self._capsule, self._debug = capsule, debug

    def begin(self) -> None:
        from keng.run.replay import capsules

        story = self._capsule.story
        lines = [self._words("replayed", step=story["step"], why=story["why"])]
        lines += [self._words("changed", file=near(f)) for f in capsules.changed(story)]
        lines += [self._words("not_kept", kind=kind) for kind in story["left_out"]]
        self._screen.show([Piece(line, "dim")] for line in lines)
        if CHANGED_IN_PLACE in story["why"]:
            capsules.record_lines()

    def plan(self) -> Plan:
        return super().plan()._replace(replay=self._capsule.tensors)

    def at_once(self, finding: Finding) -> None:
        super().at_once(finding)
        if self._debug and finding.severity == "error" and finding.hit.sure:
            self._debug = False
            from keng.run.frames import user_frames

            frame = next(user_frames(), None)
            if frame is not None:
                _stand_at(frame)

    def error(self, error: BaseException) -> None:
        super().error(error)
        if self._debug:
            broke = error.__context__ if isinstance(error, SystemExit) else error
            pdb.post_mortem(broke.__traceback__ if broke is not None else None)


def _stand_at(frame: FrameType) -> None:
    """A debugger in the program's own line, which has not ended: keng looks on from inside of it, and
    tracing from here would step through keng."""
    debugger = pdb.Pdb()
    debugger.reset()
    debugger.interaction(frame, None)
