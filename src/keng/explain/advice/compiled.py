"""What a compiler's words tell of why it failed, or compiles again and again."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

WINDOWS = re.compile(r"\b[A-Z]:[\\/]|\b[Ww]in(?:dows|32)\b|^\s*cl /", re.MULTILINE)


def without_triton(failure: Failure) -> str:
    cure = "under Linux torch for CUDA brings it, under Windows pip install triton-windows"
    if failure.tells(WINDOWS):
        cure = "pip install triton-windows, of the release for this PyTorch"
    return (
        f"no working Triton, which torch.compile and some libraries want on a card: {cure}; or do without "
        "them"
    )


STOPPED = {
    r"unsupported option '-fopenmp'|'omp\.h' file not found|library 'omp' not found": (
        "clang has no OpenMP here: brew install libomp, or another compiler by CXX, as g++"
    ),
    r"\bC1083\b|fatal error: [^\n]{1,200}(?:No such file|not found)": (
        "the C++ compiler does not find headers: under Windows start from the x64 Native Tools prompt, else "
        "install it whole, as g++ with libstdc++-dev"
    ),
    r"unrecognized (?:command|option)|unknown argument|unsupported option": (
        "the C++ compiler does not take inductor's options: a newer one, or another by CXX, as g++"
    ),
    r"\bc[a-z0-9]{40,60}\.cpp:\d+:\d+: error": (
        "what inductor wrote is no C++ that compiles, a fault of its own: a newer PyTorch, or "
        "backend='aot_eager'"
    ),
}
"""What a compiler of C++ says -> why it stops."""


def not_compiled(failure: Failure) -> str:
    """One line about a compiler of C++ that stops at what inductor gives it."""
    text = f"{failure.told}\n{failure.message}"
    for said, why in STOPPED.items():
        if re.search(said, text):
            return why
    if failure.tells(WINDOWS):
        return (
            "cl stops, see its lines: most often it was not started from the x64 Native Tools "
            "prompt of Visual Studio, which tells it where its headers are"
        )
    return (
        "the C++ compiler stops, see its lines: too old or not g++ (CXX=g++), headers that are missing, or a "
        "fault of inductor, which backend='aot_eager' goes without"
    )


REASON = re.compile(r"(?:last reason: \d+/\d+: |reasons: {1,4}(?:- )?)(?P<why>[^#\n]{3,200})")
SIZE = re.compile(
    r"tensor '?(?:L\[')?(?P<name>\w+)\S* (?:size|stride) mismatch at index (?P<at>\d+)"
)
LENGTH = re.compile(r"len\((?P<name>[^()]{1,60})\) == \d+")
EQUAL = re.compile(
    r"(?:L\['(?P<name>\w{1,60})'\]|(?P<plain>[A-Za-z_]\w{0,60}))"
    r"(?P<part>(?:\.\w{1,60}|\['?\w{1,60}'?\]){0,4}) == "
)
HIT = re.compile(r"config\.\w{5,40}_limit \((?P<now>\d{1,6})\)")
OTHERS = re.compile(r" mismatch|GLOBAL_STATE|___check|_modules\[|_parameters\[")


def _more(message: str) -> str:
    """The option that allows more kinds of calls, by its name in this version."""
    hit = HIT.search(message)
    wanted = max(64, 4 * int(hit["now"])) if hit else 64
    name = "cache_size_limit" if "cache_size_limit" in message else "recompile_limit"
    return f"torch._dynamo.config.{name} = {wanted}"


def changing(message: str) -> str:
    """What differs in every call of a compiled function, and what to do, by the guard that failed."""
    more, found = _more(message), REASON.search(message)
    why = found["why"].strip() if found else ""
    if "failed on a parameter" in message:
        return f"as parameters of several shapes go through it: {more} where they are few"
    if size := SIZE.search(why):
        name, at = size["name"], size["at"]
        way = f"dynamic=True, or torch._dynamo.mark_dynamic({name}, {at})"
        shared = f"{more} where layers of several sizes share this code"
        return f"as dimension {at} of `{name}` changes: {way}; {shared}"
    if length := LENGTH.search(why):
        return f"as `{length['name']}` has another length each time: one padded tensor in place of a list"
    if equal := EQUAL.match(why):
        name = f"{equal['name'] or equal['plain']}{equal['part']}"
        way = f"a tensor in place of a number, or {more} where objects of several values share this code"
        return f"as `{name}` has another value each time: {way}"
    if OTHERS.search(why):
        return f"as calls of several kinds come ({why}): {more} for few of them"
    return (
        "as something changes: TORCH_LOGS=recompiles names it; dynamic=True for sizes, a tensor for "
        "a number"
    )


CONSTANT = re.compile(
    r"(?:(?:inferred|specialized it) to be a constant \(|0/1 specialized due to hint of )(?P<size>\d+)"
)
FIXES = re.compile(r"Suggested fixes:\s{1,9}(?P<fix>\S{1,60} = (?:Dim\([^()]{1,60}\)|\S{1,60}))")


def not_free(message: str) -> str:
    """Why a dimension that is to vary does not, and what to do about it, by what torch.export found."""
    constant, fixes = CONSTANT.search(message), FIXES.search(message)
    size = constant["size"] if constant else ""
    if size in ("0", "1"):
        return (
            f"is {size} in the example, which export takes for a constant: an example of 2 or more"
        )
    if size:
        return (
            f"is fixed to {size}, the example's size: a number or a branch in the program holds for "
            "it alone; x.shape in its place, or Dim.AUTO where it may stay so"
        )
    if fixes and "must always be equal" in message:
        return f"is as large as another in this program: one Dim for both, `{fixes['fix']}`"
    if fixes:
        return f"is right for some sizes alone, by a branch or a reshape: `{fixes['fix']}`, or Dim.AUTO"
    return (
        "is right for some sizes alone, by the conditions under it, as a branch or a reshape: min= "
        "and max= of its Dim, or Dim.AUTO"
    )


def for_no_form(op: str, since: str) -> str:
    """What to do about an operator that an opset of ONNX lacks."""
    if op.endswith(("_native_multi_head_attention", "_transformer_encoder_layer_fwd")):
        return (
            "torch.backends.mha.set_fastpath_enabled(False) before the export, or a newer PyTorch"
        )
    if op.endswith("scaled_dot_product_attention"):
        return "torch 2.1 or later with opset_version=14 or more, or dynamo=True"
    if since:
        return f"opset_version={since} has it"
    return "a higher opset_version or newer PyTorch, its newer exporter (dynamo=True), or other operators"


def for_no_translation(by_the_newer: bool) -> str:
    """What to do about an operator that an exporter to ONNX does not know."""
    if by_the_newer:
        return "a newer PyTorch and onnxscript, dynamo=False, or other operators"
    return "a newer PyTorch or another opset_version, or other operators"


def opset_not_written(opset: str) -> str:
    cure = "a higher opset_version, 11 or more"
    if int(opset) > 8:
        cure = "a lower opset_version, dynamo=True, or a newer PyTorch"
    return f"this exporter does not write opset {opset}: {cure}"


SCRIPTED_WRAPPER = (
    "what is scripted is DataParallel or another wrapper, whose forward takes anything: "
    "torch.jit.script(model.module)"
)
RETURNED = re.compile(
    r"annotated as having type (?P<said>\S{1,80}) but is actually of type (?P<came>[^\s:]{1,80})"
)


def of_two_types(message: str) -> str:
    """One line about a name or a result that TorchScript finds to be of two types."""
    returned = RETURNED.search(message)
    if returned is not None and returned["came"].startswith("Optional["):
        return "what is returned may be None: `assert x is not None` before it, or -> Optional[...]"
    if returned is not None:
        return (
            f"a {returned['came']} is returned, and -> {returned['said']} is written: one of them"
        )
    if "NoneType" in message:
        return (
            "a name is None at first and another thing later: `x: Optional[Tensor] = None` where it "
            "is set first"
        )
    return "a name has one type all through; without a note it is a Tensor: `x: int`"


def in_pieces(failure: Failure) -> str:
    """What else there is where torch.compile was told to take the whole function, and no exporter did."""
    exported = any(re.search(r"torch/(?:export|onnx)/", frame.posix) for frame in failure.frames)
    raised = failure.kind.endswith("Unsupported") and not exported
    return "; without fullgraph=True it goes on in pieces" if raised else ""


GAP = re.compile(
    r"[Gg]reatest (?:absolute difference:|difference was) (?P<gap>\d{1,9}(?:\.\d{1,24})?(?:e[+-]\d{1,3})?)"
)


def second_time(message: str) -> str:
    """Why a trace does not give what the program gives, by how they differ."""
    gap = GAP.search(message)
    if gap is not None and float(gap["gap"]) < 1e-3:
        return (
            f"the trace and the program differ by {gap['gap']} alone, as sums in another order do: "
            "harmless, and check_tolerance=1e-3 ends it"
        )
    if "nondeterministic" in message:
        return "the trace has random operations in it, as dropout: model.eval() before it"
    if "Graphs differed" in message:
        return (
            "the second run goes another way than the first: a counter or a cache that forward "
            "fills (run it once before), a random number of Python's, or a branch on data"
        )
    return (
        "the trace does not do what the program does: dropout or another random operation "
        "(model.eval()), or a branch on data"
    )


UNWRITABLE = re.compile(
    r"PermissionError: [^\n]{0,60}'(?P<path>[^'\n]{1,200}(?:inductor|triton)[^'\n]{0,200})'"
)


def raised_behind(backend: str, error: str) -> str:
    """One line about what a backend of torch.compile raised."""
    unwritable = UNWRITABLE.search(error)
    if unwritable is not None:
        return (
            f"the compiler may not write to `{unwritable['path']}`, another user's folder: "
            "TORCHINDUCTOR_CACHE_DIR and TRITON_CACHE_DIR, each a folder of your own"
        )
    other = "another version of PyTorch, or backend='aot_eager', which goes without it"
    if backend != "inductor":
        other = "backend='eager' tells whether it is at fault"
    return f"the backend {backend} failed, not dynamo: {error.rstrip('. ')}; {other}"


SIZES = re.compile(r"index: (\d+) Got: (\d+) Expected: (\d+)")


def fixed_input(message: str, at: str, got: str, size: str) -> str:
    """What to do about an input of an exported model that has another size, by which sizes differ."""
    apart = SIZES.findall(message)
    came, wants = (sorted(each[n] for each in apart) for n in (1, 2))
    if len(apart) > 1 and came == wants:
        return (
            "the dimensions stand in another order, as channels last, np.transpose(x, (0, 3, 1, 2))"
        )
    if [each[0] for each in apart] == ["2", "3"]:
        return f"images of {apart[0][2]} x {apart[1][2]}, or dynamic_shapes or dynamic_axes for both sizes"
    if at == "0" and max(int(got), int(size)) <= 4096:
        return f"batches of {size}, or dynamic_shapes or dynamic_axes for the batch"
    if at == "0":
        return (
            "no batch stands first: x[None], sound of one channel, dimensions in another order, or "
            "an input made for another model"
        )
    return (
        "an input of that size, made by the settings and the model that it was exported for, or "
        "dynamic_shapes or dynamic_axes where it is to vary"
    )
