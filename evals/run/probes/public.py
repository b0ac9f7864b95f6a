"""Probes of public models that nobody here wrote: a look at false alarms only.

    PYTHONPATH=src:FOLDERS python evals/run/probes/public.py

FOLDERS hold vit-pytorch 1.26, einops, x-transformers and minGPT, outside of site-packages: their code then
counts as the user's. What cannot be built is left out and counted.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import fingerprint
import torch
import torch.nn.functional as F
from torch import nn

from keng.run.probes import Call, probe_run

SMALL = dict(image_size=32, patch_size=8, num_classes=5, dim=32, depth=2, heads=2, mlp_dim=32)
VISION = {
    "vit:ViT": {}, "simple_vit:SimpleViT": {}, "deepvit:DeepViT": {}, "parallel_vit:ViT": {}, "vit_with_patch_dropout:ViT": {},
    "vit_for_small_dataset:ViT": {}, "learnable_memory_vit:ViT": {}, "vit_with_patch_merger:ViT": dict(patch_merge_layer=1, patch_merge_num_tokens=4),
    "simple_vit_with_register_tokens:SimpleViT": {}, "simple_vit_with_qk_norm:SimpleViT": {}, "simple_vit_with_fft:SimpleViT": dict(freq_patch_size=8),
    "simple_vit_with_value_residual:SimpleViT": {}, "simple_vit_with_patch_dropout:SimpleViT": {}, "simple_vit_with_hyper_connections:SimpleViT": dict(num_residual_streams=2),
    "simple_vit_with_sparse_gating:SimpleViT": {}, "simple_vit_with_relative_proj_pos_bias:SimpleViT": {}, "simple_vit_attn_residual:SimpleViT": {},
    "simple_vit_orthog_residual_update:SimpleViT": {}, "simple_vit_with_specialized_cls:SimpleViT": {}, "normalized_vit:nViT": {},
    "jumbo_vit:JumboViT": dict(num_jumbo_cls=1, jumbo_cls_k=2, jumbo_ff_mult=2, num_register_tokens=2), "rvt:RvT": {}, "looped_vit:LoopedViT": {},
    "cait:CaiT": dict(cls_depth=1, layer_dropout=0.0), "es_vit:ViT": {}, "jet_vit:JetViT": {}, "vit_detpool:ViT": {}, "vit_with_keel_post_ln:ViT": {},
    "vit_with_decorr:ViT": {}, "wwt:WWT": {}, "ats_vit:ViT": dict(max_tokens_per_depth=(8, 6)), "vit_5:ViT": {}, "simple_flash_attn_vit:SimpleViT": {}, "attn_residual_with_dca_simple_vit:SimpleViT": {},
}  # fmt: skip
OTHERS: dict[str, dict[str, Any]] = {
    "cct:CCT": dict(img_size=32, embedding_dim=32, n_conv_layers=1, kernel_size=3, stride=2, padding=1, pooling_kernel_size=3, pooling_stride=2, pooling_padding=1, num_layers=2, num_heads=2, mlp_ratio=1.0, num_classes=5, positional_embedding="learnable"),
    "cross_vit:CrossViT": dict(image_size=32, num_classes=5, depth=1, sm_dim=16, sm_patch_size=8, sm_enc_depth=1, sm_enc_heads=2, sm_enc_mlp_dim=16, lg_dim=24, lg_patch_size=16, lg_enc_depth=1, lg_enc_heads=2, lg_enc_mlp_dim=24, cross_attn_depth=1, cross_attn_heads=2),
    "crossformer:CrossFormer": dict(num_classes=5, dim=(16, 16, 32, 32), depth=(1, 1, 1, 1), global_window_size=(2, 2, 1, 1), local_window_size=2),
    "pit:PiT": dict(image_size=32, patch_size=8, dim=16, num_classes=5, depth=(1, 1), heads=2, mlp_dim=32),
    "levit:LeViT": dict(image_size=32, num_classes=5, stages=1, dim=16, depth=2, heads=2, mlp_mult=2),
    "cvt:CvT": dict(num_classes=5, s1_emb_dim=16, s1_heads=1, s2_emb_dim=16, s2_heads=1, s2_depth=1, s3_emb_dim=16, s3_heads=1, s3_depth=1),
    "twins_svt:TwinsSVT": dict(num_classes=5, s1_emb_dim=16, s1_patch_size=2, s1_local_patch_size=2, s1_global_k=2, s2_emb_dim=16, s2_patch_size=2, s2_local_patch_size=2, s2_global_k=2, s3_emb_dim=16, s3_patch_size=2, s3_local_patch_size=2, s3_global_k=2, s3_depth=1, s4_emb_dim=16, s4_patch_size=1, s4_local_patch_size=2, s4_global_k=2),
    "regionvit:RegionViT": dict(dim=(16, 16, 32, 32), depth=(1, 1, 1, 1), window_size=2, num_classes=5),
    "scalable_vit:ScalableViT": dict(num_classes=5, dim=16, heads=(1, 1), depth=(1, 1), ssa_dim_key=8, reduction_factor=2, window_size=2),
    "sep_vit:SepViT": dict(num_classes=5, dim=16, dim_head=8, heads=(1, 1), depth=(1, 1), window_size=2),
    "max_vit:MaxViT": dict(num_classes=5, dim=16, dim_conv_stem=8, dim_head=8, depth=(1,), window_size=4, mbconv_expansion_rate=2),
    "nest:NesT": dict(image_size=32, patch_size=4, dim=16, heads=2, num_hierarchies=2, block_repeats=(1, 1), num_classes=5),
    "mobile_vit:MobileViT": dict(image_size=(64, 64), dims=[16, 16, 16], channels=[8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 16], num_classes=5),
    "xcit:XCiT": dict(image_size=32, patch_size=8, num_classes=5, dim=16, depth=1, cls_depth=1, heads=2, mlp_dim=16),
    "t2t:T2TViT": dict(dim=16, image_size=32, depth=1, heads=2, mlp_dim=16, num_classes=5, t2t_layers=((3, 2), (3, 2))),
    "local_vit:LocalViT": SMALL, "simple_uvit:SimpleUViT": SMALL,
    "look_vit:LookViT": dict(dim=32, image_size=32, num_classes=5, depth=1, patch_size=8, heads=2, dim_head=8, highres_patch_size=4, highres_mlp_factor=1, cross_attn_heads=1, cross_attn_dim_head=8, patch_conv_kernel_size=3),
}  # fmt: skip
VIDEO = dict(
    image_size=16,
    image_patch_size=8,
    frames=4,
    frame_patch_size=2,
    num_classes=5,
    dim=16,
    depth=1,
    heads=2,
    mlp_dim=16,
)


def images() -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    for name, more in {
        **{key: {**SMALL, **value} for key, value in VISION.items()},
        **OTHERS,
    }.items():
        size = 64 if name.startswith("mobile") else 32
        yield (
            name,
            lambda name=name, more=more, size=size: classified(
                _made(name, more), torch.randn(9, 3, size, size)
            ),
        )
    for name in ("vit_3d:ViT", "simple_vit_3d:SimpleViT", "simple_flash_attn_vit_3d:SimpleViT"):
        yield name, lambda name=name: classified(_made(name, VIDEO), torch.randn(8, 3, 4, 16, 16))
    yield (
        "vivit:ViT",
        lambda: classified(
            _made(
                "vivit:ViT",
                dict(
                    image_size=16,
                    image_patch_size=8,
                    frames=4,
                    frame_patch_size=2,
                    num_classes=5,
                    dim=16,
                    spatial_depth=1,
                    temporal_depth=1,
                    heads=2,
                    mlp_dim=16,
                ),
            ),
            torch.randn(8, 3, 4, 16, 16),
        ),
    )
    for name in ("vit_1d:ViT", "simple_vit_1d:SimpleViT"):
        yield (
            name,
            lambda name=name: classified(
                _made(
                    name,
                    dict(
                        seq_len=32,
                        patch_size=4,
                        num_classes=5,
                        dim=16,
                        depth=1,
                        heads=2,
                        mlp_dim=16,
                    ),
                ),
                torch.randn(9, 3, 32),
            ),
        )
    yield (
        "efficient",
        lambda: classified(
            _made(
                "efficient:ViT",
                dict(
                    dim=16,
                    image_size=32,
                    patch_size=8,
                    num_classes=5,
                    transformer=import_module("vit_pytorch.simple_vit").Transformer(
                        16, 1, 2, 8, 16
                    ),
                ),
            ),
            torch.randn(9, 3, 32, 32),
        ),
    )
    for name in ("mae:MAE", "simmim:SimMIM"):
        yield name, lambda name=name: _masked(name)


def _masked(name: str) -> dict[str, Any]:
    encoder = _made("vit:ViT", SMALL)
    more = (
        dict(decoder_dim=16, masking_ratio=0.5, decoder_depth=1)
        if name.startswith("mae")
        else dict(masking_ratio=0.5)
    )
    return dict(
        model=_made(name, dict(encoder=encoder, **more)),
        args=(torch.randn(8, 3, 32, 32),),
        loss=lambda out, _: out,
    )


def _made(name: str, more: dict[str, Any]) -> nn.Module:
    module, _, kind = name.partition(":")
    model: nn.Module = getattr(import_module(f"vit_pytorch.{module}"), kind)(**more)
    return model


def classified(model: nn.Module, x: torch.Tensor) -> dict[str, Any]:
    return dict(model=model, args=(x,), targets=torch.randint(5, (len(x),)), loss=F.cross_entropy)


DECODERS: dict[str, dict[str, Any]] = {
    "plain": {}, "rotary": dict(rotary_pos_emb=True), "alibi": dict(alibi_pos_bias=True, alibi_num_heads=2), "t5": dict(rel_pos_bias=True),
    "dynamic": dict(dynamic_pos_bias=True), "memory": dict(attn_num_mem_kv=3), "glu": dict(ff_glu=True, ff_swish=True), "qk": dict(attn_qk_norm=True),
    "shift": dict(shift_tokens=1), "talking": dict(attn_talking_heads=True), "gate": dict(attn_gate_values=True), "one kv": dict(attn_one_kv_head=True),
    "sandwich": dict(sandwich_norm=True), "rms": dict(use_rmsnorm=True), "macaron": dict(macaron=True), "residual": dict(residual_attn=True),
    "deepnorm": dict(pre_norm=False), "sparse": dict(attn_sparse_topk=4), "on": dict(attn_on_attn=True), "xpos": dict(rotary_xpos=True),
}  # fmt: skip


def sequences() -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    for name, more in DECODERS.items():
        yield f"x-transformers decoder {name}", lambda more=more: _decoder(more)
        yield f"x-transformers encoder {name}", lambda more=more: _encoder(more)
    yield "x-transformers autoregressive", _autoregressive
    yield "x-transformers translation", _translation
    yield "minGPT", _mingpt


def _wrapped(kind: str, more: dict[str, Any]) -> nn.Module:
    x = import_module("x_transformers")
    layers = getattr(x, kind)(dim=32, depth=2, heads=2, attn_dim_head=16, **more)
    extra = {} if kind == "Decoder" else dict(num_memory_tokens=2)
    model: nn.Module = x.TransformerWrapper(
        num_tokens=40, max_seq_len=32, attn_layers=layers, **extra
    )
    return model


def _lm(out: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return F.cross_entropy(out.flatten(0, 1), y.flatten())


def _decoder(more: dict[str, Any]) -> dict[str, Any]:
    text = torch.randint(1, 40, (11, 14))
    return dict(
        model=_wrapped("Decoder", more), args=(text[:, :-1],), targets=text[:, 1:], loss=_lm
    )


def _encoder(more: dict[str, Any]) -> dict[str, Any]:
    lengths = torch.randint(4, 13, (11,))
    lengths[0] = 12
    mask = torch.arange(12)[None] < lengths[:, None]
    ids = torch.randint(1, 40, (11, 12)) * mask
    targets = ids.masked_fill(~mask, -100)
    loss = lambda out, y: F.cross_entropy(out.flatten(0, 1), y.flatten(), ignore_index=-100)
    return dict(
        model=_wrapped("Encoder", more),
        args=(ids,),
        kwargs=dict(mask=mask),
        targets=targets,
        loss=loss,
    )


def _autoregressive() -> dict[str, Any]:
    x = import_module("x_transformers")
    text = torch.randint(1, 40, (11, 14))
    return dict(
        model=x.AutoregressiveWrapper(_wrapped("Decoder", {})),
        args=(text,),
        loss=lambda out, _: out,
    )


def _translation() -> dict[str, Any]:
    x = import_module("x_transformers")
    model = x.XTransformer(
        dim=32,
        enc_num_tokens=40,
        enc_depth=1,
        enc_heads=2,
        enc_max_seq_len=16,
        dec_num_tokens=40,
        dec_depth=1,
        dec_heads=2,
        dec_max_seq_len=16,
    )
    mask = torch.arange(10)[None] < torch.randint(4, 11, (9, 1))
    return dict(
        model=model,
        args=(torch.randint(1, 40, (9, 10)) * mask, torch.randint(1, 40, (9, 8))),
        kwargs=dict(mask=mask),
        loss=lambda out, _: out,
    )


def _mingpt() -> dict[str, Any]:
    kind = import_module("mingpt.model").GPT
    config = kind.get_default_config()
    config.model_type, config.vocab_size, config.block_size = "gpt-nano", 40, 16
    text = torch.randint(40, (9, 14))
    return dict(
        model=kind(config),
        args=(text[:, :-1], text[:, 1:].contiguous()),
        loss=lambda out, _: out[1],
    )


def main() -> int:
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    counts: Counter[str] = Counter()
    for name, build in [*images(), *sequences()]:
        torch.manual_seed(0)
        try:
            given = build()
            given["model"](*given["args"], **given.get("kwargs", {}))
        except Exception as error:
            counts["not built"] += 1
            print(f"NOT BUILT {name}: {type(error).__name__}: {str(error)[:100]}", flush=True)
            continue
        call = Call(**given)
        before = fingerprint.of(call)
        report = probe_run(call)
        counts["models"] += 1
        counts["changed"] += before != fingerprint.of(call)
        if report.refused:
            counts["refused"] += 1
            print(f"REFUSED {name}: {report.refused}", flush=True)
        for each in report.everything:
            counts[each.confidence] += 1
            where = each.place.where if each.place else None
            print(
                f"  {each.confidence:<8} {name}: {each.pitfall} {'+'.join(each.probes)} @ {where and (Path(where.path).name, where.line)} {each.place and each.place.operation} {each.says[:150]}",
                flush=True,
            )
        if len(sys.argv) > 1:
            print(
                name,
                {
                    each.probe: each.verdict if each.verdict != "skipped" else str(each.seen)[:60]
                    for each in report.outcomes
                },
            )
    print(dict(counts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
