"""What differs between two shaders by meaning."""
from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING, List

from . import _c
from ._call import text

if TYPE_CHECKING:
    from . import json_types
    from .shader import Shader


class Difference:
    """`unshade.diff(a, b)`. True if they differ in meaning; `json` has everything: docs/reference/json/diff.schema.json."""

    def __init__(self, before: Shader, after: Shader, exact_text: bool = False) -> None:
        names = [shader.name.encode() if shader.name else fallback for shader, fallback in ((before, b"before"), (after, b"after"))]
        self.json: json_types.Diff = json.loads(
            text(_c.unshade_diff, before._handle.value, names[0], after._handle.value, names[1], int(exact_text)))
        # What was compared, for text(), with the bytes that it borrows: the shaders may be edited.
        self._before, self._after = (before._handle, names[0], before.data), (after._handle, names[1], after.data)
        self._exact_text = int(exact_text)

    @property
    def same_bytes(self) -> bool:
        return self.json["same_bytes"]

    @property
    def same_meaning(self) -> bool:
        return self.json["same_meaning"]

    @property
    def changes(self) -> List[json_types.DiffChange]:
        """Of what the file is, of its parts and of its interface."""
        return [*self.json["summary"], *self.json["parts"], *self.json["interface"]]

    def __bool__(self) -> bool:
        return not self.same_meaning

    def __str__(self) -> str:
        """A line for each change: `-` removed, `+` added, `~` changed; without the line numbers of code."""
        lines = []
        for change in self.changes:
            sign = {"removed": "-", "added": "+", "changed": "~"}[change["kind"]]
            what = " ".join(word for word in (change["what"], change["name"]) if word)
            fields = ", ".join(f"{field['field']} {field['before']} -> {field['after']}" for field in change["fields"])
            lines.append(f"{sign} {what}: {fields}" if what and fields else f"{sign} {what}{fields}")
        code = self.json["code"]
        for hunk in code["hunks"] if code is not None else []:
            lines += [f"- {line['text']}" for line in hunk["before"]] + [f"+ {line['text']}" for line in hunk["after"]]
        return "\n".join(lines)

    def text(self, context: int = 3) -> str:
        """What `unshade diff` prints, with lines of code around each difference."""
        (before, before_name, _), (after, after_name, _) = self._before, self._after
        return text(_c.unshade_diff_text, before.value, before_name, after.value, after_name, self._exact_text, context)

    def __repr__(self) -> str:
        same = "the same bytes" if self.same_bytes else "the same meaning" if self.same_meaning else f"{len(self.changes)} changes"
        return f"<unshade.Difference: {same}>"

    def _repr_html_(self) -> str:
        """Changes as a table; the code side by side."""
        rows = []
        for change in self.changes:
            fields = "<br>".join(html.escape(f"{field['field']}: {field['before']} → {field['after']}") for field in change["fields"])
            name = html.escape(" ".join(word for word in (change["what"], change["name"]) if word))
            rows.append(f"<tr><td>{change['kind']}</td><td style='text-align:left'>{name}</td><td style='text-align:left'>{fields}</td></tr>")
        code = self.json["code"]
        for hunk in code["hunks"] if code is not None else []:
            sides = []
            for mark, lines in (("−", hunk["before"]), ("+", hunk["after"])):
                sides.append("<td style='text-align:left;vertical-align:top'><pre>" +
                             "\n".join(f"{mark} {line['line']:4}  {html.escape(line['text'])}" for line in lines) + "</pre></td>")
            rows.append(f"<tr><td>code</td>{''.join(sides)}</tr>")
        same = "" if rows else "<tr><td>no differences</td></tr>"
        head = f"<tr><th></th><th style='text-align:left'>{html.escape(self.json['before'])}</th><th style='text-align:left'>{html.escape(self.json['after'])}</th></tr>"
        return f"<table>{head}{''.join(rows)}{same}</table>"
