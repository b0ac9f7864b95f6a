# argument: [[("brightness"
from kornia.augmentation.auto import TrivialAugment

augment = TrivialAugment(policy=[[("brightness", 0.1, 0.9), ("contrast", 0.1, 0.9)]])
