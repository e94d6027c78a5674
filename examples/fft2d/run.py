#!/usr/bin/env python3
"""Runs fft2d over a photograph, checks the result against NumPy, writes before/after/spectrum as PNG.

usage: run.py --mpiexec MPIEXEC --program FFT2D --out FOLDER [-n RANKS] [--crop HEIGHTxWIDTH] [--expect NAME]

Needs NumPy, scikit-image (its photograph `data.camera()` is part of the package) and imageio.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import imageio.v3 as imageio
import numpy as np
from skimage import data

CUTOFF = 0.05  # the Gaussian's width, as a share of the sampling rate
# Values reach 255; a double-precision transform of half a million points errs by some 1e-13 of that.
TOLERANCE = 1e-9


def expected(picture: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The filtered picture and the logarithm of the spectrum's magnitude, by NumPy."""
    spectrum = np.fft.fft2(picture.astype(float))
    fy = np.fft.fftfreq(picture.shape[0])[:, None]
    fx = np.fft.fftfreq(picture.shape[1])[None, :]
    low_pass = np.exp(-(fx**2 + fy**2) / (2 * CUTOFF**2))
    return np.fft.ifft2(spectrum * low_pass).real, np.log1p(np.abs(spectrum))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("-n", type=int, default=4, help="number of ranks")
    parser.add_argument("--crop", help="use only HEIGHTxWIDTH of the picture, for sizes that do not divide")
    parser.add_argument("--expect", help="the name that MPI_Get_library_version must give")
    options = parser.parse_args()

    picture = data.camera()
    if options.crop:
        height, width = map(int, options.crop.split("x"))
        picture = picture[:height, :width]
    height, width = picture.shape

    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "in.pgm").write_bytes(b"P5\n%d %d\n255\n" % (width, height) + picture.tobytes())
        command = [options.mpiexec, "-n", str(options.n), options.program, folder / "in.pgm", str(CUTOFF),
                   folder / "filtered", folder / "spectrum"]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300)
        sys.stdout.write(done.stdout)
        sys.stderr.write(done.stderr)
        if done.returncode != 0:
            print(f"fft2d ended with status {done.returncode}")
            return 1
        filtered = np.fromfile(folder / "filtered").reshape(height, width)
        spectrum = np.fromfile(folder / "spectrum").reshape(height, width)

    if options.expect and f"library: {options.expect}" not in done.stdout:
        print(f"WRONG LIBRARY: expected {options.expect}")
        return 1
    if f"ranks: {options.n}," not in done.stdout:
        print(f"WRONG NUMBER OF RANKS: expected {options.n}")
        return 1

    want_filtered, want_spectrum = expected(picture)
    errors = {"picture": np.abs(filtered - want_filtered).max(), "spectrum": np.abs(spectrum - want_spectrum).max()}
    print(f"  largest difference from NumPy: picture {errors['picture']:.1e}, spectrum {errors['spectrum']:.1e}"
          f" (allowed {TOLERANCE:.0e})")
    # A filter that did nothing, or everything, would be wrong whatever the differences say.
    detail = np.abs(np.diff(filtered, axis=1)).mean() / np.abs(np.diff(picture.astype(float), axis=1)).mean()
    if not all(error <= TOLERANCE for error in errors.values()) or not 0.01 < detail < 0.9:
        print("WRONG RESULT")
        return 1

    options.out.mkdir(parents=True, exist_ok=True)
    centred = np.fft.fftshift(spectrum)
    for name, image in {
        "before": picture,
        "after": np.clip(np.rint(filtered), 0, 255).astype(np.uint8),
        "spectrum": np.rint(255 * centred / centred.max()).astype(np.uint8),
    }.items():
        imageio.imwrite(options.out / f"{name}.png", image)
    print(f"  wrote {options.out}/before.png, after.png, spectrum.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
