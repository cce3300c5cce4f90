#include <unshade/shader/root_signature.hpp>

#include <algorithm>
#include <utility>

#include <unshade/dxbc/validate/check.hpp>
#include <unshade/dxcontainer/edit.hpp>
#include <unshade/dxcontainer/msf.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/validate/check.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/validate.hpp>

namespace unshade::shader {

using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

constexpr std::uint32_t kRootSignature = fourcc("RTS0");

/// A container that can be edited: no database, no bitcode alone.
Result<dxcontainer::ContainerEdit> begin_edit(const Shader& shader) {
  if (const auto* const container = std::get_if<dxcontainer::Container>(&shader.content)) return dxcontainer::ContainerEdit(*container);
  return Error{ErrorCode::unsupported, shader.file.file_offset(), "file",
               "root signatures can only be attached to or detached from containers"};
}

Error no_root_signature(View file) { return {ErrorCode::missing, file.file_offset(), "RTS0", "the file has no root signature"}; }

/// The bytes of a root signature that can be read.
Result<std::vector<std::byte>> checked(const Part& part) {
  const auto parsed = dxcontainer::parse_root_signature(part);
  if (!parsed) return parsed.error();
  return std::vector<std::byte>(part.data.bytes().begin(), part.data.bytes().end());
}

}  // namespace

Result<std::vector<std::byte>> root_signature_of(const Shader& shader) {
  const Part* const part = shader.container() != nullptr ? shader.container()->find(kRootSignature) : nullptr;
  if (part == nullptr) return no_root_signature(shader.file);
  return checked(*part);
}

Result<std::vector<std::byte>> root_signature_of(View file) {
  const auto shader = open(file);
  if (shader && shader->container() != nullptr) return root_signature_of(*shader);
  if (dxcontainer::is_container(file) || file.size() < 24) {
    if (!shader) return shader.error();
    return no_root_signature(file);
  }
  return checked({kRootSignature, 0, file});
}

bool is_binary_root_signature(View file) {
  if (dxcontainer::is_container(file) || dxcontainer::is_msf(file)) return true;
  const auto version = file.u32(0);
  return version && *version >= 1 && *version <= 3;
}

Result<dxcontainer::RootSignature> parse_root_signature(std::span<const std::byte> bytes) {
  return dxcontainer::parse_root_signature({kRootSignature, 0, View(bytes)});
}

Result<AttachedRootSignature> attach_root_signature(const Shader& shader, std::span<const std::byte> root_signature) {
  auto edit = begin_edit(shader);
  if (!edit) return std::move(edit).error();
  if (dxil::profile_prefix(dxil::program_kind(*shader.container())) == "lib")
    return Error{ErrorCode::unsupported, shader.file.file_offset(), "file", "the root signatures of a library are subobjects"};
  if (const auto parsed = parse_root_signature(root_signature); !parsed) return parsed.error();
  edit->put(kRootSignature, std::vector<std::byte>(root_signature.begin(), root_signature.end()));
  auto bytes = edit->write();
  if (!bytes) return std::move(bytes).error();
  AttachedRootSignature result;
  result.edited.changed = edit->changed();
  result.edited.bytes = *std::move(bytes);
  for (Diagnostic& finding : validate(View(result.edited.bytes)))
    if (finding.rule->id == dxil::validate::rules::kDxilRootBinding.id || finding.rule->id == dxbc::validate::rules::kDxbcRootBinding.id)
      result.findings.push_back(std::move(finding));
  return result;
}

Result<Edited> detach_root_signature(const Shader& shader) {
  auto edit = begin_edit(shader);
  if (!edit) return std::move(edit).error();
  if (edit->remove_all(kRootSignature) == 0)
    return Error{ErrorCode::missing, shader.file.file_offset(), "RTS0", "the file has no root signature"};
  auto bytes = edit->write();
  if (!bytes) return std::move(bytes).error();
  Edited edited;
  edited.bytes = *std::move(bytes);
  edited.changed = true;
  return edited;
}

}  // namespace unshade::shader
