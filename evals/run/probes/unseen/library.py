"""Tiny random models of transformers, and models around them, that no rule was written on."""

import torch
import torch.nn.functional as F
import transformers as tf
from torch import nn

SMALL = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64)
TEXT = dict(vocab_size=60, max_position_embeddings=40, pad_token_id=0, **SMALL)


def padded(rows=9, length=10, vocab=60, first=5):
    lengths = torch.randint(3, length + 1, (rows,))
    lengths[0], lengths[1] = length, 3
    mask = (torch.arange(length)[None] < lengths[:, None]).long()
    return torch.randint(first, vocab, (rows, length)) * mask, mask


def classified(model):
    ids, mask = padded()
    return dict(model=model, kwargs=dict(input_ids=ids, attention_mask=mask, labels=torch.randint(2, (9,))), loss=own)


def causal(model):
    ids = torch.randint(5, 60, (9, 10))
    return dict(model=model, kwargs=dict(input_ids=ids, attention_mask=torch.ones_like(ids), labels=ids.clone()), loss=own)


def translating(model):
    ids, mask = padded()
    return dict(model=model, kwargs=dict(input_ids=ids, attention_mask=mask, labels=torch.randint(5, 60, (9, 7))), loss=own)


def imaged(model, size=16):
    return dict(model=model, kwargs=dict(pixel_values=torch.randn(8, 3, size, size), labels=torch.randint(2, (8,))), loss=own)


def own(out, _):
    return out.loss


def build_hf_roberta():
    return classified(tf.RobertaForSequenceClassification(tf.RobertaConfig(**TEXT)))


def build_hf_albert():
    return classified(tf.AlbertForSequenceClassification(tf.AlbertConfig(embedding_size=16, **TEXT)))


def build_hf_electra():
    return classified(tf.ElectraForSequenceClassification(tf.ElectraConfig(embedding_size=16, **TEXT)))


def build_hf_distilbert():
    config = tf.DistilBertConfig(vocab_size=60, max_position_embeddings=40, dim=32, n_layers=2, n_heads=4, hidden_dim=64)
    return classified(tf.DistilBertForSequenceClassification(config))


def build_hf_deberta():
    return classified(tf.DebertaV2ForSequenceClassification(tf.DebertaV2Config(relative_attention=True, pos_att_type=["p2c", "c2p"], **TEXT)))


def build_hf_mpnet():
    return classified(tf.MPNetForSequenceClassification(tf.MPNetConfig(**{**TEXT, "pad_token_id": 1})))


def build_hf_convbert():
    return classified(tf.ConvBertForSequenceClassification(tf.ConvBertConfig(embedding_size=32, **TEXT)))


def build_hf_opt():
    return causal(tf.OPTForCausalLM(tf.OPTConfig(vocab_size=60, hidden_size=32, ffn_dim=64, num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=40, word_embed_proj_dim=32)))


def build_hf_mistral():
    return causal(tf.MistralForCausalLM(tf.MistralConfig(num_key_value_heads=2, **TEXT)))


def build_hf_qwen2():
    return causal(tf.Qwen2ForCausalLM(tf.Qwen2Config(num_key_value_heads=2, **TEXT)))


def build_hf_gemma():
    return causal(tf.GemmaForCausalLM(tf.GemmaConfig(num_key_value_heads=2, head_dim=8, **TEXT)))


def build_hf_phi():
    return causal(tf.PhiForCausalLM(tf.PhiConfig(**TEXT)))


def build_hf_gptj():
    return causal(tf.GPTJForCausalLM(tf.GPTJConfig(vocab_size=60, n_positions=40, n_embd=32, n_layer=2, n_head=4, rotary_dim=4)))


def build_hf_gpt_neo():
    return causal(tf.GPTNeoForCausalLM(tf.GPTNeoConfig(vocab_size=60, max_position_embeddings=40, hidden_size=32, num_layers=2, attention_types=[[["global", "local"], 1]], num_heads=4, window_size=4)))


def build_hf_bloom():
    return causal(tf.BloomForCausalLM(tf.BloomConfig(vocab_size=60, hidden_size=32, n_layer=2, n_head=4)))


def build_hf_falcon():
    return causal(tf.FalconForCausalLM(tf.FalconConfig(vocab_size=60, hidden_size=32, num_hidden_layers=2, num_attention_heads=4)))


def build_hf_mamba():
    return causal(tf.MambaForCausalLM(tf.MambaConfig(vocab_size=60, hidden_size=32, state_size=4, num_hidden_layers=2)))


def build_hf_mixtral():
    return causal(tf.MixtralForCausalLM(tf.MixtralConfig(num_key_value_heads=2, num_local_experts=4, **TEXT)))


def build_hf_bart():
    return translating(tf.BartForConditionalGeneration(tf.BartConfig(vocab_size=60, max_position_embeddings=40, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, pad_token_id=0, decoder_start_token_id=2)))


def build_hf_marian():
    return translating(tf.MarianMTModel(tf.MarianConfig(vocab_size=60, max_position_embeddings=40, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, pad_token_id=0, decoder_start_token_id=0, eos_token_id=1)))


def build_hf_mt5():
    return translating(tf.MT5ForConditionalGeneration(tf.MT5Config(vocab_size=60, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, decoder_start_token_id=0)))


def build_hf_deit():
    return imaged(tf.DeiTForImageClassification(tf.DeiTConfig(image_size=16, patch_size=4, **SMALL)))


def build_hf_beit():
    return imaged(tf.BeitForImageClassification(tf.BeitConfig(image_size=16, patch_size=4, **SMALL)))


def build_hf_swin():
    return imaged(tf.SwinForImageClassification(tf.SwinConfig(image_size=32, patch_size=2, embed_dim=16, depths=[2, 2], num_heads=[2, 4], window_size=4)), 32)


def build_hf_convnext():
    return imaged(tf.ConvNextForImageClassification(tf.ConvNextConfig(hidden_sizes=[8, 16], depths=[1, 1], num_stages=2)), 32)


def build_hf_resnet():
    return imaged(tf.ResNetForImageClassification(tf.ResNetConfig(embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1])), 32)


def build_hf_mobilenet():
    return imaged(tf.MobileNetV2ForImageClassification(tf.MobileNetV2Config(image_size=32)), 32)


def build_hf_whisper():
    config = tf.WhisperConfig(vocab_size=60, num_mel_bands=8, num_mel_bins=8, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, max_source_positions=20, max_target_positions=20, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=3, begin_suppress_tokens=None, suppress_tokens=None)
    return dict(model=tf.WhisperForConditionalGeneration(config), kwargs=dict(input_features=torch.randn(8, 8, 40), labels=torch.randint(5, 60, (8, 9))), loss=own)


def build_hf_wav2vec2():
    config = tf.Wav2Vec2Config(vocab_size=20, conv_dim=(16, 16), conv_kernel=(8, 4), conv_stride=(4, 2), num_feat_extract_layers=2, num_conv_pos_embeddings=4, num_conv_pos_embedding_groups=2, mask_time_prob=0.0, feat_extract_norm="layer", do_stable_layer_norm=True, **SMALL)
    return dict(model=tf.Wav2Vec2Model(config), kwargs=dict(input_values=torch.randn(7, 400)))


def build_hf_patchtst():
    config = tf.PatchTSTConfig(num_input_channels=2, context_length=24, patch_length=4, patch_stride=4, prediction_length=6, d_model=16, num_hidden_layers=1, num_attention_heads=2, ffn_dim=32)
    return dict(model=tf.PatchTSTForPrediction(config), kwargs=dict(past_values=torch.randn(8, 24, 2), future_values=torch.randn(8, 6, 2)), loss=own)


def build_hf_videomae():
    return dict(model=tf.VideoMAEForVideoClassification(tf.VideoMAEConfig(image_size=16, patch_size=8, num_frames=4, tubelet_size=2, **SMALL)), kwargs=dict(pixel_values=torch.randn(7, 4, 3, 16, 16), labels=torch.randint(2, (7,))), loss=own)


def build_hf_segformer():
    config = tf.SegformerConfig(num_encoder_blocks=2, depths=[1, 1], sr_ratios=[2, 1], hidden_sizes=[16, 32], patch_sizes=[7, 3], strides=[4, 2], num_attention_heads=[1, 2], mlp_ratios=[2, 2], decoder_hidden_size=16, num_labels=4)
    return dict(model=tf.SegformerForSemanticSegmentation(config), kwargs=dict(pixel_values=torch.randn(7, 3, 32, 32), labels=torch.randint(4, (7, 32, 32))), loss=own)


class Sentence(nn.Module):
    """A bi-encoder: mean of the tokens of a tiny MPNet, normalized."""

    def __init__(self):
        super().__init__()
        self.encoder = tf.RobertaModel(tf.RobertaConfig(**TEXT), add_pooling_layer=False)
        self.project = nn.Linear(32, 16)

    def forward(self, input_ids, attention_mask):
        tokens = self.encoder(input_ids, attention_mask=attention_mask)[0]
        weights = attention_mask[..., None].float()
        mean = (tokens * weights).sum(dim=1) / weights.sum(dim=1)
        return F.normalize(self.project(mean), dim=-1)


def build_sentence():
    ids, mask = padded(11, 9)
    return dict(model=Sentence(), kwargs=dict(input_ids=ids, attention_mask=mask))


class PairReader(nn.Module):
    """Two texts through one DistilBERT, first tokens compared."""

    def __init__(self):
        super().__init__()
        config = tf.DistilBertConfig(vocab_size=60, max_position_embeddings=40, dim=32, n_layers=1, n_heads=4, hidden_dim=64)
        self.encoder = tf.DistilBertModel(config)
        self.head = nn.Linear(64, 2)

    def forward(self, batch):
        first = self.encoder(batch["ids"], attention_mask=batch["mask"]).last_hidden_state[:, 0]
        second = self.encoder(batch["other"], attention_mask=batch["other_mask"]).last_hidden_state[:, 0]
        return self.head(torch.cat([first * second, (first - second).abs()], dim=1))


def build_pair_reader():
    ids, mask = padded(10, 9)
    other, other_mask = padded(10, 12)
    batch = dict(ids=ids, mask=mask, other=other, other_mask=other_mask)
    return dict(model=PairReader(), args=(batch,), targets=torch.randint(2, (10,)), loss=F.cross_entropy)


class PrefixLanguage(nn.Module):
    """A frozen-size Llama with an added causal smoothing layer."""

    def __init__(self):
        super().__init__()
        self.core = tf.LlamaModel(tf.LlamaConfig(num_key_value_heads=2, **TEXT))
        self.smooth = nn.Conv1d(32, 32, 3)
        self.head = nn.Linear(32, 60)

    def forward(self, ids):
        h = self.core(input_ids=ids).last_hidden_state
        h = h + self.smooth(F.pad(h.transpose(1, 2), (2, 0))).transpose(1, 2)
        return self.head(h)


def build_prefix_language():
    text = torch.randint(60, (10, 13))
    loss = lambda out, y: F.cross_entropy(out.flatten(0, 1), y.flatten())
    return dict(model=PrefixLanguage(), args=(text[:, :-1],), targets=text[:, 1:], loss=loss)


class ImageText(nn.Module):
    """Late fusion of a tiny ViT and a tiny BERT."""

    def __init__(self):
        super().__init__()
        self.eyes = tf.ViTModel(tf.ViTConfig(image_size=16, patch_size=4, **SMALL), add_pooling_layer=False)
        self.ears = tf.BertModel(tf.BertConfig(**TEXT), add_pooling_layer=False)
        self.head = nn.Linear(64, 3)

    def forward(self, images, ids, mask):
        seen = self.eyes(pixel_values=images).last_hidden_state[:, 1:].mean(1)
        read = self.ears(input_ids=ids, attention_mask=mask).last_hidden_state[:, 0]
        return self.head(torch.cat([seen, read], -1))


def build_image_text():
    ids, mask = padded(9, 10)
    return dict(model=ImageText(), args=(torch.randn(9, 3, 16, 16), ids, mask), targets=torch.randint(3, (9,)), loss=F.cross_entropy)
