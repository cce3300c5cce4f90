// A part in LLVM's document of a DXContainer: its data is made of LLVM's fields and of what `rest` says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/part_document.hpp>
#include <unshade/shader/document.hpp>

#include "shader/document/container.hpp"
#include "shader/document/llvm.hpp"

namespace unshade::shader::document::llvm_form {

inline constexpr const char* kPartName = "Name";
inline constexpr const char* kPartSize = "Size";
/// In `rest`: bytes that the fields do not give.
inline constexpr std::string_view kPartPatch = "patch";

/// A part's FourCC as LLVM's document has it.
std::string name_of(std::uint32_t kind);
/// Whether it can be printed.
bool has_name(std::uint32_t kind);

/// A part of LLVM's document with what `rest` says of it.
struct LlvmPart {
  std::uint32_t kind = 0;
  std::uint32_t size = 0;
  bool states_size = false;
  const PartForm* form = nullptr;  // of the fields below
  const Value* fields = nullptr;
  const Value* rest = nullptr;
  std::uint32_t name_offset = 0;  // in the text
  std::uint32_t size_offset = 0;
  FileBytes before;
  FileBytes data;
  bool done = false;
};

/// An entry of the list of parts.
Result<LlvmPart> read_part(const Value& entry);

/// LLVM's fields of a part; null if it has none of them.
Value fields_of(const PartDialect& dialect, const dxcontainer::PartContext& context, const PartForm* form, const dxcontainer::Part& part,
                const LlvmOptions& options);

/// Makes the data of a part, once.
Result<void> build_data(const PartDialect& dialect, dxcontainer::PartContext& context, LlvmPart& part, const LlvmOptions& options);

}  // namespace unshade::shader::document::llvm_form
