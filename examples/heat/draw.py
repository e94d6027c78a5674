#!/usr/bin/env python3
"""Draws frames of heat.c side by side.

usage: draw.py FILE ROWS COLUMNS PICTURE
"""

import pathlib
import sys

import imageio.v3
import numpy

FRAMES = 8  # in the picture
SIDE = 256


def main() -> int:
    file, rows, columns, picture = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), pathlib.Path(sys.argv[4])
    frames = numpy.memmap(file, dtype=numpy.float64, mode="r").reshape(-1, rows, columns)
    shown = frames[numpy.linspace(0, len(frames) - 1, min(FRAMES, len(frames))).astype(int)]
    shown = shown[:, :: max(1, rows // SIDE), :: max(1, columns // SIDE)]
    value = numpy.clip(numpy.sqrt(numpy.concatenate([numpy.pad(f, 2) for f in shown], axis=1)), 0, 1)
    # Black, red, yellow, white.
    colours = numpy.stack([numpy.clip(3 * value - k, 0, 1) for k in range(3)], axis=-1)
    imageio.v3.imwrite(picture, (255 * colours).astype(numpy.uint8))
    print(f"{len(shown)} of {len(frames)} frames drawn: {picture}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
