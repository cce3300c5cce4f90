#include <unshade/shader/file_kind.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>

namespace unshade::shader {

namespace {

using namespace std::string_view_literals;

/// src: Microsoft, "PE Format", "MS-DOS Stub": at 0x3c, the offset of the signature.
bool is_portable_executable(View head) {
  const auto at = head.u32(0x3c);
  return !at || *at >= head.size() || head.text().substr(*at).starts_with("PE\0\0"sv);
}

/// Mach-O for several processors, or a class of Java, which has the same magic number: there the next word is a version, which is 45 or
/// more.
bool is_fat_macho(View head) {
  constexpr std::uint8_t kMostProcessors = 44;
  return head.u8(4) == std::uint8_t{0} && head.u8(5) == std::uint8_t{0} && head.u8(6) == std::uint8_t{0} && head.u8(7) <= kMostProcessors;
}

/// src: d3d9types.h, D3DVS_VERSION and D3DPS_VERSION: 0xfffe or 0xffff, then major and minor version; 0xff is the minor version of software
/// vertex processing.
bool is_direct3d9(View head) {
  const auto token = head.u32(0);
  if (!token || head.size() % 4 != 0) return false;
  const std::uint32_t kind = *token >> 16;
  const std::uint32_t major = (*token >> 8) & 0xff;
  const std::uint32_t minor = *token & 0xff;
  return (kind == 0xfffe || kind == 0xffff) && major >= 1 && major <= 3 && (minor <= 4 || minor == 0xff);
}

bool is_bzip2(View head) { return head.u8(3) >= std::uint8_t{'1'} && head.u8(3) <= std::uint8_t{'9'}; }

/// src: Microsoft, DDS_HEADER and BITMAPFILEHEADER: the size of the header; reserved words.
bool is_dds(View head) { return head.u32(4) == 124U; }
bool is_bmp(View head) { return head.u32(6) == 0U; }

/// RIFF and its form at 8.
bool is_webp(View head) { return head.text().substr(0, 12).ends_with("WEBP"); }

/// The first bytes are zeros, more than any format begins with.
bool is_zeros(View head) {
  return head.size() >= 4 && std::ranges::all_of(head.bytes(), [](std::byte byte) { return byte == std::byte{0}; });
}

/// Whether a file begins as text does: words may begin as magic numbers do.
bool begins_as_text(View head) {
  constexpr std::size_t kShown = 64;
  return std::ranges::all_of(head.text().substr(0, kShown), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= 0x20 && byte < 0x7f) || c == '\n' || c == '\r' || c == '\t';
  });
}

bool is_utf16_text(View head) { return head.u16(0) == 0xfeff || head.u16(0) == 0xfffe; }

struct Row {
  FileKind kind;
  std::size_t offset = 0;    ///< of the magic number, in bytes
  std::string_view magic{};  ///< bytes
  bool (*is)(View head) = nullptr;
  bool may_be_text = false;  ///< else a file that begins as text is none
};

/// The first that fits counts.
constexpr Row kRows[] = {
    {{"zip", "a ZIP archive", FileUse::search}, 0, "PK\x03\x04"sv},
    {{"zip", "an empty ZIP archive"}, 0, "PK\x05\x06"sv},
    {{"7zip", "a 7-Zip archive", FileUse::search}, 0, "7z\xbc\xaf\x27\x1c"sv},
    {{"rar", "a RAR archive", FileUse::search}, 0, "Rar!\x1a\x07"sv},
    {{"cab", "a cabinet archive", FileUse::search}, 0, "MSCF\0\0\0\0"sv},
    {{"tar", "a tar archive", FileUse::search}, 257, "ustar"sv},
    {{"ar", "an archive of object files (ar)", FileUse::search}, 0, "!<arch>\n"sv, nullptr, true},
    {{"cpio", "a cpio archive", FileUse::search}, 0, "07070"sv, nullptr, true},
    {{"iso9660", "a disk image (ISO 9660)", FileUse::search}, 0x8001, "CD001"sv},
    {{"gzip", "a file compressed with gzip", FileUse::search}, 0, "\x1f\x8b"sv},
    {{"bzip2", "a file compressed with bzip2", FileUse::search}, 0, "BZh"sv, is_bzip2},
    {{"xz", "a file compressed with xz", FileUse::search},
     0,
     "\xfd"
     "7zXZ\0"sv},
    {{"lzip", "a file compressed with lzip", FileUse::search}, 0, "LZIP\x01"sv},
    {{"zstd", "a file compressed with zstd", FileUse::search}, 0, "\x28\xb5\x2f\xfd"sv},
    {{"lz4", "a file compressed with LZ4", FileUse::search}, 0, "\x04\x22\x4d\x18"sv},
    {{"lz4", "a file compressed with LZ4", FileUse::search}, 0, "\x02\x21\x4c\x18"sv},
    {{"lzma", "a file compressed with LZMA", FileUse::search}, 0, "\x5d\0\0"sv},
    {{"smolv", "SPIR-V compressed by SMOL-V", FileUse::search}, 0, "LOMS"sv},
    {{"renderdoc", "a capture of RenderDoc", FileUse::search}, 0, "RDOC\0\0\0\0"sv},
    {{"unity", "a bundle of Unity", FileUse::search}, 0, "UnityFS\0"sv},
    {{"fossilize", "a database of Fossilize", FileUse::search},
     0,
     "\x81"
     "FOSSILIZEDB"sv},
    {{"vkd3d-proton", "a pipeline library of vkd3d-proton", FileUse::search}, 0, "VKL\x04"sv},
    {{"vkd3d-proton", "a pipeline library of vkd3d-proton", FileUse::search}, 0, "VKS\x04"sv},
    {{"vcs", "a collection of shaders of Source 2 (.vcs)", FileUse::search}, 0, "vcs2"sv},
    {{"sqlite", "a database of SQLite", FileUse::ask}, 0, "SQLite format 3\0"sv},
    {{"pe", "a program or library of Windows", FileUse::search}, 0, "MZ"sv, is_portable_executable},
    {{"elf", "an ELF program or library", FileUse::search},
     0,
     "\x7f"
     "ELF"sv},
    {{"macho", "a Mach-O program or library", FileUse::search}, 0, "\xcf\xfa\xed\xfe"sv},
    {{"macho", "a Mach-O program or library", FileUse::search}, 0, "\xce\xfa\xed\xfe"sv},
    {{"macho", "a Mach-O program or library", FileUse::search}, 0, "\xfe\xed\xfa\xcf"sv},
    {{"macho", "a Mach-O program or library", FileUse::search}, 0, "\xfe\xed\xfa\xce"sv},
    {{"macho", "a Mach-O program or library", FileUse::search}, 0, "\xca\xfe\xba\xbe"sv, is_fat_macho},
    {{"java", "a class of Java"}, 0, "\xca\xfe\xba\xbe"sv},
    {{"wasm", "a WebAssembly module", FileUse::search}, 0, "\0asm"sv},
    {{"3dsx", "a homebrew program of the Nintendo 3DS (3DSX)", FileUse::search}, 0, "3DSX"sv},
    {{"cgfx", "a CGFX file of the Nintendo 3DS", FileUse::search}, 0, "CGFX"sv},
    {{"metallib", "a Metal library (metallib), whose programs are Apple's AIR"}, 0, "MTLB"sv},
    {{"bitcode", "LLVM bitcode in a wrapper, which no DXIL is in"}, 0, "\xde\xc0\x17\x0b"sv},
    {{"xbox360", "a shader of the Xbox 360"}, 0, "\x10\x2a\x11"sv},
    {{"bnsh", "a file of shaders of the Nintendo Switch (BNSH)"}, 0, "BNSH"sv},
    {{"gfx2", "a file of shaders of the Wii U (GFX2)"}, 0, "Gfx2"sv},
    {{"png", "a PNG picture"}, 0, "\x89PNG\r\n\x1a\n"sv},
    {{"jpeg", "a JPEG picture"}, 0, "\xff\xd8\xff"sv},
    {{"gif", "a GIF picture"}, 0, "GIF8"sv},
    {{"dds", "a DDS picture"}, 0, "DDS "sv, is_dds},
    {{"exr", "an OpenEXR picture"}, 0, "\x76\x2f\x31\x01"sv},
    {{"hdr", "a Radiance HDR picture"}, 0, "#?RADIANCE"sv, nullptr, true},
    {{"ktx", "a KTX picture"}, 0, "\xabKTX "sv},
    {{"tiff", "a TIFF picture"}, 0, "II*\0"sv},
    {{"tiff", "a TIFF picture"}, 0, "MM\0*"sv},
    {{"webp", "a WebP picture"}, 0, "RIFF"sv, is_webp},
    {{"bmp", "a BMP picture"}, 0, "BM"sv, is_bmp},
    {{"pdf", "a PDF document"}, 0, "%PDF-"sv, nullptr, true},
    {{"numpy", "a NumPy array"}, 0, "\x93NUMPY"sv},
    {{"zeros", "a file that begins with zeros"}, 0, {}, is_zeros},
    {{"effect9", "an effect of Direct3D 9 (fx_2_0), which unshade does not read"}, 0, "\x01\x09\xff\xfe"sv},
    {{"direct3d9", "bytecode of Direct3D 9 (shader models 1 to 3), which unshade reads only inside of DXBC containers (Aon9)"},
     0,
     {},
     is_direct3d9},
    {{"utf16", "UTF-16 text: save it as UTF-8", FileUse::decode}, 0, {}, is_utf16_text},
};

/// Kinds of text, which no bytes at a fixed place tell.
constexpr FileKind kTexts[] = {
    {"dxbc-listing", "a listing of DXBC", FileUse::assemble},
    {"dxil-listing", "a listing of DXIL, or other LLVM assembly", FileUse::assemble},
    {"spirv-listing", "a listing of SPIR-V", FileUse::assemble},
    {"vbc-listing", "a listing of a VBC", FileUse::assemble},
    {"pica-listing", "PICA200 assembly", FileUse::assemble},
    {"pica-aemstro", "PICA200 assembly in the language of aemstro, which unshade does not assemble", FileUse::rewrite, "aemstro_as.py"},
    {"pica-nihstro", "PICA200 assembly in the language of nihstro, which unshade does not assemble", FileUse::rewrite, "nihstro-assemble"},
    {"colored-text", "text with color escapes, as programs print it on terminals", FileUse::rewrite},
    {"direct3d9-listing", "assembly of Direct3D 9 (shader models 1 to 3), which unshade does not assemble"},
    {"glsl", "GLSL source", FileUse::compile, "glslangValidator, glslc"},
    {"hlsl", "HLSL or GLSL source", FileUse::compile, "dxc, fxc, glslangValidator"},
    {"wgsl", "WGSL source", FileUse::compile, "naga, tint"},
    {"msl", "Metal source", FileUse::compile},
    {"ptx", "PTX, NVIDIA's assembly of GPU programs, which unshade does not assemble"},
    {"ir", "unshade's intermediate representation", FileUse::lowered},
    {"amber", "a script of Amber", FileUse::test},
    {"suite", "a suite of tests", FileUse::test},
    {"scene", "a scene", FileUse::draw},
    {"document", "a document of a shader", FileUse::build},
    {"llvm-document", "a document of obj2yaml", FileUse::build},
    {"json", "JSON"},
    {"xml", "XML or HTML"},
    {"blank", "blank text"},
    {"text", "text"},
};

}  // namespace

const FileKind* file_kind_of(View head) {
  const std::string_view text = head.text();
  const bool is_text = begins_as_text(head);
  for (const Row& row : kRows)
    if ((row.may_be_text || !is_text) && text.size() >= row.offset && text.substr(row.offset).starts_with(row.magic) &&
        (row.is == nullptr || row.is(head)))
      return &row.kind;
  return nullptr;
}

const FileKind* find_file_kind(std::string_view id) {
  const auto row = std::ranges::find(kRows, id, [](const Row& one) { return one.kind.id; });
  if (row != std::end(kRows)) return &row->kind;
  const auto text = std::ranges::find(kTexts, id, &FileKind::id);
  return text != std::end(kTexts) ? &*text : nullptr;
}

}  // namespace unshade::shader
