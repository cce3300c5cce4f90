"""Tables and plots of many shaders, where pandas and matplotlib are installed (Debian: python3-pandas, python3-matplotlib)."""
from __future__ import annotations

import collections
import os
import pathlib
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, Union

from .errors import Error
from .making import open
from .shader import Shader

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas

Shaders = Iterable[Union[Shader, str, "os.PathLike[str]"]]


def each_shader(shaders: Shaders) -> Iterator[Shader]:
    """Shaders, files, and all shaders in folders; files in folders that are none are left out."""
    for one in shaders:
        if isinstance(one, Shader):
            yield one
        elif pathlib.Path(one).is_dir():
            for path in sorted(pathlib.Path(one).rglob("*")):
                if path.is_file():
                    try:
                        yield open(path)
                    except Error:
                        pass
        else:
            yield open(one)


def frame(shaders: Shaders) -> pandas.DataFrame:
    """A row for each shader: name, family, stage, profile, size, instructions (those of the listing), resources, digest, creator, and `code`, by which the
    same program is recognized whatever is around it. Takes shaders, files and folders."""
    import pandas

    rows = []
    for shader in each_shader(shaders):
        identities = shader.identities
        rows.append({"name": shader.name, "family": shader.family, "stage": shader.stage, "profile": shader.profile, "size": shader.size,
                     "instructions": sum(opcodes(shader).values()), "resources": len(shader.reflection.resources), "digest": shader.digest,
                     "creator": shader.creator, "code": identities.get("code", "")})
    return pandas.DataFrame(rows, columns=["name", "family", "stage", "profile", "size", "instructions", "resources", "digest", "creator", "code"])


def opcodes(shader: Shader) -> Dict[str, int]:
    """How often each opcode is in the listing, declarations included; none of a file without a program, such as a root signature."""
    try:
        listing = shader.listing(header=False)
    except Error as error:
        if error.code == "missing":
            return {}
        raise
    return dict(collections.Counter(token.text for line in listing for token in line.tokens if token.kind == "opcode"))


def opcode_frame(shaders: Shaders) -> pandas.DataFrame:
    """A row for each shader, a column for each opcode that one of them has."""
    import pandas

    listed = list(each_shader(shaders))
    table = pandas.DataFrame([opcodes(shader) for shader in listed], index=[shader.name for shader in listed])
    return table.fillna(0).astype(int).sort_index(axis=1)


def plot_sizes(table: pandas.DataFrame, ax: Any = None) -> matplotlib.axes.Axes:
    """The sizes of the shaders of frame() by family."""
    import matplotlib.pyplot

    axes: matplotlib.axes.Axes = matplotlib.pyplot.subplots()[1] if ax is None else ax
    for family, rows in table.groupby("family"):
        axes.scatter(rows["instructions"], rows["size"], label=family)
    axes.set_xlabel("instructions")
    axes.set_ylabel("bytes")
    axes.legend()
    return axes


def plot_opcodes(table: pandas.DataFrame, most: int = 20, ax: Any = None) -> matplotlib.axes.Axes:
    """The most frequent opcodes of opcode_frame()."""
    import matplotlib.pyplot

    axes: matplotlib.axes.Axes = matplotlib.pyplot.subplots()[1] if ax is None else ax
    counts = table.sum().sort_values(ascending=False)[:most][::-1]
    axes.barh(list(counts.index), list(counts))
    axes.set_xlabel("instructions")
    return axes


def plot_heat(table: pandas.DataFrame, most: int = 30, ax: Any = None) -> matplotlib.axes.Axes:
    """How often each shader of opcode_frame() has the most frequent opcodes, by the shade of a cell."""
    import matplotlib.pyplot

    axes: matplotlib.axes.Axes = matplotlib.pyplot.subplots()[1] if ax is None else ax
    chosen = table[list(table.sum().sort_values(ascending=False)[:most].index)]
    axes.imshow(chosen.to_numpy() ** 0.5, aspect="auto", cmap="Greys")
    axes.set_xticks(range(len(chosen.columns)), list(chosen.columns), rotation=90)
    axes.set_yticks(range(len(chosen)), list(chosen.index))
    return axes


def plot_duplicates(table: pandas.DataFrame, ax: Any = None) -> matplotlib.axes.Axes:
    """How many shaders of frame() share their code with how many others: permutations and copies."""
    import matplotlib.pyplot

    axes: matplotlib.axes.Axes = matplotlib.pyplot.subplots()[1] if ax is None else ax
    counts = table[table["code"] != ""].groupby("code").size().value_counts().sort_index()
    axes.bar([str(number) for number in counts.index], list(counts))
    axes.set_xlabel("shaders of the same code")
    axes.set_ylabel("codes")
    return axes
