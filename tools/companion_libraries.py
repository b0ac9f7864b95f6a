"""The libraries whose versions are read by companion_names.py, and what is told of each."""

from typing import NamedTuple


class Library(NamedTuple):
    """`since` is the first version for whose code something may be too old: what came before is not told.
    `before` likewise: what went before is not told of modules below the library. `owners` are what people
    call, whose arguments are told, `objects` those whose attributes are, with `fields` also those that a
    constructor sets, `whole` the modules all whose names are told, whoever asks for them and however long
    ago they came, and `named` what is told of any module: regular expressions. `private` are names with an
    underscore that people import all the same, `heir` is the library that much of it went to. `without` are
    names with their modules that are found otherwise than the sources tell: nothing is said of them."""

    since: str
    owners: str
    before: str = ""
    objects: str = "$"
    deep: int = 1
    owners_deep: int = 1
    whole: str = "$"
    named: str = "$"
    heir: str = ""
    without: str = "$"
    private: str = "$"
    fields: bool = False


LIBRARIES = {
    "accelerate": Library(
        since="0.16",
        owners=(
            r"(?!Accelerator$)\w+(Plugin|Kwargs|Configuration)|Accelerator\.\w+|\w+\(\)|"
            r"ProjectConfiguration"
        ),
        objects="Accelerator",
    ),
    "bitsandbytes": Library(
        since="0.35",
        owners=r"\w+",
        owners_deep=2,
    ),
    "datasets": Library(
        since="2.0",
        owners=(
            r"load_dataset\(\)|load_from_disk\(\)|load_metric\(\)|concatenate_datasets\(\)|"
            r"interleave_datasets\(\)|Dataset\.\w+|DatasetDict\.\w+|IterableDataset\.\w+|Audio|"
            r"Image|ClassLabel|Features|Value|Sequence|DatasetBuilder|DownloadConfig|"
            r"DownloadManager"
        ),
        before="1.5",
        objects="Dataset|DatasetDict|IterableDataset",
    ),
    "deepspeed": Library(
        since="0.9",
        owners=r"initialize\(\)|init_inference\(\)|DeepSpeedEngine\.\w+",
    ),
    "dgl": Library(
        since="0.5",
        owners="$",
        before="0.4",
        deep=2,
        without=r"dgl\.(?:nn|backend)\b.*|.*\.to_block",
    ),
    "diffusers": Library(
        since="0.14",
        owners=(
            r"DiffusionPipeline\.\w+|\w+Scheduler|\w+Scheduler\.(step|set_timesteps|add_noise)|"
            r"DiffusionPipeline|StableDiffusion\w*Pipeline|UNet2D\w*Model|UNet2D\w*Model\.forward|"
            r"ControlNetModel|AutoencoderKL|EMAModel|get_scheduler\(\)"
        ),
        before="0.10",
    ),
    "evaluate": Library(
        since="0.2",
        owners=r"load\(\)|\w+",
    ),
    "fairscale": Library(
        since="0.4",
        owners=r"\w+",
        owners_deep=2,
    ),
    "huggingface_hub": Library(
        since="0.14",
        owners=(
            r"hf_hub_download\(\)|snapshot_download\(\)|cached_download\(\)|HfApi|"
            r"HfApi\.(create_repo|upload_file|upload_folder|list_models|list_datasets|model_info|"
            r"dataset_info|list_repo_files|delete_repo|create_commit|whoami)|InferenceClient|"
            r"InferenceClient\.(text_generation|chat_completion|feature_extraction)|login\(\)|"
            r"create_repo\(\)|upload_file\(\)|upload_folder\(\)|list_models\(\)|Repository|"
            r"hf_hub_url\(\)|try_to_load_from_cache\(\)|get_hf_file_metadata\(\)|"
            r"ModelHubMixin\.\w+|PyTorchModelHubMixin\.\w+|InferenceApi"
        ),
        before="0.8",
        objects="HfApi|InferenceClient|HfFolder",
    ),
    "kornia": Library(
        since="0.7",
        owners=r"Random\w+|AugmentationSequential|ColorJitter",
        before="0.6",
        owners_deep=2,
    ),
    "mmcv": Library(
        since="1.3",
        owners="$",
        before="1.3",
        deep=2,
        heir="mmengine",
    ),
    "mmdet": Library(
        since="2.28",
        owners="$",
        before="2.28",
        deep=2,
        heir="mmengine",
    ),
    "mmseg": Library(
        since="0.30",
        owners="$",
        before="0.30",
        deep=2,
        heir="mmengine",
    ),
    "monai": Library(
        since="0.9",
        owners=(
            r"(?:Basic|Attention|Flexible|Dyn)?U[Nn]et|(?:Swin)?UNETR|ViT|VNet|DenseNet|ResNet|AutoEncoder|"
            r"\w*(?:Dice|Focal|Tversky)\w*Loss|(?:Load|Save)Imaged?|AsDiscreted?|Spacingd?|EnsureTyped?|"
            r"(?:Cache|Persistent|Decathlon)Dataset|(?:Dice|HausdorffDistance)Metric|Supervised\w+|"
            r"sliding_window_inference\(\)"
        ),
        before="0.3",
        deep=2,
        owners_deep=3,
    ),
    "nerfacc": Library(
        since="0.1",
        owners="$",
    ),
    "peft": Library(
        since="0.3",
        owners=(
            r"\w+Config|PeftModel\w*|PeftModel\.from_pretrained|get_peft_model\(\)|"
            r"prepare_model_for_\w+\(\)|PeftModel\.(save_pretrained|merge_and_unload|load_adapter|"
            r"add_adapter)"
        ),
        objects="PeftModel|PeftModelForCausalLM|LoraModel",
    ),
    "pytorch_lightning": Library(
        since="1.5",
        owners=(
            r"Trainer|Trainer\.(fit|test|validate|predict|save_checkpoint)|LightningModule|"
            r"LightningDataModule|LightningModule\.(log|log_dict|to_onnx|to_torchscript|"
            r"load_from_checkpoint)|ModelCheckpoint|EarlyStopping|LearningRateMonitor|"
            r"GradientAccumulationScheduler|StochasticWeightAveraging|TQDMProgressBar|"
            r"RichProgressBar|ProgressBar|\w+Logger|\w+Strategy|\w+Plugin|DeviceStatsMonitor|"
            r"ModelSummary|BackboneFinetuning|Timer|seed_everything\(\)|CombinedLoader|DDP\w*"
        ),
        before="1.2",
        objects="Trainer",
        deep=2,
        owners_deep=2,
    ),
    "safetensors": Library(
        since="0.3",
        owners=r"\w+\(\)",
    ),
    "sentence_transformers": Library(
        since="2.2",
        owners=(
            r"SentenceTransformer\w*|SentenceTransformer\.(encode|fit|save\w*|push_to_hub)|"
            r"CrossEncoder|CrossEncoder\.(predict|fit|rank)|InputExample"
        ),
        owners_deep=2,
    ),
    "timm": Library(
        since="0.5",
        owners=(
            r"create_(model|optimizer\w*|scheduler\w*|loader|dataset|transform)\(\)|Mixup|"
            r"\w+LRScheduler|ModelEma\w*|CheckpointSaver"
        ),
        before="0.5",
        deep=2,
        owners_deep=2,
        private=r"_(?:pil_interp|init_vit_weights)",
    ),
    "torch_geometric": Library(
        since="2.0",
        owners=r"\w+Loader|Data|HeteroData|Planetoid|TUDataset|NeighborSampler|GAT|GCN|Node2Vec",
        before="1.2",
        objects="Data|HeteroData|Batch",
        owners_deep=2,
    ),
    "torchaudio": Library(
        since="0.8",
        owners=r"\w+|(?!(?:load|save)\(\))\w+\(\)",
        owners_deep=2,
    ),
    "torchmetrics": Library(
        since="0.7",
        owners=(
            r"Accuracy|F1Score|Precision|Recall|AUROC|ConfusionMatrix|MeanAveragePrecision|Metric|"
            r"MetricCollection|accuracy\(\)|f1_score\(\)"
        ),
        before="0.6",
        owners_deep=2,
    ),
    "torchtext": Library(
        since="0.3",
        owners=r"\w+|\w+\(\)",
        objects="Vocab",
        owners_deep=2,
        fields=True,
    ),
    "torchvision": Library(
        since="0.8",
        owners=r"\w+|\w+\(\)",
        deep=2,
        owners_deep=2,
        whole=(
            r"torchvision\.(models(\.(detection|segmentation|video))?|transforms(\.(functional|v2))?|datasets|ops|"
            r"io|utils)"
        ),
        named=r"model_urls|cfgs?|ConvBN\w+",
    ),
    "transformers": Library(
        since="4.20",
        owners=(
            r"Trainer|Seq2SeqTrainer|TrainingArguments|Seq2SeqTrainingArguments|"
            r"BitsAndBytesConfig|GenerationConfig|pipeline\(\)|DataCollator\w+|"
            r"EarlyStoppingCallback|Trainer\.(train|evaluate|save_model|push_to_hub|compute_loss|"
            r"training_step|prediction_step|log)|PreTrainedModel\.(from_pretrained|"
            r"save_pretrained|resize_token_embeddings)|GPTQConfig|AwqConfig|TextDataset|"
            r"LineByLineTextDataset|DynamicCache|StaticCache"
        ),
        before="4.0",
        objects="Trainer|Seq2SeqTrainer",
    ),
    "trl": Library(
        since="0.7",
        owners=r"\w+(Trainer|Config)|\w+ValueHead|DataCollator\w+|create_reference_model\(\)",
        before="0.5",
        objects="SFTTrainer|DPOTrainer|PPOTrainer|GRPOTrainer",
    ),
}

CHOSEN_AT_IMPORT = (
    "torchaudio load() save()|2.1||backend buffer_size uri",
    "torchaudio load() save()||2.1|filepath",
)
"""Members that a library chooses when it is imported, so that its sources do not tell: from its documentation."""
