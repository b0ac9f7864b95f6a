"""Writes honest checkpoints with the libraries that are installed, each by its own way of saving.

    python evals/ckpt/honest.py FOLDER

A library that is missing is passed over. The script runs under old versions of torch as well.
"""

from __future__ import annotations

import argparse
import collections
import datetime
import os
import pathlib
import pickle
import sys
import warnings
from collections.abc import Callable

import torch
from torch import nn

WRITERS: list[Callable[[str], object]] = []


def writer(function: Callable[[str], object]) -> Callable[[str], object]:
    WRITERS.append(function)
    return function


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer, self.norm = nn.Linear(3, 4), nn.BatchNorm1d(4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(self.layer(x)).relu()


def layers() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Dropout(0.1), nn.Flatten(),
        nn.Linear(4, 5), nn.LayerNorm(5), nn.GELU(), nn.Softmax(dim=-1),
    )  # fmt: skip


@writer
def weights(folder: str) -> None:
    model = layers()
    torch.save(model.state_dict(), f"{folder}/weights.pt")
    torch.save(model.state_dict(), f"{folder}/weights.pth", _use_new_zipfile_serialization=False)
    for protocol in (3, 4, 5):
        torch.save(model.state_dict(), f"{folder}/protocol-{protocol}.pt", pickle_protocol=protocol)
    torch.save({}, f"{folder}/empty.pt")
    torch.save(torch.zeros(0, 3), f"{folder}/no-elements.pt")
    torch.save([torch.ones(2), 1, "x", None, 2.5, b"y", (1, 2), {3}], f"{folder}/values.pt")
    torch.save(torch.ones(4, 4).t()[1:], f"{folder}/view.pt")
    torch.save({"ä" * 50: torch.ones(1)}, f"{folder}/ünïcode 模型.pt")
    torch.save({f"k{n}": torch.ones(n) for n in range(300)}, f"{folder}/many.pt")


@writer
def models(folder: str) -> None:
    for name, model in {
        "layers": layers(),
        "lstm": nn.LSTM(3, 4, 2),
        "attention": nn.TransformerEncoderLayer(8, 2),
    }.items():
        torch.save(model, f"{folder}/model-{name}.pt")
        torch.save(model, f"{folder}/model-{name}.pth", _use_new_zipfile_serialization=False)


@writer
def dtypes(folder: str) -> None:
    kinds = (
        "float64 float16 bfloat16 int64 int32 int16 int8 uint8 bool complex64 complex128".split()
    )
    kinds += [k for k in ("float8_e4m3fn", "uint16", "uint32", "uint64") if hasattr(torch, k)]
    torch.save({k: torch.zeros(3, dtype=getattr(torch, k)) for k in kinds}, f"{folder}/dtypes.pt")
    torch.save(torch.eye(3).to_sparse(), f"{folder}/sparse.pt")
    torch.save(
        torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.quint8), f"{folder}/quantized.pt"
    )
    torch.save(torch.nn.Parameter(torch.ones(2)), f"{folder}/parameter.pt")
    torch.save(torch.ones(2, device="meta"), f"{folder}/meta.pt")


@writer
def training(folder: str) -> None:
    model = Net()
    for kind in (torch.optim.Adam, torch.optim.SGD, torch.optim.RMSprop):
        optimizer = kind(model.parameters(), lr=0.1)
        model(torch.randn(8, 3)).sum().backward()
        optimizer.step()
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 3)
        state = {
            "epoch": 3, "model": model.state_dict(), "optimizer": optimizer.state_dict(),
            "scheduler": scheduler.state_dict(), "args": argparse.Namespace(lr=0.1, out=pathlib.Path("x")),
            "when": datetime.datetime(2026, 1, 2), "history": collections.defaultdict(list, {"loss": [1.0]}),
            "rng": torch.get_rng_state(),
        }  # fmt: skip
        torch.save(state, f"{folder}/training-{kind.__name__}.ckpt")


@writer
def scripts(folder: str) -> None:
    torch.jit.script(Net()).save(f"{folder}/script.pt")
    torch.jit.save(
        torch.jit.script(layers()),
        f"{folder}/script-layers.pt",
        _extra_files={"notes.txt": "hello"},
    )
    torch.jit.trace(Net().eval(), torch.ones(2, 3)).save(f"{folder}/trace.pt")
    torch.jit.freeze(torch.jit.script(Net().eval())).save(f"{folder}/frozen.pt")
    torch.jit.script(nn.LSTM(3, 4)).save(f"{folder}/script-lstm.pt")
    torch.jit.script(nn.TransformerEncoderLayer(8, 2)).save(f"{folder}/script-attention.pt")
    torch.jit.trace(layers().eval(), torch.ones(1, 3, 3, 3)).save(f"{folder}/trace-layers.pt")
    torch.jit.script(Net())._save_for_lite_interpreter(f"{folder}/lite.ptl")


@writer
def quantized_scripts(folder: str) -> None:
    small = torch.ao.quantization.quantize_dynamic(Net(), {nn.Linear}, dtype=torch.qint8)
    torch.jit.script(small).save(f"{folder}/script-quantized.pt")
    torch.save(small.state_dict(), f"{folder}/quantized-state.pt")


@writer
def exported(folder: str) -> None:
    batch = torch.export.Dim("batch", min=2, max=64)
    program = torch.export.export(
        Net().eval(), (torch.randn(5, 3),), dynamic_shapes={"x": {0: batch}}
    )
    torch.export.save(program, f"{folder}/program.pt2")
    torch.export.save(program, f"{folder}/program-extra.pt2", extra_files={"notes.txt": "hello"})
    torch.export.save(
        torch.export.export(layers().eval(), (torch.ones(1, 3, 3, 3),)), f"{folder}/layers.pt2"
    )


@writer
def exported_dynamic(folder: str) -> None:
    class Shapes(nn.Module):
        def forward(self, x: torch.Tensor, y: dict[str, torch.Tensor]) -> list[torch.Tensor]:
            half = x[: x.shape[0] // 2]
            kept = torch.cond(x.sum() > 0, lambda t: t.sin(), lambda t: t.cos(), (x,))
            return [half, kept, y["a"].reshape(-1, 2), x.new_zeros(x.shape[0] * 2 + 1)]

    anything = torch.export.Dim.AUTO
    shapes = {"x": {0: anything}, "y": {"a": {0: anything}}}
    example = torch.randn(6, 3), {"a": torch.randn(4, 2)}
    program = torch.export.export(Shapes(), example, dynamic_shapes=shapes)
    torch.export.save(program, f"{folder}/shapes.pt2")


@writer
def distributed(folder: str) -> None:
    import torch.distributed.checkpoint as dcp

    dcp.save({"model": Net().state_dict(), "step": 7}, checkpoint_id=f"{folder}/dcp")


@writer
def arrays(folder: str) -> None:
    import numpy as np

    records = np.zeros(3, dtype=[("a", "<f4"), ("b", "<i8", (2,))])
    several = {
        "a": np.ones((2, 3)),
        "b": np.asfortranarray(np.ones((2, 3), "f4")),
        "c": np.array("text"),
        "d": np.zeros((), "i1"),
    }
    np.savez(
        f"{folder}/arrays.npz", **several, e=records, f=np.zeros(0), g=np.array(["2020"], "M8[D]")
    )
    np.savez_compressed(f"{folder}/packed.npz", **several)
    np.savez(f"{folder}/objects.npz", x=np.array([1, "a", None], dtype=object))
    for name, array in several.items():
        np.save(f"{folder}/{name}.npy", array)
    np.save(f"{folder}/records.npy", records)
    with open(f"{folder}/arrays.pkl", "wb") as file:
        pickle.dump({**several, "n": np.float64(1.5), "r": records}, file)
    torch.save(
        {"best": np.float64(0.5), "history": np.ones(3), "rng": np.random.get_state()},
        f"{folder}/numpy.pt",
    )
    with open(f"{folder}/generator.pkl", "wb") as file:
        pickle.dump(np.random.default_rng(0), file)


@writer
def tables(folder: str) -> None:
    import joblib
    import numpy as np

    joblib.dump(
        {"x": np.ones((3, 4)), "y": np.arange(5, dtype="i2"), "z": "text"},
        f"{folder}/arrays.joblib",
    )
    joblib.dump(np.array([1, "a"], dtype=object), f"{folder}/objects.joblib")
    for end in ("gz", "z", "bz2", "xz"):
        joblib.dump([np.ones(100), "text"], f"{folder}/packed.joblib.{end}")
    joblib.dump(np.zeros(3, dtype=[("a", "<f4"), ("b", "<i8")]), f"{folder}/records.joblib")
    joblib.dump(
        [np.asfortranarray(np.ones((3, 2))), np.zeros(0), np.array(["ab"])],
        f"{folder}/orders.joblib",
    )


@writer
def learners(folder: str) -> None:
    import joblib
    import numpy as np
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    x, y = np.random.default_rng(0).normal(size=(30, 4)), np.arange(30) % 2
    forest = RandomForestClassifier(n_estimators=3).fit(x, y)
    pipe = make_pipeline(StandardScaler(), LogisticRegression()).fit(x, y)
    for name, model in {"forest": forest, "pipeline": pipe}.items():
        joblib.dump(model, f"{folder}/{name}.joblib")
        with open(f"{folder}/{name}.pkl", "wb") as file:
            pickle.dump(model, file)


@writer
def headers(folder: str) -> None:
    from safetensors.torch import save_file

    for count in (1, 2, 3, 40):
        tensors = {f"layer{n}.weight": torch.ones(3, n + 1) for n in range(count)}
        save_file(tensors, f"{folder}/tensors-{count}.safetensors", metadata={"format": "pt"})
    save_file({"ä": torch.zeros(0)}, f"{folder}/empty.safetensors")
    for length in (0x82, 0x83, 0x84, 0x50, 0x49, 0x95, 0x28, 0x63, 0x4E, 0x2E, 0x58):
        _header_of(length, f"{folder}/header-{length:02x}.safetensors")


def _header_of(low: int, path: str) -> None:
    """A header whose length ends in a byte that is an opcode of pickles."""
    head = b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
    size = next(n for n in range(low, 1 << 16, 256) if n >= len(head))
    with open(path, "wb") as file:
        file.write(size.to_bytes(8, "little") + head.ljust(size) + bytes(4))


@writer
def libraries(folder: str) -> None:
    from transformers import BertConfig, BertModel

    config = BertConfig(
        vocab_size=30,
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
    )
    model = BertModel(config)
    model.save_pretrained(f"{folder}/bert")
    torch.save(model.state_dict(), f"{folder}/pytorch_model.bin")


@writer
def lightning_checkpoint(folder: str) -> None:
    import lightning

    class Module(lightning.LightningModule):
        def __init__(self, lr: float = 0.1) -> None:
            super().__init__()
            self.save_hyperparameters()
            self.net = nn.Linear(3, 1)

        def training_step(self, batch: torch.Tensor) -> torch.Tensor:
            return self.net(batch).sum()

        def configure_optimizers(self) -> torch.optim.Optimizer:
            return torch.optim.Adam(self.parameters())

    trainer = lightning.Trainer(
        max_steps=1, logger=False, enable_progress_bar=False, enable_model_summary=False,
        enable_checkpointing=False, accelerator="cpu", default_root_dir=folder,
    )  # fmt: skip
    trainer.fit(Module(), torch.utils.data.DataLoader(torch.randn(4, 3)))
    trainer.save_checkpoint(f"{folder}/lightning.ckpt")


@writer
def plain(folder: str) -> None:
    for protocol in range(6):
        value = {
            "a": [1, 2.5, None, True],
            "b": ("x", b"y"),
            "c": {1, 2},
            "d": collections.OrderedDict(a=1),
            3: 2**80,
        }
        with open(f"{folder}/plain-{protocol}.pkl", "wb") as file:
            pickle.dump(value, file, protocol)


def main(folder: str) -> None:
    os.makedirs(folder, exist_ok=True)
    for write in WRITERS:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                write(folder)
        except Exception as error:
            print(f"{write.__name__}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1])
