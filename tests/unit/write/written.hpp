// Source of modules of the IR, for tests of the writers.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/write/source.hpp>

#include "write/source/prepare.hpp"

namespace unshade::write {

/// What is written of a text of the IR, or the error.
inline std::string written(std::string_view text, const SourceOptions& options = {}, const shader::Reflection* reflection = nullptr) {
  auto module = ir::parse(text);
  if (!module) return to_string(module.error());
  auto valid = ir::verified(*std::move(module));
  if (!valid) return to_string(valid.error());
  const auto structured = ir::structured(*std::move(valid));
  if (!structured) return to_string(structured.error());
  const auto made = to_source(*structured, reflection, options);
  return made ? made->text : to_string(made.error());
}

/// The same of a module that is prepared first, as those of files are.
inline std::string written_prepared(std::string_view text, const SourceOptions& options = {},
                                    shader::Family family = shader::Family::dxil) {
  auto module = ir::parse(text);
  if (!module) return to_string(module.error());
  auto prepared = source::prepared(*std::move(module), options, family);
  if (!prepared) return to_string(prepared.error());
  const auto structured = ir::structured(*std::move(prepared));
  if (!structured) return to_string(structured.error());
  shader::Reflection reflection;
  reflection.family = family;
  const auto made = to_source(*structured, family == shader::Family::dxil ? nullptr : &reflection, options);
  return made ? made->text : to_string(made.error());
}

}  // namespace unshade::write
