"""The machine: mKL is newer than a PyTorch of conda was built for."""

from __future__ import annotations

import re

from keng.env.machine import Machine
from keng.env.packages import numbers
from keng.model import Hits, say
from keng.rules import probes

LACKING = (2024, 1)


MKL = re.compile(r"mkl-(\d[\d.]*)-.*\.json")


PYTORCH = re.compile(r"pytorch-(\d[\d.]*)-py[\d.]+_(?:cpu|cuda).*\.json")


@probes
def functions_dropped(machine: Machine) -> Hits:
    for folder in machine.path:
        prefix, inside, _ = folder.partition("/lib/python")
        home = f"{prefix}/conda-meta"
        names = machine.names(home) if inside else ()
        mkl = next((found for name in names if (found := MKL.fullmatch(name))), None)
        torch = next((found for name in names if (found := PYTORCH.fullmatch(name))), None)
        if mkl is None or torch is None or numbers(mkl[1]) < LACKING:
            continue
        yield machine.hit(
            say("mkl-beside-pytorch-conda", version=mkl[1], torch=torch[1]),
            "conda install mkl==2024.0",
            {f"{home}/{mkl[0]}": mkl[1], f"{home}/{torch[0]}": torch[1]},
        )
