"""A shader of any family."""
from __future__ import annotations

import ctypes
import html
import json
import os
import pathlib
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Type, Union

from . import _c
from ._call import Data, Handle, as_bytes, made, name_bytes, text, text_of
from .errors import Error
from .findings import Finding, taken_messages
from .graph import Graph
from .listing import Listing
from .parts import Parts
from .reflection import Reflection, table
from .running import Program
from .stepping import Session
from .translating import SourceText, Translation, decompiled, translated
from .tree import Tree, Value, value_text

if TYPE_CHECKING:
    from . import json_types

FAMILIES = ("dxbc", "dxil", "pica", "spirv", "vbc")
_STRIPS = {"debug": _c.UNSHADE_STRIP_DEBUG, "reflection": _c.UNSHADE_STRIP_REFLECTION, "private_data": _c.UNSHADE_STRIP_PRIVATE_DATA,
           "root_signature": _c.UNSHADE_STRIP_ROOT_SIGNATURE, "statistics": _c.UNSHADE_STRIP_STATISTICS, "debug_name": _c.UNSHADE_STRIP_DEBUG_NAME,
           "names": _c.UNSHADE_STRIP_NAMES}
_RENAMES = {"entry": _c.UNSHADE_RENAME_ENTRY, "input": _c.UNSHADE_RENAME_INPUT, "output": _c.UNSHADE_RENAME_OUTPUT, "patch": _c.UNSHADE_RENAME_PATCH,
            "resource": _c.UNSHADE_RENAME_RESOURCE, "variable": _c.UNSHADE_RENAME_VARIABLE, "node": _c.UNSHADE_RENAME_NODE}
_JSON = {"info": _c.UNSHADE_JSON_INFO, "reflect": _c.UNSHADE_JSON_REFLECTION, "dump": _c.UNSHADE_JSON_TREE, "validate": _c.UNSHADE_JSON_FINDINGS,
         "hash": _c.UNSHADE_JSON_IDENTITIES, "sources": _c.UNSHADE_JSON_SOURCES}
_SIGNS = {"keep": _c.UNSHADE_SIGN_KEEP, "standard": _c.UNSHADE_SIGN_STANDARD, "debug": _c.UNSHADE_SIGN_DEBUG, "bypass": _c.UNSHADE_SIGN_BYPASS,
          "preview-bypass": _c.UNSHADE_SIGN_PREVIEW_BYPASS, "zero": _c.UNSHADE_SIGN_ZERO}
_TEXTS = {"info": _c.UNSHADE_TEXT_INFO, "dump": _c.UNSHADE_TEXT_TREE, "hex": _c.UNSHADE_TEXT_HEX, "validate": _c.UNSHADE_TEXT_FINDINGS}
_LANGUAGES = {"c": _c.UNSHADE_SOURCE_C, "cpp": _c.UNSHADE_SOURCE_CPP, "rust": _c.UNSHADE_SOURCE_RUST}
_UNCHANGED_SPACE = 0xFFFF_FFFF


def _one_of(choices: Mapping[str, int], word: str, what: str) -> int:
    if word not in choices:
        raise ValueError(f"unknown {what}: {word}; known are {', '.join(choices)}")
    return choices[word]


class Shader:
    """A file that was opened. Edits give a new Shader; `set()` and `tree[path].value = ...` change this one. `bytes(shader)` and `shader.data` are the
    file. Shaders are equal if their bytes are, and are pickled by them."""

    def __init__(self, data: Data, name: str = "", notes: Iterable[str] = ()) -> None:
        self.name = name
        """Of the file, or ""."""
        self._tree: Optional[Tree] = None
        self.notes: Tuple[str, ...] = tuple(notes)
        """Of the edit that made it: what could not follow, and why that does no harm."""
        try:
            self._open(as_bytes(data))
        except Error as error:
            error.file = name or None
            raise

    def _open(self, data: bytes) -> None:
        # Borrowed: the bytes live as long as the shader, or longer where a part is kept.
        handle = Handle(made(_c.unshade_open_borrowed, data, len(data)), _c.unshade_shader_free)
        summary = _c.Summary(struct_size=ctypes.sizeof(_c.Summary))
        _c.unshade_summarize(handle.value, ctypes.byref(summary))
        self.data = data
        """The file."""
        self._handle = handle
        self._summary = summary
        self._reflection: Optional[Reflection] = None
        self._parts: Optional[Parts] = None

    # ---- what it is ----

    @property
    def family(self) -> str:
        """One of FAMILIES."""
        return text_of(_c.unshade_family_name(self._summary.family))

    @property
    def stage(self) -> str:
        """ "pixel", "vertex", "compute", or ""."""
        return text_of(self._summary.stage)

    @property
    def profile(self) -> str:
        """ "ps_5_0", or ""."""
        return text_of(self._summary.profile)

    @property
    def creator(self) -> str:
        """The compiler as the file names it, or ""."""
        return text_of(self._summary.creator)

    @property
    def digest(self) -> str:
        """ "valid", "valid-debug", "unsigned", "bypass", "preview-bypass", "wrong"; "" for families without one."""
        return text_of(self._summary.digest)

    @property
    def instruction_count(self) -> int:
        """Counted in the code; 0 where there is none."""
        return self._summary.instruction_count

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return len(self.data)

    @property
    def trailing(self) -> int:
        """Bytes behind the container."""
        return self._summary.trailing

    @property
    def parts(self) -> Parts:
        if self._parts is None:
            self._parts = Parts(self)
        return self._parts

    @property
    def tree(self) -> Tree:
        """Every byte by name; its values can be set."""
        if self._tree is None:
            self._tree = Tree.of(self)
        return self._tree

    @property
    def reflection(self) -> Reflection:
        if self._reflection is None:
            self._reflection = Reflection(self)
        return self._reflection

    @property
    def findings(self) -> List[Finding]:
        """What the rules of the format find, by offset."""
        return taken_messages(made(_c.unshade_shader_validate, self._handle.value))

    @property
    def is_valid(self) -> bool:
        """Whether no finding is an error."""
        return all(finding.severity != "error" for finding in self.findings)

    @property
    def identities(self) -> Dict[str, str]:
        """The names that tools give the shader, by kind: "crc32", "3dmigoto", "code"; docs/howto/identify.md."""
        return {identity["id"]: identity["value"] for identity in self.json("hash")["files"][0]["identities"]}

    def identity(self, kind: str) -> str:
        """One of these names."""
        return text(_c.unshade_identity, self._handle.value, name_bytes(kind))

    # ---- texts and documents ----

    def listing(self, *, offsets: bool = False, tokens: bool = False, exact: bool = False, exact_floats: bool = False, header: bool = True,
                raw_ids: bool = False) -> Listing:
        """The listing, as the vendor's tool prints it. `offsets`: in front of each instruction in the text (lines have them anyway); `tokens`: its
        tokens in the text; `exact`: text that assembles to the same bytes; `exact_floats`: DXBC: literals that give their bits back; `header`:
        False for the program alone; `raw_ids`: SPIR-V: %17, not %main."""
        flags = (offsets * _c.UNSHADE_LISTING_OFFSETS | tokens * _c.UNSHADE_LISTING_BYTES | exact * _c.UNSHADE_LISTING_EXACT |
                 exact_floats * _c.UNSHADE_LISTING_EXACT_FLOATS | (not header) * _c.UNSHADE_LISTING_NO_HEADER | raw_ids * _c.UNSHADE_LISTING_RAW_IDS)
        return Listing(self, flags)

    def graph(self, function: Optional[str] = None, *, folded: Sequence[int] = (), lines: int = 0) -> Graph:
        """The control flow of a function, as the listing calls it, or of all. `folded`: blocks of the function whose loop, or whose arms, are drawn as one;
        `lines`: of a block's text at most, 0 is 40."""
        return Graph(self, function, folded, lines)

    def json(self, what: str) -> Any:
        """What the command prints of the file with --json: "info", "reflect", "dump", "validate", "hash", "sources". Types are in unshade.json_types."""
        return json.loads(text(_c.unshade_shader_json, self._handle.value, name_bytes(self.name), _one_of(_JSON, what, "answer")))

    def text(self, what: str) -> str:
        """What the command prints of the file: "info", "dump", "hex" (dump --hex), "validate"."""
        return text(_c.unshade_shader_text, self._handle.value, name_bytes(self.name), _one_of(_TEXTS, what, "answer"))

    def document(self, *, hints: bool = True) -> json_types.Document:
        """The whole file, of which build() makes it again. `hints`: False: without offsets, so that the built file may have a different layout."""
        what = _c.UNSHADE_JSON_DOCUMENT if hints else _c.UNSHADE_JSON_DOCUMENT_WITHOUT_HINTS
        document: json_types.Document = json.loads(text(_c.unshade_shader_json, self._handle.value, None, what))
        return document

    def yaml(self, *, hints: bool = True) -> str:
        """The document as YAML."""
        what = _c.UNSHADE_YAML_DOCUMENT if hints else _c.UNSHADE_YAML_DOCUMENT_WITHOUT_HINTS
        return text(_c.unshade_shader_json, self._handle.value, None, what)

    def embed(self, language: str = "c", name: Optional[str] = None, *, listing: bool = False) -> str:
        """As an array in source text of "c", "cpp" or "rust". `listing`: in a comment above it."""
        return text(_c.unshade_embed, self._handle.value, _one_of(_LANGUAGES, language, "language"), None if name is None else name_bytes(name), int(listing))

    def translate(self, entry: Optional[str] = None, *, target_env: Optional[str] = None, binding_model: Optional[str] = None, shifts: Optional[str] = None,
                  first_set: int = 0, heap_set: Optional[int] = None, debug_info: Optional[str] = None, native: bool = False,
                  flip_y: bool = False) -> Translation:
        """As SPIR-V for Vulkan. `entry`: of a module with several, or the number of an executable of a SHBIN; `target_env`: "vulkan1.0" to "vulkan1.3", which it
        is without one; `binding_model`: where resources are bound, "nvrhi" (without one), "dxc", "sdl-gpu" or "vkd3d"; `shifts`: of the first two, what bindings
        are registers plus, "t=0,s=128,b=256,u=384"; `first_set`: what sets are spaces plus; `heap_set`: that of descriptor heaps; `debug_info`: "lines" or "source" of the listing, "hlsl" or "glsl"; `native`: what SPIR-V
        leaves open is the device's; `flip_y`: positions are negated in y."""
        return translated(self, entry, target_env, binding_model, shifts, first_set, heap_set, debug_info, native, flip_y)

    def decompile(self, language: Optional[str] = None, *, entry: Optional[str] = None, setting: Optional[str] = None, environment: Optional[str] = None,
                  version: int = 0, flip_y: bool = False) -> SourceText:
        """As source. `language`: "hlsl" or "glsl"; without one, GLSL of SPIR-V and VBC, HLSL of others. `entry`: as of translate(); `setting`: "exact", "readable"
        (without one) or "native". Of GLSL, `environment`: "vulkan" (without one), "opengl" or "es"; `version`: 460, 450, 330, of ES 310, 320; `flip_y`: positions
        are negated in y."""
        return decompiled(self, entry, language, setting, environment, version, flip_y)

    @property
    def sources(self) -> Dict[str, Optional[str]]:
        """The source files in it by their names; None where only the name is known. Raises Error: missing, if it has none."""
        return {source["name"]: source["text"] for source in self.json("sources")["files"][0]["sources"]}

    # ---- edits ----

    def _edited(self, function: Callable[..., int], *arguments: Any) -> Shader:
        edit = Handle(made(function, self._handle.value, *arguments), _c.unshade_edit_free)
        data = ctypes.string_at(_c.unshade_edit_data(edit.value) or 0, _c.unshade_edit_size(edit.value))
        notes = [text_of(_c.unshade_edit_note(edit.value, number)) for number in range(_c.unshade_edit_note_count(edit.value))]
        return Shader(data, self.name, notes)

    def strip(self, *what: str) -> Shader:
        """Takes things out: "debug", "reflection", "private_data", "root_signature", "statistics", "debug_name", "names"; without any, debug
        information, reflection and private data, as the command does. A family ignores what it does not have."""
        mask = 0
        for word in what or ("debug", "reflection", "private_data"):
            mask |= _one_of(_STRIPS, word, "thing to strip")
        return self._edited(_c.unshade_strip, mask)

    def rename(self, what: str, names: Mapping[str, str]) -> Shader:
        """Renames several at once: `shader.rename("resource", {"albedo": "base"})`. `what`: "entry" ("" is the only one), "input", "output", "patch",
        "resource", "variable", "node"."""
        kind = _one_of(_RENAMES, what, "thing to rename")
        items = (_c.RenameItem * len(names))(*[_c.RenameItem(kind, name_bytes(before), name_bytes(after)) for before, after in names.items()])
        return self._edited(_c.unshade_rename, items, len(items), ctypes.sizeof(_c.RenameItem))

    def rebind(self, bindings: Mapping[str, str]) -> Shader:
        """Moves resources to other registers, all at once: `shader.rebind({"t0": "t5", "b1": "b0,space2"})`. Of families with one kind of binding
        the numbers alone: {"3": "4"}."""
        made_items = []
        for before, after in bindings.items():
            kind, register, space = _binding(before)
            kind_after, register_after, space_after = _binding(after)
            if kind != kind_after:
                raise ValueError(f"a resource keeps its kind: {before} cannot become {after}")
            made_items.append((kind, register, space or 0, register_after, _UNCHANGED_SPACE if space_after is None else space_after))
        items = (_c.RebindItem * len(made_items))(*[_c.RebindItem(*item) for item in made_items])
        return self._edited(_c.unshade_rebind, items, len(items), ctypes.sizeof(_c.RebindItem))

    def add_part(self, name: str, data: Data) -> Shader:
        """With a part more, by its FourCC; the digest follows."""
        raw = as_bytes(data)
        return self._edited(_c.unshade_change_part, _c.UNSHADE_PART_ADD, name_bytes(name), raw, len(raw))

    def replace_part(self, name: str, data: Data) -> Shader:
        raw = as_bytes(data)
        return self._edited(_c.unshade_change_part, _c.UNSHADE_PART_REPLACE, name_bytes(name), raw, len(raw))

    def remove_part(self, name: str) -> Shader:
        return self._edited(_c.unshade_change_part, _c.UNSHADE_PART_REMOVE, name_bytes(name), None, 0)

    def sign(self, how: str = "keep", *, hash: bool = False) -> Shader:
        """With a right digest: "keep", of the variant that it is of, else "standard"; or "debug", "bypass", "preview-bypass", "zero". `hash`: makes the HASH
        of DXIL right as well."""
        return self._edited(_c.unshade_sign, _one_of(_SIGNS, how, "digest"), int(hash))

    @property
    def root_signature(self) -> str:
        """As the text of [RootSignature("...")]. Raises Error: missing."""
        return text(_c.unshade_shader_root_signature_text, self._handle.value)

    def attach_root_signature(self, part: Data) -> Shader:
        """With another root signature, the data of a part RTS0, such as make_root_signature() gives."""
        raw = as_bytes(part)
        return self._edited(_c.unshade_root_signature_attach, raw, len(raw))

    def detach_root_signature(self) -> Shader:
        return self._edited(_c.unshade_root_signature_attach, None, 0)

    def embed_sources(self, sources: Mapping[str, str]) -> Shader:
        """With these source files in the place of what it had, by name. DXBC and PICA200 hold none."""
        items = (_c.SourceText * len(sources))(*[_c.SourceText(name_bytes(name), name_bytes(one)) for name, one in sources.items()])
        return self._edited(_c.unshade_embed_sources, items, len(items), ctypes.sizeof(_c.SourceText))

    def set(self, path: str, value: Value) -> None:
        """Gives a field of this shader another value; a digest that was right is made right again."""
        edited = self._edited(_c.unshade_set_field, name_bytes(path), name_bytes(value_text(value)))
        self.notes = edited.notes
        self._open(edited.data)

    # ---- running ----

    def program(self, entry: Optional[str] = None) -> Program:
        """Makes it ready to run. `entry`: the entry point of a module with several."""
        return Program(self, entry)

    def run(self, case: Union[json_types.Case, Dict[str, Any], None] = None, *, entry: Optional[str] = None, **options: int) -> json_types.Run:
        """Runs it once on a case (docs/reference/cases.md); without one the inputs are generated. `entry`: the entry point of a module with
        several, if not the case names it. Options are those of Program.run_case()."""
        program = Program.of_case(self, case) if entry is None and case else Program(self, entry)
        return program.run_case(case, **options)

    def session(self, case: Union[json_types.Case, Dict[str, Any], None] = None, *, entry: Optional[str] = None, wave: int = 0, operations: int = 0,
                memory: int = 0, record: int = 0) -> Session:
        """Runs it on a case and records that, to be stepped through. `record`: bytes that the record may take; 0: 128 MiB."""
        return Session.of(self, case, entry, wave, operations, memory, record)

    # ---- Python's own ----

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        pathlib.Path(path).write_bytes(self.data)

    def __bytes__(self) -> bytes:
        return self.data

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shader) and self.data == other.data

    __hash__ = None  # type: ignore[assignment]  # it can change

    def __reduce__(self) -> Tuple[Type[Shader], Tuple[bytes, str, Tuple[str, ...]]]:
        return Shader, (self.data, self.name, self.notes)

    def __copy__(self) -> Shader:
        return Shader(self.data, self.name, self.notes)

    def __repr__(self) -> str:
        words = " ".join(word for word in (self.family, self.profile) if word)
        return f"<unshade.Shader{' ' + self.name if self.name else ''}: {words}, {self.size} bytes>"

    def _repr_html_(self) -> str:
        rows = [("family", self.family), ("profile", self.profile), ("stage", self.stage), ("size", f"{self.size} bytes"),
                ("instructions", self.instruction_count or ""), ("digest", self.digest), ("creator", self.creator)]
        summary = "".join(f"<tr><th style='text-align:left'>{key}</th><td style='text-align:left'>{html.escape(str(value))}</td></tr>"
                          for key, value in rows if value)
        parts = table("parts", ("name", "offset", "size"), [(part.name, f"{part.offset:#x}", part.size) for part in self.parts])
        return f"<table><caption style='text-align:left'><b>{html.escape(self.name or 'shader')}</b></caption>{summary}</table>{parts}"


def _binding(text_of_binding: str) -> Tuple[int, int, Optional[int]]:
    """ "t5,space2": kind, register, space."""
    register, _, space = text_of_binding.partition(",")
    letter = register[:1] if register[:1].isalpha() else ""
    number = register[len(letter) :]
    if not number.isdigit() or (space and not (space.startswith("space") and space[5:].isdigit())):
        raise ValueError(f"not a binding: {text_of_binding}; write t5 or t5,space2")
    return ord(letter) if letter else 0, int(number), int(space[5:]) if space else None
