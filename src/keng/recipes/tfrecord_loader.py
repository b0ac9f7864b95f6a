"""Read TFRecord files with several workers and ranks, every record exactly once.

The reader of the tfrecord package (version 1.14) shards by worker and not by rank, and checks no
checksums; here the number of the shard counts both. Images are decoded with PIL, OpenCV or NumPy. PNG
gives the same bytes with all three; JPEG differs by some grey levels between PIL and OpenCV where they are
built with other versions of libjpeg, and OpenCV's channels are blue, green, red.

Needs keng, opencv-python, pillow, scikit-learn and tfrecord.

Avoids: iterable-dataset-duplicated, bgr-image
"""

import io
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
import torch
from PIL import Image
from sklearn.datasets import load_digits
from tfrecord import TFRecordWriter, tfrecord_loader
from tfrecord.tools import create_index
from torch import Tensor
from torch.utils.data import DataLoader

from keng.toolbox import ShardedIterable

Sample = tuple[Tensor, int]
Decoder = Callable[[bytes], np.ndarray]
RECORDS = 200
WORKERS = 2


def by_pil(data: bytes) -> np.ndarray:
    return np.array(Image.open(io.BytesIO(data)).convert("RGB"))


def by_opencv(data: bytes) -> np.ndarray:
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return cv2.cvtColor(image, cv2.COLOR_BGR2RGB)


def by_numpy(data: bytes) -> np.ndarray:
    """For arrays stored as .npy: no codec, larger files, and the least work."""
    return np.load(io.BytesIO(data), allow_pickle=False)


def read(file: str, decode: Decoder, shard: int, shards: int) -> Iterator[Sample]:
    """One part of a file. The index, one line a record, says where the parts begin."""
    kinds = {"image": "byte", "label": "int"}
    for record in tfrecord_loader(file, file + ".index", kinds, (shard, shards)):
        image = decode(bytes(record["image"]))
        pixels = torch.from_numpy(image).permute(2, 0, 1).float() / 255
        yield pixels, int(record["label"][0])


def write(file: str, encode: Callable[[np.ndarray], bytes]) -> None:
    digits = load_digits()
    writer = TFRecordWriter(file)
    for image, label in list(zip(digits.images, digits.target, strict=True))[:RECORDS]:
        colour = np.repeat((image * 15).astype(np.uint8)[:, :, None], 3, axis=2)
        writer.write({"image": (encode(colour), "byte"), "label": (int(label), "int")})
    writer.close()
    create_index(file, file + ".index")


def png(image: np.ndarray) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(image).save(stream, "PNG")
    return stream.getvalue()


def npy(image: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, image)
    return stream.getvalue()


def main() -> None:
    with TemporaryDirectory() as folder:
        pngs, arrays = str(Path(folder, "png.tfrecord")), str(Path(folder, "npy.tfrecord"))
        write(pngs, png)
        write(arrays, npy)
        read_as = {"PIL": (pngs, by_pil), "OpenCV": (pngs, by_opencv), "NumPy": (arrays, by_numpy)}
        sums = {}
        for name, (file, decode) in read_as.items():
            dataset = ShardedIterable(partial(read, file, decode))
            loader = DataLoader(dataset, batch_size=32, num_workers=WORKERS)
            batches = list(loader)
            sums[name] = sum(images.double().sum().item() for images, _ in batches)
            print(f"{name}: {sum(len(labels) for _, labels in batches)} records of {RECORDS}")
    print("decoded alike:", max(sums.values()) - min(sums.values()) < 1e-3)


if __name__ == "__main__":
    main()
