"""`python3 textures_made.py OUT`: pictures that Pillow writes as TGA, DDS, BLP, PNG and JPEG, in every way it can."""
import sys
from pathlib import Path

from PIL import Image

out = Path(sys.argv[1])
out.mkdir(parents=True, exist_ok=True)
WIDTH, HEIGHT = 32, 16
picture = Image.new("RGBA", (WIDTH, HEIGHT))
picture.putdata(
    [(x * 8, y * 16, (x * y) % 256, 255 if x < 8 else (x * 7 + y * 3) % 256) for y in range(HEIGHT) for x in range(WIDTH)]
)
grey, opaque = picture.convert("L"), picture.convert("RGB")
indexed = opaque.quantize(64)
for name, image in {"rgba": picture, "rgb": opaque, "grey": grey, "grey-alpha": picture.convert("LA"), "palette": indexed}.items():
    for compression in [None, "tga_rle"]:
        for orientation in [-1, 1]:
            file = f"{name} {compression or 'plain'} {'top' if orientation > 0 else 'bottom'}.tga"
            image.save(out / file, compression=compression, orientation=orientation)
for name, image in {"rgba": picture, "rgb": opaque, "grey": grey, "grey-alpha": picture.convert("LA")}.items():
    image.save(out / f"{name}.dds")
for name in ["DXT1", "DXT3", "DXT5", "BC2", "BC3", "BC5"]:
    try:
        (opaque if name == "BC5" else picture).save(out / f"{name}.dds", pixel_format=name)
    except OSError:
        pass  # Older versions of Pillow write plain pixels only.
indexed.save(out / "palette 1.blp", blp_version="BLP1")
indexed.save(out / "palette 2.blp", blp_version="BLP2")
for name, image in {"rgba": picture, "rgb": opaque, "grey": grey, "grey-alpha": picture.convert("LA"), "palette": indexed}.items():
    image.save(out / f"{name}.png")
opaque.quantize(4).save(out / "palette of 2 bits.png", bits=2)
opaque.save(out / "transparent colour.png", transparency=opaque.getpixel((3, 4)))
indexed.save(out / "palette with alpha.png", transparency=bytes(range(0, 256, 4)))
grey.point(lambda value: 255 * (value > 99)).convert("1").save(out / "bits.png")
# Readers smooth subsampled colour in their own ways; without it they agree.
for name, image in {"rgb": opaque, "grey": grey}.items():
    image.save(out / f"{name}.jpg", quality=95, subsampling=0)
    image.save(out / f"{name} progressive.jpg", quality=80, subsampling=0, progressive=True)
