// A whole file as a document, and the file again: what `dump --yaml` prints and `build` reads. Docs: docs/yaml.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/core/view.hpp>

namespace unshade::shader {

/// What a document had to say besides fields.
struct DocumentFacts {
  std::size_t parts = 0;         ///< parts, or structures of that size in families that have none
  std::size_t stated_parts = 0;  ///< of these, the ones with hints: places, gaps, sizes that vendors' layouts do not have
  std::uint64_t hex_bytes = 0;   ///< bytes of the file that stand as hexadecimal digits
  bool opaque = false;           ///< the whole file stands as hexadecimal digits: no document of fields gives it back
};

/// The document of a file of any family, whose first member, `schema`, is kDocumentSchema. build_document() of it gives the same bytes:
/// it is built once here to be sure of that, and what fields do not say stands in it as hints or as bytes. Errors: those of open().
Result<Value> make_document(View file, DocumentFacts* facts = nullptr);

/// The file that a document describes. Errors have the offset of the value in the text that it was read from (Value::text_offset), and
/// the path of the field: bad_value for fields that do not exist here or have no such value, missing, out_of_range, limit.
Result<std::vector<std::byte>> build_document(const Value& document);

inline constexpr const char* kDocumentSchema = "unshade.document/1";

}  // namespace unshade::shader
