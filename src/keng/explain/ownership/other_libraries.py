"""What Python, NumPy and other programs say: words by which an error is known not to be PyTorch's."""

from __future__ import annotations

import re

PYTHON = (
    r"positional arguments?\b",
    r"(?:unexpected|invalid) keyword argument",
    r"multiple values for argument",
    r"missing required argument",
    r"not enough arguments for format",
    r"takes (?:no arguments|(?:at (?:most|least)|exactly) \w+ arg)",
    r"argument after \*\*? must be",
    r"argument of type '\w+' is not iterable",
    r"'(?!torch\.)[\w.]+' object is not (?:callable|iterable|subscriptable|an iterator)",
    r"'\w+' object (?:does not support|cannot be interpreted)",
    r"'(?:NoneType|str|int|float|bool|list|tuple|dict|set|function|method|numpy\.\w+)' object has no",
    r"(?:list|tuple|string|pop|deque|bytearray) index out of range",
    r"(?:list|tuple|string|byte) indices must be",
    r"pop from",
    r"^index out of range$",
    r"unsupported operand type",
    r"bad operand type",
    r"not supported between instances",
    r"unhashable type",
    r"(?:not enough|too many) values to unpack",
    r"cannot unpack",
    r"can only concatenate",
    r"must be str, not",
    r"\b(?:int|float|str|len|max|min|sum|ord|chr|range|is\w+)\(\) (?:arg|expected|takes|not in)",
    r"factorial\(\) not defined",
    r"reduce\(\) of empty",
    r"memoryview: a bytes-like",
    r"could not convert string",
    r"cannot convert float",
    r"invalid literal for",
    r"must be real number",
    r"real number is required",
    r"^an integer is required",
    r"math domain error",
    r"can't multiply sequence",
    r"is not in list",
    r"x not in list",
    r"substring not found",
    r"str expected, not",
    r"has no len\(\)",
    r"is not defined",
    r"referenced before assignment",
    r"cannot access local variable",
    r"changed size during iteration",
    r"generator raised StopIteration",
    r"just-started generator",
    r"super\(\): |instance or subtype of type",
    r"[Ee]vent loop",
    r"start new thread",
    r"unlocked lock",
    r"\[Errno -?\d+\]|\[WinError [235]\]",
    r"partially initialized module",
    r"^attempted relative import",
    r"EOF when reading",
    r"abstract class",
    r"instance lay-out",
    r"context manager protocol",
    r"weak reference",
    r"__round__",
    r"passed to NoneType\.__format__",
    r"is not safe, use",
    r"is not a subtype",
    r"No active exception",
    r"pickle data was truncated|^file must have a '\w+' attribute",
    r"must be in range\(0, 256\)",
    r"month must be",
    r"Replacement index",
    r"integer format specifier|Unknown format code",
    r"object\.__init__\(\)",
    r"sleep length",
    r"filedescriptor out of range",
    r"module '(?!torch(?:vision|audio|text)?[.'])[\w.]{1,80}' has no attribute",
    r"cannot import name '\w+' from '(?!torch(?:vision|audio|text)?[.'])",
    r"^No module named '?(?!torch)\w|^cannot import name '?\w+'?$",
    r"is not JSON serializable",
    r"closed file$",
    r"embedded null byte",
    r"keys changed during iteration",
    r"reentrant call",
    r"new futures after",
    r"end-of-stream marker",
    r"main loop$",
    r"^assert [^\n]{1,200} (?:==|!=|<=?|>=?|is|in) ",  # pytest
    r"application context",
    r"GLIBC\w* not found|version `GLIBC",
    r"lib(?:GL|SM|X\w+)\.so[.\d]*: cannot open",
    r"DLL load failed while importing (?!_?C\b|torch)",
    r"Descriptors cannot",
)
"""Of the language and its standard library."""

PYTHONS_WORDS = re.compile("|".join(PYTHON))

ARRAYS = (
    r"background workers are no longer alive",
    r"operands could not be broadcast together",
    r"could not broadcast input array",
    r"cannot reshape array",
    r"setting an array element",
    r"all the input array",
    r"inhomogeneous shape",
    r"sparse (?:array|matrix) length is ambiguous",
    r"truth value of an array",
    r"\bg?ufunc\b",
    r"shapes \(.{1,60}\) and \(.{1,60}\) not aligned",
    r"out of bounds for (?:axis|array)",
    r"indices for array",
    r"only integers, slices(?!.*\bVariables\b)",
    r"need at least one array|use np\.concatenate\(\) instead",
    r"data type '.{1,60}' not understood|Cannot cast \w+ from dtype\(",
    r"(?:0-dimensional|length-1) arrays",
    r"boolean index did not match",
    r"no samples are taken",
    r"sample than population",
    r"probabilities do not sum",
    r"negative dimensions are not allowed",
    r"destination is read-only",
    r"axes don't match array",
    r"low >= high",
    r"scale < 0",
    r"Seed must be between 0 and",
    r"multiple of element size",
    r"parsing datetime",
    r"cannot identify image file",
    r"Expected Ptr<cv::|image must be numpy array type|Dataset scripts are no longer",
    r"Input (?:X )?contains (?:NaN|infinity)",
    r"inconsistent numbers of samples|X has \d+ features, but|Optimal parameters not found",
    r"'(?:DataFrame|Series|ndarray)' object has no",
    r"positional indexer is out",
    r"matrix contains invalid numeric entries|cost matrix is infeasible",
    r"^Singular matrix$",
    r"huggingface\.co\b",
    r"\(None, |layer \"\w+\"|Data cardinality|NumPy array to a Tensor",
    r"Python sequence to Tensor|allocator GPU_\d|InvalidArgumentError|\{\{node ",
    r"`LightningModule`|ZeroParamStatus|'ds_numel'|ZeRO stage|doesn't match model \(",
    r"\bpad_token\b|no padding token|MessagePassing\.propagate|Required parameter \w+ is empty",
    r"`rope_scaling`|rope_scaling must|`model_type`|does not recognize this architecture",
    r"(?:hook|argument|[Ss]upport for `?\w+`?) (?:was|has been) (?:removed|deprecated) in v\d",
    r"requires (?:the )?[`'\w-]{2,40} (?:library|package)\b|does not have a parameter or a buffer named",
    r"Error when checking (?:input|target|model)|passing a target array of shape",
    r"^\[(?!c10d|handle_|(?:de)?serialize)(?:[a-z]\w{3,40}|metal::\w+)\] ",  # MLX
    r"\bUnsloth\b|\bVecEnv\b|\b(?:action|observation)[ _]space\b|\bgymnasium\b",
    r"single import style|applying transform <monai|Classification metrics can't handle",
    r"does not have a (?:pad|mask|padding) token|Pad_token_id must",
    r"before the end of the first episode|[Uu]nexpected observation shape|as action spaces but",
    r"environment that needs reset|resources requested by the placement group",
    r"[sS]hortest_edge|chat[ _]template|backend tokenizer|untagged enum|sentencepiece_processor",
    r"[Tt]okenizer class \w+ does not exist|text input must (?:be )?of type|in the cached path",
    r"Unrecognized configuration class|of the following classes: \(|requires you to execute the",
    r"`load_in_4bit`\s?or|have any of the loading methods|Model architectures \[",
    r"Consistency check failed|corresponds to no data|Provided `function` which",
    r"Compression type \w+ not supported|was removed in the NumPy|image file is truncated",
    r"PEFT backend is required|is used but incompatible\. Please install|does not exist in the metadata of",
    r"expected \{.{1,300}\}, but only \{",
    r"\bpip3? install (?:-U |--upgrade )?[`'\"\[]{0,2}(?!torch)(?!.{0,80}?\btorch\b)",
    r"\bdocs\.ultralytics\.com|stable-baselines3\.readthedocs|\blightning\.ai/docs|\bdocs\.(?:vllm|monai|ray|wandb)\.",
    r"github\.com/(?:huggingface|ultralytics|[Ll]ightning-[Aa][Ii]|open-mmlab|pyg-team|DLR-RM|Project-MONAI|vllm-project)/",
    r"contracting dimensions|[Ii]ncompatible shapes for broadcasting: (?:\(|shapes=)",
    r"src data type = \d|Parent directory of \S{1,200} doesn't exist, can't save|'imgsz' argument",
)
"""Of NumPy, and of libraries that are built on it."""

PROGRAMS = (
    r"cudaSuccess",
    r"Cannot read propert(?:y|ies) ",  # JavaScript
    r"\bggml",
    r"llama\.cpp",
    r"\bcaffe\b",
    r"\bdarknet\b",
    r"\btensorflow\b",
    r"\bjaxlib\b",
    r"\bonnxruntime\b",
    r"\bpaddle\b",
    r"\bmxnet\b",
    r"\{\{node |\[\[Node: |for Tensor 'Placeholder",
    r"\b(?:[Tt]heano|[Cc]hainer|CNTK|[Mm]ind[Ss]pore|(?<![=/_-])neon(?! (?:vfp|asimd)))\b",
    r"error while loading shared libraries: lib(?!torch|c10|cu|nv|nccl|mkl|[gi]?omp|hip|roc|MIOpen)",
)
"""Of other programs for the same cards, which raise no exception."""

OLD_IMPORT = re.compile(r"cannot import name '?(?P<name>\w+)'?$")
IMPORTS = re.compile(r"from (?P<home>[A-Za-z_][\w.]*) import\b")
PYTHONS_KINDS = re.compile(r"\b(?:Type|Attribute|Value|Index|Name|UnboundLocal)Error: ")
OF_A_FILE = re.compile(
    r"\b\w{2,30}Error: \[(?:Errno|WinError) \d{1,6}\] [^'\"]{4,120}: '[^']{1,500}'$"
)
"""What the system says of a file; pip has a hint below it."""


def says_python(line: str) -> bool:
    """Whether a message is in Python's own words, which take one line: what is below is the writer's."""
    found = PYTHONS_KINDS.search(line)
    if found is None:
        return OF_A_FILE.search(line) is not None
    words = PYTHONS_WORDS.search(line[found.end() :])
    return " object has no attribute " in line or words is not None


WHOLE_KEY = re.compile(r"\bKeyError: (?:'[^']{0,300}'|\"[^\"]{0,300}\"|-?\d{1,20})$")


def is_whole(line: str) -> bool:
    """Whether a message ends with its line, whatever stands below: Python shows a missing key on one."""
    return WHOLE_KEY.search(line) is not None


def in_todays_words(message: str, line: str) -> str:
    """Before 3.7 Python did not say from which module a name was not imported: the line that failed does."""
    old, asked = OLD_IMPORT.match(message), IMPORTS.match(line)
    return (
        f"cannot import name '{old['name']}' from '{asked['home']}'" if old and asked else message
    )
