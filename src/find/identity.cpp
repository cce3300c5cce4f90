#include <unshade/find/identity.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

#include <unshade/core/text.hpp>
#include <unshade/dxcontainer/digest.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/find/checksums.hpp>
#include <unshade/shader/code.hpp>
#include <unshade/shader/file_summary.hpp>

namespace unshade::find {

namespace {

using dxcontainer::Container;
using dxcontainer::fourcc;
using dxcontainer::Part;
using shader::Shader;

std::string hex_bytes(std::span<const std::byte> bytes) {
  Text text;
  for (const std::byte byte : bytes) text.hex(std::to_integer<std::uint64_t>(byte), 2);
  return text.str();
}

std::string hex_number(std::uint64_t value, unsigned digits) {
  Text text;
  text.hex(value, digits);
  return text.str();
}

/// The container of a token program, whose digest tools of Direct3D 11 go by; null for other files.
const Container* token_container(const Shader& shader) { return shader.family == shader::Family::dxbc ? shader.container() : nullptr; }

std::string digest_name(const Shader& shader) {
  const Container* const container = shader.container();
  return container != nullptr ? hex_bytes(container->digest) : std::string();
}

/// src: renderdoc, driver/shaders/dxbc/dxbc_container.cpp: the digest as four numbers, "Shader hash %08x-%08x-%08x-%08x"
std::string renderdoc_name(const Shader& shader) {
  const Container* const container = token_container(shader);
  if (container == nullptr) return {};
  Text text;
  for (std::size_t i = 0; i < 4; ++i) {
    if (i != 0) text << '-';
    text.hex(View(container->digest).load_unchecked<std::uint32_t>(4 * i), 8);
  }
  return text.str();
}

/// src: doitsujin/dxvk, src/dxvk/dxvk_shader_key.cpp: DxvkShaderKey (older) and DxvkShaderHash::toString()
struct DxvkStage {
  std::string_view stage;
  std::string_view prefix;
  std::string_view old_prefix;
};
constexpr DxvkStage kDxvkStages[] = {{"vertex", "vs", "VS"},   {"hull", "tcs", "TCS"}, {"domain", "tes", "TES"},
                                     {"geometry", "gs", "GS"}, {"pixel", "fs", "FS"},  {"compute", "cs", "CS"}};

/// Null if the file is no program that DXVK runs.
const DxvkStage* dxvk_stage(const Shader& shader) {
  if (token_container(shader) == nullptr) return nullptr;
  const std::string stage = outline(shader).stage;
  const auto found = std::find_if(std::begin(kDxvkStages), std::end(kDxvkStages), [&](const DxvkStage& row) { return row.stage == stage; });
  return found == std::end(kDxvkStages) ? nullptr : found;
}

std::string dxvk_name(const Shader& shader) {
  const DxvkStage* const stage = dxvk_stage(shader);
  return stage != nullptr ? std::string(stage->prefix) + '.' + hex_bytes(shader.container()->digest) : std::string();
}

std::string old_dxvk_name(const Shader& shader) {
  const DxvkStage* const stage = dxvk_stage(shader);
  return stage != nullptr ? std::string(stage->old_prefix) + '_' + hex_bytes(sha1(named_bytes(shader))) : std::string();
}

/// src: crosire/reshade, examples/02-shader_dump/shader_dump.cpp: "0x%08X"
std::string crc32_name(const Shader& shader) {
  std::string digits = hex_number(crc32(named_bytes(shader)), 8);
  std::transform(digits.begin(), digits.end(), digits.begin(),
                 [](char c) { return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c; });
  return "0x" + digits;
}

/// src: SpecialK, SK_D3D11_ChecksumShaderBytecode()
std::string crc32c_name(const Shader& shader) {
  return token_container(shader) != nullptr ? hex_number(crc32c(named_bytes(shader)), 8) : std::string();
}

std::string xxh3_name(const Shader& shader) { return has_xxh3() ? hex_bytes(xxh3_128(named_bytes(shader))) : std::string(); }

/// src: vkd3d-proton, libs/vkd3d-shader/vkd3d_shader_main.c: vkd3d_shader_hash()
std::string vkd3d_name(const Shader& shader) {
  return shader.container() != nullptr ? hex_number(fnv1_64(named_bytes(shader)), 16) : std::string();
}

// The three hashes of 3Dmigoto. src: bo3b/3Dmigoto, DirectX11/HackerDevice.cpp: hash_shader(); util.h: fnv_64_buf(), which begins with 0
std::string migoto_name(const Shader& shader) {
  return token_container(shader) != nullptr ? hex_number(fnv1_64(named_bytes(shader), 0), 16) : std::string();
}
std::string migoto_embedded_name(const Shader& shader) {
  const Container* const container = token_container(shader);
  return container != nullptr ? hex_bytes(std::span(container->digest).first(8)) : std::string();
}
std::string migoto_bytecode_name(const Shader& shader) {
  const Container* const container = token_container(shader);
  if (container == nullptr) return {};
  std::uint32_t hash = 0;
  for (const Part& part : container->parts) {
    const dxcontainer::PartKind* const kind = dxcontainer::find_part_kind(part.fourcc);
    if (kind != nullptr && (kind->is_signature() || kind->role == dxcontainer::PartRole::tokens)) hash = crc32c(part.data, hash);
  }
  return hash != 0 ? hex_number(hash, 16) : migoto_name(shader);
}

/// src: DXC, lib/DxilContainer/DxilContainerAssembler.cpp; printed by -dumpbin as `shader hash`
std::string dxil_hash_name(const Shader& shader) {
  const Container* const container = shader.container();
  const Part* const part = container != nullptr ? container->find(fourcc("HASH")) : nullptr;
  if (part == nullptr) return {};
  const auto hash = dxil::parse_hash(*part);
  return hash ? hex_bytes(hash->digest) : std::string();
}

std::string code_name(const Shader& shader) {
  const auto code = code_bytes(shader);
  return code ? hex_bytes(dxcontainer::md5(View(*code))) : std::string();
}

std::string plain_name(const Shader& shader) {
  const auto plain = plain_code(shader);
  return plain ? hex_bytes(dxcontainer::md5(View(std::as_bytes(std::span(*plain))))) : std::string();
}

std::string sketch_name(const Shader& shader) {
  const auto sketch = sketch_of(shader);
  if (!sketch) return {};
  Text text;
  for (const std::uint16_t value : *sketch) text.hex(value, 4);
  return text.str();
}

/// `value`: an empty text if the shader has none.
struct IdentityRow {
  IdentityKind kind;
  std::string (*value)(const Shader& shader);
};

constexpr IdentityRow kIdentities[] = {
    {{"digest", "Direct3D, PIX", "the digest in the header of the container, byte by byte"}, digest_name},
    {{"renderdoc", "RenderDoc", "the same as four numbers", {}, "digest"}, renderdoc_name},
    {{"dxvk", "DXVK", "the stage and the digest", {}, "digest"}, dxvk_name},
    {{"dxvk-sha1", "DXVK, older versions", "the stage and the SHA-1 of the container"}, old_dxvk_name},
    {{"crc32", "ReShade, RenoDX", "CRC-32 of the file, or of its container"}, crc32_name},
    {{"crc32c", "Special K", "CRC-32C of the container"}, crc32c_name},
    {{"fnv1", "vkd3d-proton", "FNV-1 (64 bits) of the container"}, vkd3d_name},
    {{"3dmigoto", "3Dmigoto", "FNV-1 (64 bits) of the container, beginning with 0"}, migoto_name},
    {{"3dmigoto-embedded", "3Dmigoto, shader_hash=embedded", "the first half of the digest", {}, "digest"}, migoto_embedded_name},
    {{"3dmigoto-bytecode", "3Dmigoto, shader_hash=bytecode", "CRC-32C of the program and the signatures"}, migoto_bytecode_name},
    {{"xxh3", "xxh128sum", "XXH3 (128 bits) of the file, or of its container", "xxHash"}, xxh3_name},
    {{"dxil-hash", "dxc -dumpbin, names of PDBs", "the digest of the HASH part"}, dxil_hash_name},
    {{"code", "unshade", "MD5 of the code alone: reflection, debug information and the container may differ"}, code_name},
    {{"plain", "unshade", "MD5 of the listing without names, constants and numbers of registers and values"}, plain_name},
    {{"sketch", "unshade", "MinHash of the runs of four opcodes: equal digits are equal parts"}, sketch_name},
};

constexpr auto kIdentityKinds = [] {
  std::array<IdentityKind, std::size(kIdentities)> kinds;
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = kIdentities[i].kind;
  return kinds;
}();

}  // namespace

bool IdentityKind::is_built() const { return needs.empty() || has_xxh3(); }

std::span<const IdentityKind> identity_kinds() { return kIdentityKinds; }

const IdentityKind* identity_kind(std::string_view id) {
  const auto found = std::find_if(kIdentityKinds.begin(), kIdentityKinds.end(), [&](const IdentityKind& kind) { return kind.id == id; });
  return found == kIdentityKinds.end() ? nullptr : &*found;
}

std::vector<Identity> identities(const Shader& shader) {
  std::vector<Identity> names;
  for (const IdentityRow& row : kIdentities)
    if (std::string value = row.value(shader); !value.empty()) names.push_back({row.kind.id, std::move(value)});
  return names;
}

std::vector<Identity> own_identities(const Shader& shader) {
  // Where each byte waits for the one before, two are computed together.
  struct Value {
    std::string (*of)(const Shader& shader);
    std::string text;
  };
  std::vector<Value> known;
  if (shader.container() != nullptr) {
    const auto fnv = fnv1_64(named_bytes(shader), {kFnvBasis, 0});
    known.push_back({vkd3d_name, hex_number(fnv[0], 16)});
    if (token_container(shader) != nullptr) known.push_back({migoto_name, hex_number(fnv[1], 16)});
  }
  const auto code = code_bytes(shader);
  const auto plain = plain_code(shader);
  if (code && plain) {
    const auto md5 = dxcontainer::md5(View(*code), View(std::as_bytes(std::span(*plain))));
    known.push_back({code_name, hex_bytes(md5[0])});
    known.push_back({plain_name, hex_bytes(md5[1])});
  } else {
    // not asked for again
    known.push_back({code_name, code ? hex_bytes(dxcontainer::md5(View(*code))) : std::string()});
    known.push_back({plain_name, {}});
  }
  std::vector<Identity> names;
  for (const IdentityRow& row : kIdentities) {
    if (!row.kind.spells.empty() || row.value == sketch_name) continue;
    const auto found = std::find_if(known.begin(), known.end(), [&](const Value& value) { return value.of == row.value; });
    if (std::string value = found != known.end() ? std::move(found->text) : row.value(shader); !value.empty())
      names.push_back({row.kind.id, std::move(value)});
  }
  return names;
}

std::optional<std::string> identity(const Shader& shader, std::string_view id) {
  for (const IdentityRow& row : kIdentities) {
    if (row.kind.id != id) continue;
    if (std::string value = row.value(shader); !value.empty()) return value;
  }
  return std::nullopt;
}

View named_bytes(const Shader& shader) {
  const Container* const container = shader.container();
  return container != nullptr ? container->file.clamped(0, container->size) : shader.file;
}

std::optional<Sketch> sketch_of(const Shader& shader) {
  const auto opcodes = shader::opcodes(shader);
  if (!opcodes || opcodes->empty()) return std::nullopt;
  return sketch_of(std::span(*opcodes));
}

}  // namespace unshade::find
