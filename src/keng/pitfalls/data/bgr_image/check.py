"""Source code: an image that OpenCV has read is treated as RGB."""

from __future__ import annotations

from keng.model import Fix, Hits, say
from keng.pitfalls.data._shared import for_rgb, normalized, read_as_bgr
from keng.rules import finds
from keng.source import Code

TAKING_RGB = ("PIL.Image.fromarray", "torchvision.transforms.functional.to_pil_image")


@finds(fixes=True, mentions=TAKING_RGB)
def blue_taken_for_red(code: Code) -> Hits:
    for call in code.calls.calls_to(*TAKING_RGB):
        given = call.args[0] if call.args else None
        if given is None or not read_as_bgr(code, given):
            continue
        text, cv2 = code.text_of(given), code.edits.qualified_name("cv2", call)
        fix = None
        if cv2 is not None:
            turned = f"{cv2}.cvtColor({text}, {cv2}.COLOR_BGR2RGB)"
            fix = Fix(say("put-channels-order"), (code.edits.replace(given, turned),))
        yield code.hit(call, say("bgr-opencv-reads-taken", image=text), fix=fix)


@finds(mentions=["Normalize"])
def normalized_as_rgb(code: Code) -> Hits:
    for call, image, normalize, _ in normalized(code):
        if for_rgb(code, normalize) and read_as_bgr(code, image):
            text = code.text_of(image)
            says = say("bgr-opencv-reads-normalized", image=text)
            yield code.hit(call, says)
