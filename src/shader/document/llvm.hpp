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

#include "shader/document/document.hpp"

namespace unshade::shader::document {

struct PartDialect;

/// LLVM's document of a container, as make_llvm_document() gives it.
Result<LlvmDocument> make_llvm(const PartDialect& dialect, const dxcontainer::Container& container);
bool is_llvm(const Value& document);
Result<FileBytes> build_llvm(const Value& container, const Value& rest);

}  // namespace unshade::shader::document

namespace unshade::shader::document::llvm_form {

/// How a field of ours is represented in LLVM's document.
enum class Form : std::uint8_t {
  same,     ///< text
  number,   ///< decimal, whatever it is here
  hex,      ///< hexadecimal
  boolean,  ///< `true` and `false`
  name,     ///< an enumerator, by LLVM's names
  bytes,    ///< a list of hexadecimal numbers
  numbers,  ///< a list of hexadecimal numbers of 32 bits
};

inline const FieldType& unsigned_type() { return kUnsigned; }

/// One field: a row of the tables that translate documents of ours into LLVM's and back. A field that the one document has not, the other
/// has not either: which stage or version has it is told by our descriptions alone.
struct Key {
  std::string_view ours;                       ///< names of members, from the part's map down: `runtime_info.kind`
  const char* llvm;                            ///< name of the member
  Form form = Form::number;                    ///< how it is there
  std::uint8_t bytes = 4;                      ///< of the field
  const FieldType& (*type)() = unsigned_type;  ///< how it is here
  const NameTable* names = nullptr;            ///< of Form::name
  const Bits* bits = nullptr;                  ///< of the field, those that it is; null: all
};

/// Adds LLVM's members to `llvm`. False if a value has no name there.
bool to_llvm(std::span<const Key> keys, const Value& ours, Value& llvm);
/// Takes LLVM's members out of `reader` and adds ours.
void to_ours(std::span<const Key> keys, DocumentReader& reader, Value& ours);

/// A part that LLVM has fields for.
struct PartForm {
  std::uint32_t fourcc;
  const char* key;  ///< of the part's fields, beside Name and Size
  /// LLVM's fields of ours. False if they cannot say it, null if LLVM leaves them out. `data` is the part, `stage` that of the
  /// program in front.
  bool (*to_llvm)(const Value& ours, View data, std::uint32_t stage, Value& llvm);
  /// Ours of LLVM's.
  Result<Value> (*to_ours)(const Value& llvm);
};

const PartForm* find_part_form(std::uint32_t fourcc);
/// A path in our fields of a part, as LLVM names what is there: `resources[0]/kind` is `Resources[0]/Kind`.
std::string path_in_llvm(std::string_view path);
/// The stage that LLVM's fields of a part name; all ones if they name none.
std::uint32_t stage_in(const Value& part);

}  // namespace unshade::shader::document::llvm_form
