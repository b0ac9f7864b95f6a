"""Operations of computer vision with gradients, by kornia: learn how an image was turned and blurred.

Warp, blur and colour in a training step. The angle, shift and strength of the blur are parameters, and
gradient descent finds them from the picture that came out.

Needs kornia and scikit-learn.

Avoids: graph-cut-by-conversion, parameters-not-optimized, image-scale-unexpected
"""

import torch
from kornia.color import rgb_to_grayscale
from kornia.filters import gaussian_blur2d
from kornia.geometry.transform import get_affine_matrix2d, warp_affine
from sklearn.datasets import load_sample_image
from torch import Tensor, nn

STEPS = 100


class Camera(nn.Module):
    """Turns, shifts, blurs and takes the colour away: images (N, 3, H, W) between 0 and 1."""

    def __init__(self, degrees: float, shift: tuple[float, float], blur: float) -> None:
        super().__init__()
        self.degrees = nn.Parameter(torch.tensor([degrees]))
        self.shift = nn.Parameter(torch.tensor([shift]))
        self.blur = nn.Parameter(torch.tensor([[blur, blur]]))

    def forward(self, images: Tensor) -> Tensor:
        height, width = images.shape[-2:]
        centre = images.new_tensor([[width / 2, height / 2]])  # where the images are
        size = torch.ones_like(centre)
        matrix = get_affine_matrix2d(self.shift, centre, size, self.degrees)[:, :2]
        warped = warp_affine(images, matrix, (height, width))
        return rgb_to_grayscale(gaussian_blur2d(warped, (9, 9), self.blur))


def main() -> None:
    torch.manual_seed(0)
    photo = torch.from_numpy(load_sample_image("china.jpg")[::12, ::12].copy())
    images = photo.permute(2, 0, 1).unsqueeze(0).float() / 255  # before any filter: 0 to 1
    with torch.no_grad():
        seen = Camera(8.0, (2.0, -1.5), 1.5)(images)
    camera = Camera(0.0, (0.0, 0.0), 2.5)
    optimizer = torch.optim.Adam(camera.parameters(), lr=0.2)
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = (camera(images) - seen).square().mean()
        loss.backward()
        optimizer.step()
    (x, y) = camera.shift[0].tolist()
    print(f"turned {camera.degrees.item():.2f} degrees (8), shifted {x:.2f}, {y:.2f} (2, -1.5)")
    print(f"blurred {camera.blur.mean().item():.2f} (1.5), loss {loss.item():.1e}")


if __name__ == "__main__":
    main()
