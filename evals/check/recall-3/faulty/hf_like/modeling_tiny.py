"""PyTorch Tiny model."""
import math
from typing import Optional, Tuple

import torch
import torch.nn.functional as F
import torch.utils.checkpoint
from torch import nn
from transformers import PreTrainedModel
from transformers.modeling_outputs import BaseModelOutput, SequenceClassifierOutput

from .configuration_tiny import TinyConfig


class TinySelfAttention(nn.Module):
    def __init__(self, config: TinyConfig):
        super().__init__()
        self.num_heads = config.num_heads
        self.head_dim = config.hidden_size // config.num_heads
        self.qkv = nn.Linear(config.hidden_size, 3 * config.hidden_size)
        self.out = nn.Linear(config.hidden_size, config.hidden_size)
        self.dropout = config.dropout
        self.scale = nn.Parameter(torch.tensor(1.0 / math.sqrt(self.head_dim)))

    def forward(self, hidden_states: torch.Tensor, attention_mask: Optional[torch.Tensor] = None) -> torch.Tensor:
        batch, length, _ = hidden_states.size()
        q, k, v = self.qkv(hidden_states).chunk(3, dim=-1)
        q = q.view(batch, length, self.num_heads, self.head_dim).transpose(1, 2)
        k = k.view(batch, length, self.num_heads, self.head_dim).transpose(1, 2)
        v = v.view(batch, length, self.num_heads, self.head_dim).transpose(1, 2)
        scores = torch.matmul(q, k.transpose(-1, -2)) * float(self.scale)  # check: graph-cut-by-conversion
        if attention_mask is not None:
            scores = scores + attention_mask
        probs = F.dropout(F.softmax(scores, dim=-1), p=self.dropout)  # check: functional-dropout-always-on
        context = torch.matmul(probs, v).transpose(1, 2)
        return self.out(context.view(batch, length, -1))  # check: view-of-noncontiguous


class TinyLayer(nn.Module):
    def __init__(self, config: TinyConfig):
        super().__init__()
        self.attention = TinySelfAttention(config)
        self.norm1 = nn.LayerNorm(config.hidden_size)
        self.norm2 = nn.LayerNorm(config.hidden_size)
        self.mlp = nn.Sequential(
            nn.Linear(config.hidden_size, 4 * config.hidden_size),
            nn.GELU(),
            nn.Linear(4 * config.hidden_size, config.hidden_size),
            nn.Dropout(config.dropout),
        )

    def forward(self, hidden_states, attention_mask=None):
        hidden_states = hidden_states + self.attention(self.norm1(hidden_states), attention_mask)
        return hidden_states + self.mlp(self.norm2(hidden_states))


class TinyPreTrainedModel(PreTrainedModel):
    config_class = TinyConfig
    base_model_prefix = "tiny"
    supports_gradient_checkpointing = True

    def _init_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            module.weight.data.normal_(mean=0.0, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            module.bias.data.zero_()


class TinyModel(TinyPreTrainedModel):
    def __init__(self, config: TinyConfig):
        super().__init__(config)
        self.embed = nn.Embedding(config.vocab_size, config.hidden_size)
        self.layers = nn.ModuleList([TinyLayer(config) for _ in range(config.num_layers)])
        self.gradient_checkpointing = False
        self.post_init()

    def forward(self, input_ids, attention_mask=None) -> BaseModelOutput:
        hidden_states = self.embed(input_ids)
        mask = None
        if attention_mask is not None:
            mask = (1.0 - attention_mask[:, None, None, :].to(hidden_states.dtype)) * -1e4
        for layer in self.layers:
            if self.gradient_checkpointing and self.training:
                hidden_states = torch.utils.checkpoint.checkpoint(layer, hidden_states, mask)  # check: checkpoint-use-reentrant-unset
            else:
                hidden_states = layer(hidden_states, mask)
        return BaseModelOutput(last_hidden_state=hidden_states)


class TinyForSequenceClassification(TinyPreTrainedModel):
    def __init__(self, config: TinyConfig):
        super().__init__(config)
        self.tiny = TinyModel(config)
        self.classifier = nn.Linear(config.hidden_size, config.num_labels)
        self.post_init()

    def forward(self, input_ids, attention_mask=None, labels=None) -> SequenceClassifierOutput:
        hidden = self.tiny(input_ids, attention_mask).last_hidden_state
        logits = self.classifier(hidden[:, 0])
        loss = None
        if labels is not None:
            loss = nn.CrossEntropyLoss()(logits.view(-1, self.config.num_labels), labels.view(-1))
        return SequenceClassifierOutput(loss=loss, logits=logits)
