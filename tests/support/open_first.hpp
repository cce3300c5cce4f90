// The front door's functions for files that are not opened yet: each opens its file first.
#pragma once

#include <span>
#include <utility>

#include <unshade/shader/document.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/resource_definitions.hpp>
#include <unshade/shader/root_signature.hpp>
#include <unshade/shader/source_files.hpp>

namespace unshade::shader {

/// Calls `function` with the opened file.
template <class Function>
auto open_first(View file, Function&& function) -> decltype(function(std::declval<const Shader&>())) {
  auto shader = open(file);
  if (!shader) return std::move(shader).error();
  return function(*shader);
}

inline Result<Edited> strip(View file, const Strip& options) {
  return open_first(file, [&](const Shader& shader) { return strip(shader, options); });
}
inline Result<Edited> rename(View file, std::span<const Rename> renames) {
  return open_first(file, [&](const Shader& shader) { return rename(shader, renames); });
}
inline Result<Edited> rebind(View file, std::span<const Rebind> rebinds) {
  return open_first(file, [&](const Shader& shader) { return rebind(shader, rebinds); });
}
inline Result<Edited> sign(View file, Sign how, bool hash = false) {
  return open_first(file, [&](const Shader& shader) { return sign(shader, how, hash); });
}
inline Result<Edited> change_parts(View file, std::span<const PartChange> changes) {
  return open_first(file, [&](const Shader& shader) { return change_parts(shader, changes); });
}
inline Result<Edited> restore_definitions(View file, View definitions) {
  return open_first(file, [&](const Shader& shader) { return restore_definitions(shader, definitions); });
}
inline Result<Edited> make_definitions(View file) {
  return open_first(file, [](const Shader& shader) { return make_definitions(shader); });
}
inline Result<Value> make_document(View file, DocumentFacts* facts = nullptr, Hints hints = Hints::kept) {
  return open_first(file, [&](const Shader& shader) { return make_document(shader, facts, hints); });
}
inline Result<LlvmDocument> make_llvm_document(View file) {
  return open_first(file, [](const Shader& shader) { return make_llvm_document(shader); });
}
inline Result<Edited> embed_sources(View file, std::span<const dxil::SourceText> files, dxil::Inflate inflate = {},
                                    dxil::Deflate deflate = {}) {
  return open_first(file, [&](const Shader& shader) { return embed_sources(shader, files, inflate, deflate); });
}
inline Result<AttachedRootSignature> attach_root_signature(View file, std::span<const std::byte> root_signature) {
  return open_first(file, [&](const Shader& shader) { return attach_root_signature(shader, root_signature); });
}
inline Result<Edited> detach_root_signature(View file) {
  return open_first(file, [](const Shader& shader) { return detach_root_signature(shader); });
}

}  // namespace unshade::shader
