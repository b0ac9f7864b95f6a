# argument: image
from PIL import Image, ImageFilter

image = Image.new("P", (8, 8))
sharp = ImageFilter.SHARPEN().filter(image.im)
