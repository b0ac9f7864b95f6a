# argument: vocab_size=None
from transformers import Wav2Vec2Config, Wav2Vec2ForCTC

config = Wav2Vec2Config(
    vocab_size=None,
    hidden_size=16,
    num_hidden_layers=1,
    num_attention_heads=2,
    intermediate_size=16,
    conv_dim=(8, 8),
    conv_stride=(2, 2),
    conv_kernel=(3, 3),
    num_conv_pos_embeddings=4,
    num_conv_pos_embedding_groups=2,
)
model = Wav2Vec2ForCTC(config)
