"""Models around transformers' own, from tiny configurations."""

import torch
import torch.nn.functional as F
import transformers as tf
from torch import nn

SMALL = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64)


def padded(rows, length, vocab):
    lengths = torch.randint(3, length + 1, (rows,))
    lengths[0], lengths[1] = length, 3
    mask = (torch.arange(length)[None] < lengths[:, None]).long()
    return torch.randint(5, vocab, (rows, length)) * mask, mask


class BertPooled(nn.Module):
    def __init__(self):
        super().__init__()
        self.bert = tf.BertModel(tf.BertConfig(vocab_size=50, max_position_embeddings=32, **SMALL), add_pooling_layer=False)
        self.head = nn.Linear(32, 3)

    def forward(self, input_ids, attention_mask):
        hidden = self.bert(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(hidden.dtype)
        sentence = (hidden * mask).sum(1) / mask.sum(1)
        return self.head(sentence)


def build_bert_pooled():
    ids, mask = padded(12, 10, 50)
    return dict(model=BertPooled(), kwargs=dict(input_ids=ids, attention_mask=mask), targets=torch.randint(3, (12,)), loss=F.cross_entropy)


class GPT2Head(nn.Module):
    def __init__(self):
        super().__init__()
        config = tf.GPT2Config(vocab_size=60, n_positions=32, n_embd=32, n_layer=2, n_head=4)
        self.gpt = tf.GPT2Model(config)
        self.adapter = nn.Sequential(nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 32))
        self.head = nn.Linear(32, 60)

    def forward(self, ids):
        h = self.gpt(input_ids=ids).last_hidden_state
        h = h + self.adapter(h)
        return self.head(h)


def build_gpt2_head():
    text = torch.randint(60, (10, 12))
    loss = lambda out, y: F.cross_entropy(out.flatten(0, 1), y.flatten())
    return dict(model=GPT2Head(), args=(text[:, :-1],), targets=text[:, 1:], loss=loss)


def build_t5():
    model = tf.T5ForConditionalGeneration(tf.T5Config(vocab_size=60, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, decoder_start_token_id=0))
    ids, mask = padded(9, 10, 60)
    labels = torch.randint(5, 60, (9, 7))
    return dict(model=model, kwargs=dict(input_ids=ids, attention_mask=mask, labels=labels), loss=lambda out, _: out.loss)


def build_bert_mlm():
    model = tf.BertForMaskedLM(tf.BertConfig(vocab_size=50, max_position_embeddings=32, **SMALL))
    ids, mask = padded(9, 10, 50)
    labels = ids.masked_fill(torch.rand(9, 10) > 0.3, -100)
    return dict(model=model, kwargs=dict(input_ids=ids, attention_mask=mask, labels=labels), loss=lambda out, _: out.loss)


def build_llama():
    config = tf.LlamaConfig(vocab_size=60, max_position_embeddings=32, num_key_value_heads=2, **SMALL)
    ids, mask = padded(9, 10, 60)
    labels = ids.masked_fill(mask == 0, -100)
    return dict(model=tf.LlamaForCausalLM(config), kwargs=dict(input_ids=ids, attention_mask=mask, labels=labels), loss=lambda out, _: out.loss)


def build_vit_hf():
    model = tf.ViTForImageClassification(tf.ViTConfig(image_size=16, patch_size=4, num_labels=5, **SMALL))
    return dict(model=model, kwargs=dict(pixel_values=torch.randn(8, 3, 16, 16), labels=torch.randint(5, (8,))), loss=lambda out, _: out.loss)


def build_clip():
    text = dict(vocab_size=60, max_position_embeddings=16, eos_token_id=59, **SMALL)
    config = tf.CLIPConfig(text_config=text, vision_config=dict(image_size=16, patch_size=4, **SMALL), projection_dim=16)
    ids = torch.randint(5, 58, (8, 10))
    ids[:, -1] = 59
    return dict(model=tf.CLIPModel(config), kwargs=dict(input_ids=ids, pixel_values=torch.randn(8, 3, 16, 16), return_loss=True), loss=lambda out, _: out.loss)
