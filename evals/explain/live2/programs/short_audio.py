import torch
from transformers import Wav2Vec2Config, Wav2Vec2Model

SECONDS = 0.1
config = Wav2Vec2Config(
    hidden_size=16,
    num_hidden_layers=1,
    num_attention_heads=2,
    intermediate_size=32,
    conv_dim=(16,) * 7,
    num_conv_pos_embeddings=16,
    num_conv_pos_embedding_groups=2,
)
model = Wav2Vec2Model(config)
model.train()
wave = torch.randn(2, int(SECONDS * 16000))
print(model(wave).last_hidden_state.shape)
