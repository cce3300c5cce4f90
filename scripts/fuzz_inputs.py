"""Seeds and dictionaries for fuzzing, by the kind of what a property reads.

Seeds are the files of the folders given, and the texts that the built command makes of them: listings, documents, root signatures, arrays. The
words of a text's dictionary are those of its seeds and of the tables and parsers in src/ that know the language; the binary ones are in fuzz/*.dict.
"""
import collections
import concurrent.futures
import itertools
import pathlib
import re
import shutil
import struct
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = {".dxbc", ".dxil", ".pdb", ".shbin", ".spv", ".vbc", ".bin", ".cso", ".dxcontainer", ".fxo", ".bc", ".rts0", ".vkch", ".db", ".smolv"}
# Seeds of the same properties, of which the command makes no text.
PACKED = {".zip", ".7z", ".rar", ".cab", ".tar", ".a", ".cpio", ".iso", ".gz", ".bz2", ".xz", ".lz", ".zst", ".lz4"}

# The properties that read something else than shader binaries, and its kind.
KINDS = {
    "dxbc_assemble": "dxbc", "dxil_assemble": "dxil", "spirv_assemble": "spirv", "pica_assemble": "pica", "vbc_assemble": "vbc",
    "root_signature_text": "root_signature", "document_text": "document", "source_array": "array", "hlsl_declarations": "hlsl",
    "ir_text": "ir", "structure": "ir", "case_text": "case", "amber_script": "amber", "suite_text": "suite", "scene_text": "scene", "gltf": "gltf", "picture": "picture",
}
# Files that are such a text as they are.
TEXTS = {
    ".asm": "dxbc", ".ll": "dxil", ".spvasm": "spirv", ".pica": "pica", ".vsl": "vbc", ".rs": "root_signature", ".hlsli": "root_signature", ".hlsl": "hlsl",
    ".yaml": "document", ".yml": "document", ".json": "document", ".h": "array", ".hpp": "array", ".inc": "array",
    ".amber": "amber", ".gltf": "gltf", ".glb": "gltf",
}
# By the family of a file: the command's words before it, and the kind of what it prints.
LISTED = [["dis"], ["dis", "--exact"]]
MADE = {
    "dxbc": {"dxbc": LISTED, "root_signature": [["rootsig", "show"]]},
    "dxil": {"dxil": LISTED, "root_signature": [["rootsig", "show"]], "document": [["dump", "--format", "llvm"]]},
    "pica": {"pica": [["dis"]]},
    "spirv": {"spirv": [*LISTED, ["dis", "--raw-id"]]},
    "vbc": {"vbc": [["dis"]]},
}
MADE_OF_ALL = {
    "document": [["dump", "--yaml"], ["dump", "--format", "json"]],
    "array": [["embed"], ["embed", "--no-listing", "--lang", "c++", "--type", "char"], ["embed", "--no-listing", "--lang", "rust"]],
}
# Where the words of a language stand between quotes.
TABLES = {
    "dxbc": ["include/unshade/dxbc/*.def", "include/unshade/dxbc/level9/sm2_opcodes.def", "src/dxbc/assemble/*.cpp", "src/dxbc/*/*text*.*",
             "src/dxcontainer/signature*.cpp"],
    "dxil": ["include/unshade/dxil/*.def", "src/dxil/*/*.def", "src/dxil/assemble/*.cpp", "src/dxil/listing/*.cpp"],
    "spirv": ["include/unshade/spirv/*.def", "src/spirv/text/assembler.cpp", "src/spirv/text/header.cpp"],
    "pica": ["include/unshade/pica/*.def", "src/pica/assemble/*.cpp", "src/pica/assemble/mnemonics.hpp"],
    "vbc": ["src/vbc/*.cpp"],
    "root_signature": ["src/dxcontainer/root_signature/*.*"],
    "document": ["src/shader/document/*.cpp", "src/dxcontainer/*document*.cpp", "src/dxbc/*/*document*.cpp", "src/dxil/*/*document*.cpp"],
    "array": ["src/shader/embed/array_*.cpp"],
    "hlsl": ["src/shader/hlsl/declarations/*.cpp"],
    "amber": ["src/amber/*.cpp", "src/amber/read/*.cpp"],
    "case": ["src/run/*.cpp"],
    "suite": ["src/run/*.cpp", "src/suite/cases/*.cpp"],
    "scene": ["src/scene/*.cpp", "src/run/*.cpp"],
    "gltf": ["src/scene/gltf.cpp"],
    "picture": [],
    "ir": ["include/unshade/ir/*.def", "src/ir/describe.hpp", "src/ir/words.hpp", "src/ir/text/parse.cpp", "src/ir/text/literals.cpp", "include/unshade/dxcontainer/vocabulary.def"],
}


def dds(texels, width, height, levels=1, depth=0, four_cc=b"", masks=(0, 0, 0, 0, 0), dxgi=None, layers=1, dimension=3):
    """A picture in DDS: DDS_HEADER, DDS_PIXELFORMAT, and DDS_HEADER_DXT10 if a DXGI format is given. src: Microsoft's Programming Guide for DDS."""
    kind = b"DX10" if dxgi is not None else four_cc
    pixels = struct.pack("<II4s5I", 32, 4 if kind else 0x41, kind, *masks)
    head = struct.pack("<4s7I44x", b"DDS ", 124, 0x1007 | (0x800000 if depth else 0), height, width, 0, depth, levels) + pixels
    caps = struct.pack("<5I", 0x1000, 0x200000 if depth else 0, 0, 0, 0)
    more = struct.pack("<5I", dxgi, dimension, 0, layers, 0) if dxgi is not None else b""
    return head + caps + more + bytes(range(256)) * (texels // 256) + bytes(range(texels % 256))


# Seeds that no sample gives.
WRITTEN = {
    "picture": [
        dds(64, 4, 4, masks=(32, 0xff, 0xff00, 0xff0000, 0xff000000)), dds(8 + 8 + 8, 4, 4, levels=3, four_cc=b"DXT1"), dds(16, 4, 4, four_cc=b"DXT5"),
        dds(64 + 16 + 4, 4, 4, levels=3, dxgi=28), dds(2 * 16, 4, 4, dxgi=98, layers=2), dds(4 * 4 * 2 * 8, 4, 4, depth=2, dxgi=10, dimension=4),
        dds(16, 4, 4, dxgi=95), dds(6 * 4 * 4, 2, 2, dxgi=67, layers=6), dds(16, 4, 1, dxgi=41, dimension=2),
    ],
    "scene": [
        "[targets.a]\nformat = 'R8G8B8A8_UNORM'\nwidth = 4\nheight = 4\nsamples = 4\n[targets.d]\nformat = 'D24_UNORM_S8_UINT'\nwidth = 4\nheight = 4\n"
        "samples = 4\nclear = {Depth = 1, Stencil = 2}\n[animation]\nframes = 3\n[[animation.tracks]]\nfield = 'pass[0]/stencil_ref'\nlinear = [0, 4]\n"
        "[[pass]]\nvertex = 'v'\npixel = 'p'\ntargets = ['a']\ndepth_target = 'd'\nstencil_ref = 1\nqueries = {q = 'OCCLUSION'}\n"
        "rasterizer = {CullMode = 'NONE', DepthBias = 2}\ndepth_stencil = {StencilEnable = true, FrontFace = {StencilPassOp = 'REPLACE'}}\n"
        "blend.RenderTarget = [{BlendEnable = true, SrcBlend = 'SRC_ALPHA'}]\n"
        "mesh.vertices = [{POSITION = [0, 1, 0], COLOR = [1, 0, 0, 1]}, {POSITION = [1, -1, 0], COLOR = 1}, {POSITION = [-1, -1, nan], COLOR = 2}]\n",
        "targets: {a: {format: R32_FLOAT, width: 4, height: 4, layers: 2, clear: [0.5]}}\nresources: {b: {raw: true, size: 64}, i: {format: R16_UINT, values: [0, 1, 2]}}\n"
        "pass:\n- {compute: c, grid: [4], resources: {u0: b}}\n- vertex: v\n  pixel: p\n  targets: [a]\n  viewports: [{Width: 4, Height: 4, TopLeftX: 0.5}]\n"
        "  scissors: [{left: 1, top: 1, right: 3, bottom: 3}]\n  predication: {query: q, operation: EQUAL_ZERO}\n"
        "  mesh: {topology: TRIANGLESTRIP, indices: i, buffers: [{data: b, stride: 16, elements: {POSITION: {format: R32G32B32_FLOAT}, COLOR: {format: R8G8B8A8_UNORM, offset: 12}}}]}\n"
        "  stream_output: {Declaration: [{SemanticName: COLOR}], buffers: [b]}\n",
    ],
    "gltf": [
        '{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 36, "uri": "data:;base64,AACAPwAAAEAAAEBAAACAQAAAoEAAAMBAAADgQAAAAEEAABBB"}], '
        '"bufferViews": [{"buffer": 0, "byteLength": 36}], "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}, '
        '{"componentType": 5121, "type": "SCALAR", "count": 3, "normalized": true}], "scene": 0, "scenes": [{"nodes": [0]}], '
        '"nodes": [{"mesh": 0, "children": [1], "rotation": [0, 0, 0, 1]}, {"mesh": 0, "matrix": [1,0,0,0,0,1,0,0,0,0,-1,0,2,3,4,1]}], '
        '"meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 0, "TEXCOORD_0": 0, "COLOR_0": 0}, "indices": 1, "mode": 5}]}]}',
    ],
    "suite": [
        "shader = 'v'\nulp = 2\n[[case]]\nname = '{n}'\ntable.names = ['n', 'o']\ntable.rows = [[1, [1, nan, 3, 4]], [2, 0]]\n"
        "lanes = [{in = ['$n', 2, 3, 4]}]\nexpect = {lanes = {out = '$o'}, operations = '< 9, != 3', stop = 'finished'}\n",
        "shader: c\ncheck: true\nresources: {u0: {format: R8G8B8A8_UNORM, width: 4, height: 1, counter: 1}}\ncase:\n- table: {csv: t}\n"
        "- expect: {resources: {u0: {values: [[1, 2], {value: 3, absolute: 1}], type: [f16, u8], offset: 2, unordered: true, counter: 1}}}\n"
        "- expect: {resources: {u0: {image: x, channel: [1, 2, 3, 4], share: 0.5, mean: 1}}, fault: a}\n",
    ],
    "case": [
        "wave = 16\ngrid = [2, 1]\nfunction = 0\n[constants]\nscale = [1.5, nan, -inf, 0x10]\n[resources]\nt1 = {stride = 8, values = [1, 2.5]}\n"
        'u1 = {raw = true, size = 64, counter = 3}\n"b0" = {hex = "00ff"}\nheap2 = {class = "u", words = [1], format = "R32_UINT"}\n',
        "entry: main\nresources:\n  t1: {format: R8G8B8A8_UNORM, width: 4, height: 4, depth: 1, layers: 1, levels: 1, samples: 1, csv: f}\n"
        "  u1,space2: {npy: f}\n  out: {file: f}\nlanes:\n- {POSITION: [1, 2, 3], vertex_id: 4, helper: true}\n- POSITION0: nan\n",
        '{"lanes": {"csv": "f"}, "resources": {"t1": {"csv": "f"}}}', '{"lanes": {"obj": "f", "names": {"v": "POSITION", "vt": "T", "vn": "N"}}}',
    ],
    "ir": [
        "stage compute\ninfo group_size 64 1 1\nmodes denorm32 flush\nresource @keys uav_byte_address register 1\nvariable @x private bytes 16\n"
        "function @main {\n^0:\n  %h = handle @keys 0\n  %n = buffer_load i32 raw %h 0\n  store f32 @x 4 1.5\n  jump ^1\n^1: merge ^3 continue ^2\n"
        "  %i = phi i32 ^0 0 ^2 %next\n  %less = ilt i32 %i %n\n  branch %less ^2 ^3\n^2:\n  %f = load f32 @x 4\n  %g = fmad f32 %f %f 2.0 {precise} !4.1\n"
        "  store f32 @x 4 %g\n  %next = iadd i32 %i 1\n  jump ^1\n^3:\n  %a = wave_reduce i32 iadd %i\n  buffer_store i32 raw %h 4 %a\n"
        "  barrier sync_group|group_memory\n  switch i32 %n ^4 1 ^5 -2 ^4\n^4:\n  return\n^5:\n  unreachable\n}\n",
    ],
    "root_signature": [
        "RootFlags(0)", "CBV(b0), SRV(t0, space = 1), UAV(u0, flags = DATA_VOLATILE)",
        "RootConstants(num32BitConstants = 4, b0, space = 1, visibility = SHADER_VISIBILITY_VERTEX)",
        "DescriptorTable(SRV(t0, numDescriptors = unbounded), UAV(u0, numDescriptors = 5, offset = DESCRIPTOR_RANGE_OFFSET_APPEND)), "
        "DescriptorTable(Sampler(s0, numDescriptors = 2)), visibility = SHADER_VISIBILITY_ALL",
        "StaticSampler(s0, filter = FILTER_COMPARISON_MIN_MAG_MIP_LINEAR, addressU = TEXTURE_ADDRESS_BORDER, mipLODBias = -1.5, maxAnisotropy = 16, "
        "comparisonFunc = COMPARISON_LESS_EQUAL, borderColor = STATIC_BORDER_COLOR_OPAQUE_WHITE, minLOD = 0.f, maxLOD = 3.402823466e+38f)",
        '#define COMMON "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT), " \\\n  "CBV(b0)"\n[RootSignature(COMMON)]\n',
    ],
    "hlsl": [
        "#define N 4\n#pragma pack_matrix(row_major)\nstatic const uint kAll = (N + 1) << 2;\ntypedef float3 Color;\n"
        "struct Light { Color color; min16float range; struct { half2 a; } inner[2]; float4 get() { return 0; } };\n"
        "cbuffer Frame : register(b0, space1) { row_major float4x3 world; Light lights[N][2]; double d = 1.0; bool flag; uint64_t big[kAll]; };\n"
        "cbuffer Placed { float4 a : packoffset(c1); float2 b : packoffset(c0.z); vector<int, 3> c; matrix<uint, 2, 3> e; };\n"
        "ConstantBuffer<Light> one[2] : register(b3);\nRWStructuredBuffer<Light> all : register(u1);\nTexture2DMS<float4, 4> t : register(t0), u;\n"
        "namespace n { SamplerState s { Filter = ANISOTROPIC; }; }\n#if 0\n#else\n[numthreads(1, 1, 1)] void main() { }\n#endif\n",
    ],
    "array": ["const BYTE g_main[] = {\n  68, 88, 66, 67, 0x1, 02, '\\n'\n};\n", "pub static A: [u32; 2] = [0x07230203, 1_u32];\n",
              '#ifdef A\nconst unsigned char x[4] = "\\x44XBC";\n#endif\n'],
}
MOST_WORDS = 6000
COMMON = ["0", "1", "-1", "255", "256", "65535", "65536", "2147483647", "2147483648", "-2147483648", "4294967295", "4294967296", "0x7fffffff",
          "0xffffffff", "18446744073709551615", "1e38", "1e-46", "nan", "-inf", "0x1p+127", "\n", "\n\n", "\t", "\"\"", "\\", "//", "/*", "*/", ";"]


def run(*command):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, timeout=60)
    return done.stdout if done.returncode == 0 else b""


def quoted(word):
    """As libFuzzer reads it: printable ASCII, all else by its code."""
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\x{b:02x}" for b in word) + '"'


class Inputs:
    def __init__(self, unshade, folder, sources):
        self.unshade = unshade
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        self.by_kind = collections.defaultdict(list)
        self.numbers = itertools.count()
        files = [path for source in sources for path in sorted(pathlib.Path(source).rglob("*")) if path.is_file()]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(self.take, files))
        for kind, texts in WRITTEN.items():
            for text in texts:
                self.put(kind, "written", text if isinstance(text, bytes) else text.encode())
        for kind in KINDS.values():
            self.write_dictionary(kind)

    def put(self, kind, name, data):
        if not data:
            return None
        path = self.folder / kind / f"{next(self.numbers):05}-{name}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        self.by_kind[kind].append(path)
        return path

    def take(self, path):
        if path.suffix == ".txt":
            for kind in set(KINDS.values()):
                self.by_kind[kind].append(path)
        elif path.suffix in TEXTS:
            self.by_kind[TEXTS[path.suffix]].append(path)
            if path.suffix == ".yaml" and (built := self.put("binary", path.stem, run(self.unshade, "build", path))):
                self.make_texts(built)
        elif path.suffix == ".hex":
            text = re.sub(r"#[^\n]*", "", path.read_text(errors="replace"))
            pieces = [bytes.fromhex("".join(re.findall(r"[0-9a-fA-F]{2}", piece))) if i % 2 == 0 else piece.encode()
                      for i, piece in enumerate(text.split('"'))]
            self.put("binary", path.stem, b"".join(pieces))
        elif path.suffix in PACKED:
            self.by_kind["binary"].append(path)
        elif path.suffix in BINARY or path.suffix == "":
            self.by_kind["binary"].append(path)
            self.make_texts(path)

    def make_texts(self, path):
        said = run(self.unshade, "info", path).decode(errors="replace").replace(str(path), "", 1).split()
        family = said[0] if said else ""
        for kind, commands in [*MADE.get(family, {}).items(), *MADE_OF_ALL.items()]:
            for words in commands:
                self.put(kind, f"{path.stem}.{''.join(words)}", run(self.unshade, *words, path))
        if family == "vbc":
            for stage in ("vertex", "fragment"):
                if module := self.put("binary", f"{path.stem}.{stage}", run(self.unshade, "extract", "-n", stage, path)):
                    self.make_texts(module)

    def write_dictionary(self, kind):
        words = collections.Counter()
        for pattern in TABLES[kind]:
            for path in ROOT.glob(pattern):
                for word in re.findall(r'"((?:[^"\\\n]|\\.)+)"', path.read_text(errors="replace")):
                    if re.fullmatch(r"[\x21-\x7e]+", word) and "\\" not in word:
                        words[word.encode()] += 1000
        if kind == "spirv":
            for name in re.findall(r'^SPIRV_OP\([^"]*"(\w+)"', (ROOT / "include/unshade/spirv/opcodes.def").read_text(), re.M):
                words[b"Op" + name.encode()] += 2000
        for path in self.by_kind[kind]:
            words.update(set(re.findall(rb"[A-Za-z_.@%#!$][\w.@%#!$]*|[^\w\s]{2,4}|\d[\w.+-]*", path.read_bytes())))
        chosen = [word for word, _ in words.most_common(MOST_WORDS) if len(word) <= 60]
        path = self.folder / f"{kind}.dict"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(quoted(word) + "\n" for word in [*(word.encode() for word in COMMON), *chosen]))

    def kind(self, name):
        return KINDS.get(name, "binary")

    def seeds(self, name):
        return self.by_kind[self.kind(name)]

    def dictionary(self, name):
        kind = self.kind(name)
        return ROOT / "fuzz/binary.dict" if kind == "binary" else self.folder / f"{kind}.dict"

    def told(self):
        return ", ".join(f"{len(files)} {kind}" for kind, files in sorted(self.by_kind.items()))
