"""What libraries next to PyTorch brought and took away, by version.

The tables in companions/ are written by tools/companion_names.py from the sources of the versions that the
first line of each names, one of every minor release; a table is read when a text speaks of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

TABLES = Path(__file__).with_suffix("")
LIBRARIES = tuple(sorted(path.stem for path in TABLES.glob("*.names")))
HYPHENATED = ("pytorch_lightning", "sentence_transformers")
ON_PYPI = {"mmseg": "mmsegmentation"}
WITH_KERNELS = {"mmcv": "mmcv-full"}
"""What pip calls the older releases that bring their compiled parts: those called mmcv are without them."""
CLASS = re.compile(
    r"([A-Z]\w*?)_?(?:Config|Model|PreTrainedModel|ForCausalLM|ForConditionalGeneration|ForMaskedLM|Tokenizer(?:Fast)?|"
    r"For(?:Sequence|Token|Image|Audio)Classification|ForQuestionAnswering|(?:Image|Video)?Processor(?:Fast)?|FeatureExtractor)"
)
WEIGHTS = re.compile(r"(?!MaxVit|Swin_V2|MViT|S3D|Swin3D)[A-Z]\w+_Weights")
"""Of torchvision's models, all at once with 0.13: `ResNet50_Weights`."""
ALL = re.compile(r"^(?:TF|Flax)(?=[A-Z])|_ARCHIVE_(?:LIST|MAP)$|OnnxConfig$")
"""Names that went all at once: in the table these stand for them."""
LEGACY = (
    "Field LabelField RawField NestedField Dataset TabularDataset Example Iterator BucketIterator "
    "BPTTIterator Batch"
)
INSTEAD = {
    "timm.data.transforms _pil_interp": "str_to_pil_interp",
    "timm.models.helpers default_cfg_for_features": "pretrained_cfg_for_features",
    "timm.models.layers helpers": "timm.layers",
    "timm.models.layers drop": "timm.layers",
    "timm.models.layers mlp": "timm.layers",
    "timm.models.layers norm": "timm.layers",
    "timm.models.layers linear": "timm.layers",
    "timm.models.layers cbam": "timm.layers",
    "timm.models.layers eca": "timm.layers",
    "transformers AdamW": "torch.optim.AdamW",
    "transformers.optimization AdamW": "torch.optim.AdamW",
    "transformers AutoModelForVision2Seq": "AutoModelForImageTextToText",
    "transformers deepspeed": "transformers.integrations.deepspeed",
    "transformers TrainingArguments evaluation_strategy": "eval_strategy",
    "transformers Seq2SeqTrainingArguments evaluation_strategy": "eval_strategy",
    "transformers TrainingArguments no_cuda": "use_cpu",
    "transformers Trainer tokenizer": "processing_class",
    "transformers Seq2SeqTrainer tokenizer": "processing_class",
    "trl SFTTrainer tokenizer": "processing_class",
    "trl DPOTrainer tokenizer": "processing_class",
    "trl SFTTrainer max_seq_length": "SFTConfig.max_length",
    "trl SFTConfig max_seq_length": "max_length",
    "torchvision.transforms functional_tensor": "torchvision.transforms.functional",
    "torchvision.models utils": "torch.hub.load_state_dict_from_url",
    "torchvision make_grid() range": "value_range",
    "torchvision.transforms Scale": "Resize",
    "torchvision.transforms RandomSizedCrop": "RandomResizedCrop",
    "torchvision.models.vgg cfg": "cfgs",
    **{
        f"torchvision.models.{model} model_urls": f"{weights}_Weights.DEFAULT.url"
        for model, weights in {
            "alexnet": "AlexNet",
            "densenet": "DenseNet121",
            "googlenet": "GoogLeNet",
            "inception": "Inception_V3",
            "mobilenetv2": "MobileNet_V2",
            "resnet": "ResNet50",
            "squeezenet": "SqueezeNet1_1",
            "vgg": "VGG16",
        }.items()
    },
    "torchvision.models.mobilenet ConvBNReLU": "torchvision.ops.Conv2dNormActivation",
    "torchvision.models.mobilenetv2 ConvBNReLU": "torchvision.ops.Conv2dNormActivation",
    "dgl transform": "dgl.transforms",
    "dgl to_homo": "dgl.to_homogeneous",
    "dgl to_hetero": "dgl.to_heterogeneous",
    "dgl batch_hetero": "dgl.batch",
    "dgl unbatch_hetero": "dgl.unbatch",
    "dgl BatchedDGLGraph": "DGLGraph.batch_size / DGLGraph.batch_num_nodes()",
    "dgl batched_graph": "dgl.batch",
    "dgl DGLGraphStale": "DGLGraph",
    "dgl.function copy_src": "dgl.function.copy_u",
    "dgl.function copy_edge": "dgl.function.copy_e",
    "dgl.function src_mul_edge": "dgl.function.u_mul_e",
    "dgl.dataloading NodeDataLoader": "dgl.dataloading.DataLoader",
    "dgl.dataloading EdgeDataLoader": "dgl.dataloading.DataLoader(g, ids, as_edge_prediction_sampler(...))",
    "huggingface_hub cached_download": "hf_hub_download",
    "huggingface_hub.file_download cached_download": "hf_hub_download",
    "huggingface_hub HfFolder": "get_token / login",
    "huggingface_hub Repository": "HfApi",
    "huggingface_hub hf_hub_download() use_auth_token": "token",
    "huggingface_hub snapshot_download() use_auth_token": "token",
    "datasets load_metric": "evaluate.load",
    "mmcv runner": "mmengine.runner",
    "mmcv parallel": "mmengine.model",
    "mmcv fileio": "mmengine.fileio",
    "mmcv device": "mmengine.device",
    "mmdet core": "mmdet.structures / mmdet.evaluation / mmdet.models.task_modules",
    "mmdet.models build_detector": "mmdet.registry.MODELS.build",
    "mmdet.datasets pipelines": "mmdet.datasets.transforms",
    "mmseg.datasets pipelines": "mmseg.datasets.transforms",
    "mmseg.apis init_segmentor": "mmseg.apis.init_model",
    "mmseg.apis inference_segmentor": "mmseg.apis.inference_model",
    "monai.data NiftiDataset": "monai.data.ImageDataset",
    "monai.data nifti_reader": "monai.data.ImageDataset",
    "monai.data NiftiSaver": "monai.transforms.SaveImage",
    "monai.data nifti_saver": "monai.transforms.SaveImage",
    "monai.data nifti_writer": "monai.data.NibabelWriter",
    "monai.data write_nifti": "monai.data.NibabelWriter",
    "monai.data PNGSaver": "monai.transforms.SaveImage",
    "monai.data png_saver": "monai.transforms.SaveImage",
    "monai.data png_writer": "monai.data.PILWriter",
    "monai.data write_png": "monai.data.PILWriter",
    "monai.handlers SegmentationSaver": "monai.transforms.SaveImage",
    "monai.metrics compute_meandice": "compute_dice",
    "monai.metrics compute_meaniou": "compute_iou",
    **{
        f"monai.transforms {old}{end}": f"{new}{end}{how}"
        for end in ("", "d")
        for old, new, how in (
            ("AddChannel", "EnsureChannelFirst", "(channel_dim='no_channel')"),
            ("AsChannelFirst", "EnsureChannelFirst", "(channel_dim=-1)"),
            ("SplitChannel", "SplitDim", ""),
            ("LoadNifti", "LoadImage", ""),
            ("LoadPNG", "LoadImage", ""),
            ("LoadNumpy", "LoadImage", ""),
        )
    },
    "monai DiceCELoss ce_weight": "weight",
    "monai DiceFocalLoss focal_weight": "weight",
    "monai UNETR pos_embed": "proj_type",
    "monai ViT pos_embed": "proj_type",
    "monai UNet dimensions": "spatial_dims",
    "monai BasicUNet dimensions": "spatial_dims",
    "monai AutoEncoder dimensions": "spatial_dims",
    "monai AsDiscrete n_classes": "to_onehot=n",
    "monai AsDiscrete num_classes": "to_onehot=n",
    "monai AsDiscrete logit_thresh": "threshold",
    "monai AsDiscrete threshold_values": "threshold",
    "nerfacc OccupancyGrid": "nerfacc.OccGridEstimator",
    "nerfacc ray_marching": "nerfacc.OccGridEstimator.sampling",
    "peft prepare_model_for_int8_training": "prepare_model_for_kbit_training",
    "pytorch_lightning metrics": "torchmetrics",
    "pytorch_lightning.utilities distributed": "pytorch_lightning.utilities.rank_zero",
    "pytorch_lightning.utilities.distributed rank_zero_only": "pytorch_lightning.utilities.rank_zero",
    "pytorch_lightning Trainer gpus": "accelerator='gpu', devices=...",
    "pytorch_lightning Trainer tpu_cores": "accelerator='tpu', devices=...",
    "pytorch_lightning Trainer ipus": "devices=...",
    "pytorch_lightning Trainer num_processes": "accelerator='cpu', devices=...",
    "pytorch_lightning Trainer resume_from_checkpoint": "trainer.fit(ckpt_path=...)",
    "pytorch_lightning Trainer distributed_backend": "strategy=...",
    "pytorch_lightning Trainer checkpoint_callback": "enable_checkpointing=...",
    "pytorch_lightning Trainer weights_summary": "enable_model_summary=...",
    "pytorch_lightning Trainer progress_bar_refresh_rate": "callbacks=[TQDMProgressBar(refresh_rate=...)]",
    "pytorch_lightning Trainer terminate_on_nan": "detect_anomaly=True",
    "pytorch_lightning Trainer reload_dataloaders_every_epoch": "reload_dataloaders_every_n_epochs=1",
    "pytorch_lightning Trainer replace_sampler_ddp": "use_distributed_sampler=...",
    "pytorch_lightning Trainer auto_lr_find": "Tuner(trainer).lr_find(model)",
    "pytorch_lightning Trainer auto_scale_batch_size": "Tuner(trainer).scale_batch_size(model)",
    "pytorch_lightning Trainer early_stop_callback": "callbacks=[EarlyStopping(...)]",
    "pytorch_lightning Trainer row_log_interval": "log_every_n_steps=...",
    "pytorch_lightning Trainer max_nb_epochs": "max_epochs=...",
    "pytorch_lightning Trainer train_percent_check": "limit_train_batches=...",
    "pytorch_lightning Trainer val_percent_check": "limit_val_batches=...",
    "pytorch_lightning Trainer. lr_schedulers": "trainer.lr_scheduler_configs",
    "pytorch_lightning Trainer. training_type_plugin": "trainer.strategy",
    "pytorch_lightning Trainer. root_gpu": "trainer.strategy.root_device.index",
    "pytorch_lightning Trainer. data_parallel_device_ids": "trainer.device_ids",
    "pytorch_lightning Trainer. devices": "trainer.num_devices / trainer.device_ids",
    "pytorch_lightning Trainer. gpus": "trainer.num_devices / trainer.device_ids",
    "pytorch_lightning Trainer. num_gpus": "trainer.num_devices",
    "pytorch_lightning Trainer. num_processes": "trainer.num_devices",
    "pytorch_lightning Trainer. resume_from_checkpoint": "trainer.fit(ckpt_path=...)",
    "pytorch_lightning Trainer. add_argparse_args": "LightningCLI / parser.add_argument",
    "pytorch_lightning Trainer. from_argparse_args": "LightningCLI / Trainer(name=args.name, ...)",
    "pytorch_lightning Trainer. tune": "Tuner(trainer).lr_find(model) / Tuner(trainer).scale_batch_size(...)",
    "torch_geometric.utils scatter_": "torch_scatter.scatter(src, index, dim=0, reduce=...)",
    "torchtext Vocab min_freq": "torchtext.vocab.vocab(counter, min_freq=...)",
    "torchtext Vocab specials": "torchtext.vocab.vocab(counter, specials=...)",
    "torchtext Vocab. stoi": "vocab.get_stoi()",
    "torchtext Vocab. itos": "vocab.get_itos()",
    "torchtext Vocab. vectors": "GloVe().get_vecs_by_tokens(vocab.get_itos())",
    "torchtext Vocab. freqs": "collections.Counter",
    **dict.fromkeys(
        (f"torchtext.data {name}" for name in LEGACY.split()),
        "torchtext.legacy.data  # torchtext>=0.9,<0.12",
    ),
}
"""What the libraries themselves name for it, in the warnings of the versions before it went: code, several
told apart by " / "."""

RENAMED = (
    "CAM.__init__() got an unexpected keyword argument 'use_cuda'",
    "CAM.__init__() got an unexpected keyword argument 'target_layer'",
    "No module named 'ultralytics.yolo",
    "attempt_load() got an unexpected keyword argument 'map_location'",
    "attempt_load() got an unexpected keyword argument 'device'",
    "Requested tokenizer basic_english, valid choices are",
    "spmm() missing 1 required positional argument: 'matrix'",
    "module 'spconv' has no attribute '",
    "cannot import name 'VoxelGenerator",
    "No module named 'spconv.pytorch'",
    "'InferenceParams' object has no attribute 'max_sequence_len'",
    "load_adapter() got an unexpected keyword argument 'adapter_state_dict'",
    "No module named 'torchpack.runner",
    "torchpack' has no attribute 'runner",
)
"""What is said of what has another name in another version and is in no table, as it is copied more often
than installed, or is asked for by few."""


MONAIS = re.compile(r"^(?:image|img|label|mask|seg|pred|t1|t2)\w{0,10}$")
"""What the images of MONAI's programs are called."""

BEHIND = 5
MADE = re.compile(r"\b([A-Z]\w*)\(")
TELLING = re.compile(
    r"(?:transformers|pytorch_lightning|peft|trl|accelerate|diffusers) "
    r"(?:Trainer\b|[A-Z]\w*(?:Trainer|Arguments|Config|Plugin|Scheduler|Checkpoint|Stopping)\b)"
    r"|torchvision make_grid\b|torchtext Vocab\b"
)
"""Owners that few have next to these libraries."""


class Change(NamedTuple):
    """`came` and `gone` are versions, empty where it was there from the first that was read, or is to the
    last. `to` is what stands for it now, where that is known."""

    place: str
    name: str
    came: str
    gone: str
    to: str

    @property
    def library(self) -> str:
        """As pip calls it."""
        library = re.split(r"[ .]", self.place, maxsplit=1)[0]
        hyphenated = library.replace("_", "-") if library in HYPHENATED else library
        return ON_PYPI.get(library, hyphenated)

    @property
    def word(self) -> str:
        """What is in code and in paths that are about the library: Lightning has two names."""
        return self.library.removeprefix("pytorch-").replace("-", "_")

    @property
    def owner(self) -> str:
        return self.place.partition(" ")[2].rstrip(".()")

    @property
    def tells(self) -> bool:
        """Whether the owner's name alone tells the library."""
        return TELLING.match(self.place) is not None

    def is_in(self, version: str) -> bool | None:
        """Whether a version of the library has it; None if `version` is empty."""
        asked = _numbers(version)
        if not asked:
            return None
        there = not self.came or asked >= _numbers(self.came)
        return there and (not self.gone or asked < _numbers(self.gone))


def _numbers(version: str) -> tuple[int, ...]:
    """`2.4.1+cu121` -> (2, 4, 1)."""
    plain = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, plain[0].split("."))) if plain is not None else ()


def of_name(module: str, name: str) -> Change | None:
    """What became of a name that a module is asked for; of a module (no name), of the outermost package that
    went or came."""
    module = re.sub(r"^lightning\.pytorch\b", "pytorch_lightning", module)
    library, *inner = module.split(".")
    if library not in LIBRARIES:
        return None
    table = _rows(f"{library}.names")
    if library == "torchvision" and WEIGHTS.fullmatch(name):
        return Change(module, name, "0.13", "", "")
    if name:
        kind = ALL.search(name)
        row = table.get((module, name)) or table.get((module, kind[0] if kind else ""))
        return row._replace(name=name) if row is not None else _of_model(module, name)
    places = ((".".join([library, *inner[:n]]), each) for n, each in enumerate(inner))
    return next((table[place] for place in places if place in table), None)


def newest_if_old(library: str, version: str) -> str:
    """The newest release that a table knows of a library, if a version is of another generation: of another
    first number, or five minor releases behind. "" otherwise."""
    if library not in LIBRARIES:
        return ""
    head = (TABLES / f"{library}.names").read_text("utf-8").partition("\n")[0]
    found = re.search(r" to (\d+(?:\.\d+)*):", head)
    given, newest = _numbers(version), _numbers(found[1]) if found is not None else ()
    if len(given) < 2 or len(newest) < 2 or given[0] > newest[0]:
        return ""
    behind = given[0] < newest[0] or newest[1] - given[1] >= BEHIND
    return found[1] if behind and found is not None else ""


def tells_of(message: str) -> bool:
    """Whether a message that misses a module is of one that came or went with a version."""
    missing = re.search(r"[Nn]o module named '([\w.]+)'", message)
    renamed = any(words in message for words in RENAMED)
    return renamed or (missing is not None and of_name(missing[1], "") is not None)


def of_member(owners: Iterable[str], name: str) -> list[Change]:
    """The same of an argument of a class `Trainer`, a method `Trainer.fit` or a function `load_dataset()`,
    and of an attribute of `Trainer.`, in every library that has such an owner."""
    table = _rows("members")
    places = [f"{library} {owner}" for owner in owners for library in LIBRARIES]
    return [table[place, name] for place in places if (place, name) in table]


def well_known(function: str, name: str, text: str) -> list[Change]:
    """What a class that the text speaks of ("test_trainer.py") took by that name, where the class alone did
    and its library says what stands for it now: `__init__` does not tell whose it is."""
    of = [change for (_, each), change in _rows("members").items() if each == name and change.to]
    made = [
        change for change in of if change.owner[:1].isupper() and not change.place.endswith(".")
    ]
    spoken = bool(made) and made[0].owner.lower() in text.lower()
    return made if function == "__init__" and len(made) == 1 and spoken else []


def owners(function: str, line: str) -> list[str]:
    """What a message calls `Trainer.__init__`, as the table has it. Before Python 3.10 it says `__init__`
    alone, and the line what was made."""
    if function == "__init__":
        return list(dict.fromkeys(MADE.findall(line)))
    owner, dot, method = function.partition(".")
    return [owner if method == "__init__" else function if dot else f"{function}()"]


def version_that_knows(model_type: str) -> str:
    """The first transformers that has models of this type; nothing where no version that was read has."""
    return _model_types().get(model_type, "")


def _of_model(module: str, name: str) -> Change | None:
    version = version_of_class(name) if module == "transformers" else ""
    return Change(module, name, version, "", "") if version else None


def version_of_class(name: str) -> str:
    """The first transformers that has it, of a class that each type of model has: `Qwen3ForCausalLM`."""
    found = CLASS.fullmatch(name)
    return kinds().get(re.sub("_", "", found[1]).lower(), "") if found is not None else ""


@cache
def _rows(table: str) -> dict[tuple[str, str], Change]:
    rows = {}
    for line in _lines(table):
        where, came, gone, names = line.split("|")
        library, *owners = where.split()
        for place in [f"{library} {owner}" for owner in owners] or [where]:
            for each in names.split():
                name, _, home = each.partition("=")
                to = INSTEAD.get(f"{place} {name}", f"{home}.{name}" if home else "")
                rows[place, name] = Change(place, name, came, gone, to)
    return rows


@cache
def kinds() -> dict[str, str]:
    """The types of models, as the names of their classes begin, and the version of each."""
    return {re.sub(r"[\W_]", "", kind): version for kind, version in _model_types().items()}


@cache
def _model_types() -> dict[str, str]:
    rows = [line.split() for line in _lines("model_types")]
    return {kind: version for version, *kinds in rows for kind in kinds}


def _lines(table: str) -> list[str]:
    return (TABLES / table).read_text("utf-8").splitlines()[1:]
