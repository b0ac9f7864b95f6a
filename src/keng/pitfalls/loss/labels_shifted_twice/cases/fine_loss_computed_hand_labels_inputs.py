# the loss computed by hand; labels that are the inputs, masked; a model that does not shift; labels of words, not of positions
import torch
from torch.nn.functional import cross_entropy
from transformers import BartConfig, BartForCausalLM, BertConfig, BertForTokenClassification
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(vocab_size=20, n_positions=16, n_embd=8, n_layer=1, n_head=2))
small = dict(
    vocab_size=20, d_model=8, decoder_layers=1, decoder_attention_heads=2, decoder_ffn_dim=8
)
decoder = BartForCausalLM(BartConfig(max_position_embeddings=16, pad_token_id=1, **small))
tagger = BertForTokenClassification(
    BertConfig(
        vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, num_labels=20
    )
)
for ids in torch.randint(2, 20, (2, 4, 12)):
    inputs, targets = ids[:, :-1], ids[:, 1:]
    loss = cross_entropy(model(inputs).logits.flatten(0, 1), targets.flatten())
    masked = ids.clone()
    masked[:, :3] = -100
    loss = loss + model(ids, labels=masked).loss
    loss = loss + decoder(inputs, labels=targets.contiguous()).loss
    loss = loss + tagger(inputs, labels=targets.contiguous()).loss
    loss.backward()
