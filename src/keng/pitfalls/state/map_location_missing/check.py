"""Source code: a checkpoint is loaded onto the device that it was saved from."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code

MAY_LACK_A_GPU = (
    "torch.cuda.is_available",
    "torch.accelerator.is_available",
    "torch.distributed.init_process_group",
)


@finds(fixes=True)
def device_of_the_file(code: Code) -> Hits:
    some = any(True for _ in code.calls_to(*MAY_LACK_A_GPU))
    for call in code.calls_to("torch.load"):
        if code.argument(call, "map_location", position=1) or not code.loaded_state(call):
            continue
        ranks = code.runs_on_ranks(call)
        if not ranks and (not some or code.just_saved(call)):
            continue
        if code.mapped_elsewhere(call) or code.file_made_by(call, 0, "io.BytesIO"):
            continue
        fix = code.add_argument(call, 'map_location="cpu"', "Read the file to the CPU")
        yield code.hit(call, "loads to the device that the file was saved from", fix=fix)
