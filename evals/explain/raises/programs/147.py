# argument: (5, 5)
import io

from PIL import Image

data = io.BytesIO()
Image.new("RGB", (32, 32)).save(data, format="ICO", sizes=[(16, 16)])
icon = Image.open(data)
icon.size = (5, 5)
