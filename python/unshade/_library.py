"""Finds and loads libunshade.so, on Windows unshade.dll."""
from __future__ import annotations

import ctypes
import os
import pathlib
from typing import Optional

# Beside this file in a wheel; in a Debian package the loader finds it by its SONAME.
_ON_WINDOWS = os.name == "nt"
_BESIDE = pathlib.Path(__file__).with_name("unshade.dll" if _ON_WINDOWS else "libunshade.so")
SONAME = "unshade.dll" if _ON_WINDOWS else "libunshade.so.0"


def _load() -> ctypes.CDLL:
    asked: Optional[str] = os.environ.get("UNSHADE_LIBRARY")
    path = asked or (str(_BESIDE) if _BESIDE.exists() else SONAME)
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"libunshade cannot be loaded: {error}. Install the wheel, which has it inside, or the package libunshade0, or name the file by UNSHADE_LIBRARY"
        ) from None


library = _load()
