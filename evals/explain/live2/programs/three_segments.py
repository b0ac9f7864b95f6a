import torch
from transformers import BertConfig, BertModel

question = [5, 6, 7]
passages = [[8, 9, 10, 11], [12, 13]]


def encode(question, passages):
    ids, segments = list(question), [0] * len(question)
    for n, passage in enumerate(passages, 1):
        ids += passage
        segments += [n] * len(passage)
    return torch.tensor([ids]), torch.tensor([segments])


model = BertModel(
    BertConfig(
        vocab_size=40,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
    )
)
ids, segments = encode(question, passages)
print(model(ids, token_type_ids=segments).pooler_output.shape)
