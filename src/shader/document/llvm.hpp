// LLVM's document of a DXContainer: how its fields are called there. Docs: docs/reference/yaml.md, "LLVM's form".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/value.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/shader/document.hpp>

#include "shader/document/document.hpp"

namespace unshade::shader::document {

struct PartDialect;

/// LLVM's document of a container, as make_llvm_document() gives it. `shader` has one.
Result<LlvmDocument> make_llvm(const PartDialect& dialect, const Shader& shader, const LlvmOptions& options);
bool is_llvm(const Value& document);
Result<FileBytes> build_llvm(const Value& container, const Value& rest, const LlvmOptions& options);

}  // namespace unshade::shader::document

namespace unshade::shader::document::llvm_form {

/// What LLVM's fields of a part are made of.
struct PartSource {
  const Value& ours;  ///< the part as our documents have it; null if PartForm::to_bytes makes it
  const dxcontainer::Part& part;
  std::uint32_t stage;  ///< of the program in front
  const LlvmOptions& options;
};

/// A part that LLVM has fields for.
struct PartForm {
  std::uint32_t fourcc;
  const char* key;  ///< of the part's fields, beside Name and Size
  LlvmVersion since;
  /// LLVM's fields of ours. False if they cannot say it, null if LLVM leaves them out.
  bool (*to_llvm)(const PartSource& source, Value& llvm);
  /// Ours of LLVM's; null if `to_bytes` makes the part.
  Result<Value> (*to_ours)(const Value& llvm);
  /// The part's data straight out of LLVM's fields, where our documents have others.
  Result<FileBytes> (*to_bytes)(const Value& llvm, const LlvmOptions& options) = nullptr;
};

/// The form of a part in documents of `version`, or of an earlier one; null if it has none.
const PartForm* find_part_form(std::uint32_t fourcc, LlvmVersion version);

// What llvm_fields.cpp has in its table, from files of their own.
bool psv_to_llvm(const PartSource& source, Value& llvm);
Result<Value> psv_to_ours(const Value& llvm);
/// LLVM's name of a member of PSV0 that is not a row of a table; empty if it is none.
std::string psv_path_in_llvm(std::string_view path);
bool root_signature_to_llvm(const PartSource& source, Value& llvm);
Result<Value> root_signature_to_ours(const Value& llvm);
bool sources_to_llvm(const PartSource& source, Value& llvm);
Result<FileBytes> sources_to_bytes(const Value& llvm, const LlvmOptions& options);

/// A path in our fields of a part, as LLVM names what is there: `resources[0]/kind` is `Resources[0]/Kind`.
std::string path_in_llvm(std::string_view path);
/// The stage that LLVM's fields of a part name; all ones if they name none.
std::uint32_t stage_in(const Value& part);

}  // namespace unshade::shader::document::llvm_form
