"""Errors of files, imports, encodings and arrays whose own words name what is missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from keng._util.texts import sentence
from keng.explain.ownership.paths import INSTALLED, PACKAGE, is_standard
from keng.explain.reading.tracebacks import Error
from keng.model import Message
from keng.tables import python_history

CALLED = {
    "cv2": "opencv-python",
    "PIL": "pillow",
    "sklearn": "scikit-learn",
    "skimage": "scikit-image",
    "yaml": "pyyaml",
    "pytorch_lightning": "pytorch-lightning",
    "faiss": "faiss-cpu",
    "hydra": "hydra-core",
}
"""The packages of modules that are not named like their package."""
PLACEHOLDER = re.compile(
    r"(?:^|[/\\_-])your[_-]|path[/\\_-]to(?:[/\\_-]|$)|<[^<>]+>|[xX]{3,}", re.IGNORECASE
)
ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:")
CHANNELS = (1, 3, 4)
UNREAD = re.compile(r"imread_\(['\"](?P<path>[^'\"\n]{1,300})['\"]\): can't open/read file")
WITHOUT_IMAGE = re.compile(
    r"'?NoneType'?|must be numpy array|!\s?_?src\.empty\(\)|!ssize\.empty\(\)|src is not a numpy array"
    r"|Expected Ptr<cv::UMat>"
)
"""How libraries name an image that is None."""
STORAGE = re.compile(
    "Input/output error|Disk quota exceeded|Stale (?:NFS )?file handle|Read-only file system|File too large|"
    "Transport endpoint is not connected|No space left on device"
)
"""The words of the C library for EIO, EDQUOT, ESTALE, EROFS, EFBIG, ENOTCONN and ENOSPC."""

Cause = Callable[[re.Match[str], Error], Message | None]


def outside_cause(error: Error) -> Message | None:
    """The cause in a sentence with what to do; None where the words of the error do not show it."""
    for words, cause in CAUSES:
        found = words.search(error.line)
        if found is not None:
            return cause(found, error)
    return None


def unread_image(error: Error, around: Iterable[str]) -> Message | None:
    """The file that OpenCV could not read, as its warning next to an error of a missing image says:
    `cv2.imread` gives None for it and raises nothing."""
    if WITHOUT_IMAGE.search(error.line) is None:
        return None
    found = next((m for line in around if (m := UNREAD.search(line[:600]))), None)
    return sentence("image_unread", path=found["path"]) if found is not None else None


def storage_error(message: str) -> Message | None:
    """What the system says of a file that PyTorch writes or reads, which another PyTorch does not change."""
    found = STORAGE.search(message)
    return sentence("storage_failed", says=found[0]) if found is not None else None


def package_of(module: str) -> str:
    """What pip calls the package that a module belongs to."""
    top = module.split(".", 1)[0]
    return CALLED.get(top, top)


def _said(id: str) -> Cause:
    """A sentence whose holes are the groups of its pattern."""
    return lambda found, _: sentence(id, **found.groupdict())


def _no_file(found: re.Match[str], _: Error) -> Message:
    path = found["path"]
    if PLACEHOLDER.search(path):
        return sentence("path_placeholder", path=path)
    if path.startswith("~"):
        return sentence("path_home", path=path)
    if not ABSOLUTE.match(path):
        return sentence("path_relative", path=path)
    folder = re.sub(r"[/\\][^/\\]*$", "", path.rstrip("/\\"))
    return sentence("path_missing", path=path, folder=folder or "/")


def _no_name(found: re.Match[str], error: Error) -> Message | None:
    """Two files of one library that disagree were installed by two versions of it; of two libraries, one
    was written for another version of the other."""
    name, module = found["name"], found["module"]
    if not INSTALLED.search(found["path"]):
        of_python = _of_python(module, name, error) if is_standard(found["path"]) else None
        return of_python or sentence(
            "import_undefined", name=name, module=module, path=found["path"]
        )
    package = package_of(module)
    top = module.split(".", 1)[0]
    importing = error.frames[-1].path if error.frames else ""
    if re.search(rf"[/\\](?:site|dist)-packages[/\\]{re.escape(top)}[/\\]", importing):
        return sentence("import_two_versions", name=name, library=top, package=package)
    return sentence("import_other_version", name=name, module=module, package=package)


def _no_attribute(found: re.Match[str], error: Error) -> Message | None:
    """Of a module that another library asks: the two are of versions that do not fit. The user's own code may
    also have a file of that name."""
    name, module = found["name"], found["module"]
    top = module.split(".", 1)[0]
    asking = PACKAGE.search(error.frames[-1].path) if error.frames else None
    if top == "torch" or (asking is not None and asking[1] == top):
        return None
    if python_history.is_standard(module):
        return _of_python(module, name, error) or sentence(
            "standard_module_lacks", name=name, module=module, top=top
        )
    package = package_of(module)
    if asking is None:
        return sentence("module_lacks", name=name, module=module, top=top, package=package)
    asker = package_of(asking[1])
    return sentence("module_lacks_for", name=name, module=module, package=package, asker=asker)


def _of_python(module: str, name: str, error: Error) -> Message | None:
    """The version of Python with which a name of the standard library came or went."""
    since = python_history.of_name(module, name)
    if since is None:
        return None
    asking = PACKAGE.search(error.frames[-1].path) if error.frames else None
    given = {"name": name, "module": module}
    if asking is None and since.gone:
        return sentence("python_lost", gone=since.gone, **given)
    if asking is None:
        return sentence("python_gained", came=since.came, **given)
    given["asker"] = package_of(asking[1])
    if since.gone:
        return sentence("python_lost_for", gone=since.gone, **given)
    return sentence("python_gained_for", came=since.came, **given)


def _no_module(found: re.Match[str], error: Error) -> Message:
    """Python names the outermost module that it does not find: the package of a submodule was found."""
    module = found["module"]
    package, _, name = module.rpartition(".")
    since = python_history.of_module(module)
    if since is not None and since.gone:
        return sentence("python_lost_module", module=module, gone=since.gone)
    if since is not None:
        return sentence("python_gained_module", module=module, came=since.came)
    if not package:
        return sentence("module_not_found", module=module)
    top = module.partition(".")[0]
    if _is_library(top, error):
        return sentence("submodule_of_library", library=top, package=package, name=name)
    return sentence("submodule_missing", package=package, name=name)


def _is_library(top: str, error: Error) -> bool:
    """Whether a package is one that is built on PyTorch, or was installed, as the traceback shows."""
    from keng.tables.built_on_torch import is_built_on_torch  # few errors are of submodules

    packages = {found[1] for frame in error.frames if (found := PACKAGE.search(frame.path))}
    return top in packages or is_built_on_torch(top)


def _no_parameter(found: re.Match[str], error: Error) -> Message:
    """With the version of a library in which a class of that name lost or gained the parameter."""
    from keng.tables import libraries  # few errors are of parameters

    function, name = found["function"], found["name"]
    line = error.frame.text if error.frame is not None else ""
    changes = libraries.of_member(libraries.owners(function, line), name)
    if len({change.library for change in changes}) != 1:
        private = PRIVATE.fullmatch(function)
        if private is not None and not (error.frames and error.frames[-1].user):
            given = {"owner": private["owner"], "method": private["method"], "name": name}
            return sentence("override_lacks", **given)
        if function == "__init__":
            return sentence("parameter_unknown_of_class", name=name)
        return sentence("parameter_unknown", function=function, name=name)
    change = changes[0]
    given = {"owner": change.owner, "name": name, "library": change.library}
    if change.gone and change.to:
        return sentence("parameter_renamed", gone=change.gone, to=change.to, **given)
    if change.gone:
        return sentence("parameter_gone", gone=change.gone, **given)
    return sentence("parameter_came", came=change.came, **given)


def _not_a_package(found: re.Match[str], _: Error) -> Message:
    return sentence("module_not_package", module=found["module"], file=f"{found['file']}.py")


def _not_broadcast(found: re.Match[str], _: Error) -> Message | None:
    one, other = (tuple(map(int, re.findall(r"\d+", found[n]))) for n in ("one", "other"))
    for first, last in ((one, other), (other, one)):
        if _channels_first(first, last):
            return sentence(
                "array_channels", first=found["one"] if first is one else found["other"]
            )
    pairs = list(zip(reversed(one), reversed(other), strict=False))
    apart = next((n for n, (a, b) in enumerate(pairs, 1) if a != b and 1 not in (a, b)), None)
    if apart is None:
        return None
    return sentence("array_axis", axis=-apart, a=one[-apart], b=other[-apart])


def _channels_first(first: tuple[int, ...], last: tuple[int, ...]) -> bool:
    """Whether two images differ in where their channels are."""
    if len(first) != 3 or len(last) != 3 or first == last:
        return False
    return first[0] in CHANNELS and last == (first[1], first[2], first[0])


def _codec(found: re.Match[str], _: Error) -> Message:
    codec, byte, at = found["codec"], found["byte"], found["at"]
    if codec != "utf-8":
        return sentence("codec_of_system", codec=codec)
    if byte == "0x80" and at == "0":
        return sentence("codec_pickle")
    return sentence("codec_not_utf8", byte=byte, at=at)


def _memory(found: re.Match[str], _: Error) -> Message:
    if found["dtype"] == "float64":
        return sentence("memory_array_float64", size=found["size"], shape=found["shape"])
    return sentence("memory_array", size=found["size"], shape=found["shape"])


PRIVATE = re.compile(r"(?P<owner>[A-Z]\w*)\.(?P<method>_(?!_)\w+)")
"""A method of a class that only the class and those it is derived from call."""
NAME = r"(?P<name>\w{1,120})"
SHAPE = r"\([\d, ]{2,60}\)"
PATH = r"['\"](?P<path>[^'\"\n]{1,300})['\"]"
DOTTED = r"[A-Za-z_][\w.]{0,120}"
CAUSES: tuple[tuple[re.Pattern[str], Cause], ...] = (
    (re.compile(rf"\[(?:Errno|WinError) [23]\] [^'\"\n]{{1,60}}: {PATH}"), _no_file),
    (re.compile(rf"\[Errno 13\] Permission denied: {PATH}"), _said("path_not_permitted")),
    (re.compile(rf"\[Errno 21\] Is a directory: {PATH}"), _said("path_is_folder")),
    (re.compile(rf"\[Errno 17\] File exists: {PATH}"), _said("path_exists")),
    (
        re.compile(
            rf"cannot import name '{NAME}' from partially initialized module '(?P<module>{DOTTED})'"
        ),
        _said("import_circular"),
    ),
    (
        re.compile(
            rf"cannot import name '{NAME}' from '(?P<module>{DOTTED})' \((?P<path>[^()\n]{{1,300}}\.py)\)"
        ),
        _no_name,
    ),
    (re.compile(rf"module '(?P<module>{DOTTED})' has no attribute '{NAME}'"), _no_attribute),
    (
        re.compile(
            rf"No module named '(?P<module>{DOTTED})'; '(?P<file>{DOTTED})' is not a package"
        ),
        _not_a_package,
    ),
    (re.compile(rf"No module named '?(?P<module>{DOTTED})'?$"), _no_module),
    (
        re.compile(
            rf"(?P<function>{DOTTED})\(\) got an unexpected keyword argument '(?P<name>\w{{1,60}})'"
        ),
        _no_parameter,
    ),
    (
        re.compile(
            rf"operands could not be broadcast together with shapes (?P<one>{SHAPE}) (?P<other>{SHAPE})"
        ),
        _not_broadcast,
    ),
    (
        re.compile(
            r"UnicodeDecodeError: '(?P<codec>[\w-]{2,20})' codec can't decode byte (?P<byte>0x\w\w)"
            r" in position (?P<at>\d+)"
        ),
        _codec,
    ),
    (
        re.compile(r"JSONDecodeError: Expecting value: line 1 column 1 \(char 0\)"),
        _said("json_empty"),
    ),
    (
        re.compile(
            rf"Unable to allocate (?P<size>[\d.]+ [KMGTP]iB) for an array with shape (?P<shape>{SHAPE})"
            r" and data type (?P<dtype>\S{1,40})"
        ),
        _memory,
    ),
    (
        re.compile(r"could not convert string to float: (?P<text>['\"].{0,60}['\"])$"),
        _said("text_not_number"),
    ),
    (
        re.compile(r"error: the following arguments are required: (?P<options>.{1,120})$"),
        _said("options_required"),
    ),
    (re.compile(r"\(-215:Assertion failed\) !_?src\.empty\(\)"), _said("image_unreadable")),
)
