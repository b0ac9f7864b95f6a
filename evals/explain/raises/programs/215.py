# argument: num_heads=5
from transformers.models.wav2vec2.modeling_wav2vec2 import Wav2Vec2Attention

attention = Wav2Vec2Attention(embed_dim=96, num_heads=5)
