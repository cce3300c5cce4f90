// A whole file as a document, and the file again: what `dump --yaml` prints and `build` reads. Docs: docs/reference/yaml.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxil/source_info.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader {

/// How much of a document is not fields.
struct DocumentFacts {
  std::size_t parts = 0;           ///< parts, or structures of that size in families that have none
  std::size_t stated_parts = 0;    ///< of these, the ones with hints: places, gaps, sizes that vendors' layouts do not have
  std::uint64_t hex_bytes = 0;     ///< bytes of the file written as hexadecimal digits
  std::uint64_t hex_in_texts = 0;  ///< of these, the ones in programs' texts: comments of Direct3D 9 programs
  bool opaque = false;             ///< the whole file is written as hexadecimal digits: fields cannot represent it
};

/// What becomes of hints: the members of a document that say where things are, how large parts are, and which bytes lie between things.
enum class Hints : std::uint8_t {
  kept,     ///< things are where the document says; a part whose things then overlap is an error
  fitting,  ///< a part whose things then overlap is laid out afresh, which a note tells
  dropped,  ///< everything is laid out afresh
};

struct BuildOptions {
  Hints hints = Hints::kept;
  std::vector<Error>* notes = nullptr;  ///< gets an entry, located as errors are, for each part whose hints were dropped by Hints::fitting
};

/// The document of a file of any family, whose first member, `schema`, is kDocumentSchema. build_document() of it gives the same bytes:
/// it is built once here to be sure of that, and what fields do not say is written as hints or as bytes. With Hints::dropped there are no
/// hints: what is built of it reads as the same document, but places may differ; what cannot be represented so is written as bytes. Errors:
/// none so far.
Result<Value> make_document(const Shader& shader, DocumentFacts* facts = nullptr, Hints hints = Hints::kept);

/// The file that a document describes. Errors have the offset of the value in the text that it was read from (Value::text_offset), and
/// the path of the field: bad_value for fields that do not exist here or have no such value, missing, out_of_range, limit; overlap if
/// something would not read as the document says because of the document's hints.
Result<std::vector<std::byte>> build_document(const Value& document, const BuildOptions& options = {});

/// A DXContainer as LLVM's obj2yaml prints it and yaml2obj reads it, and beside it what that has no words for.
struct LlvmDocument {
  Value container;  ///< `Header` and `Parts`
  Value rest;       ///< parts, bytes and hints that LLVM leaves out; null if there are none
};

/// Whose form of such documents. LLVM 20 and later have fields for more parts (RTS0, ILDB, ILDN, VERS, SRCI, PRIV), the flags of shader
/// model 6.8, and names for what LLVM 19 writes as numbers in PSV0.
enum class LlvmVersion : std::uint8_t { v19, v21 };

struct LlvmOptions {
  LlvmVersion version = LlvmVersion::v19;  ///< of documents that are made; those of each are read
  dxil::Inflate inflate{};                 ///< for compressed sources: without it they have no fields
  dxil::Deflate deflate{};                 ///< for building them: an error without it
};

/// LLVM's document of a container of the families dxbc and dxil. build_llvm_document() of both values gives the same bytes. Errors:
/// unsupported for files of other families and for those whose parts overlap.
Result<LlvmDocument> make_llvm_document(const Shader& shader, const LlvmOptions& options = {});
/// Whether a document is one of LLVM's.
bool is_llvm_document(const Value& document);
/// The file that LLVM's document describes: as yaml2obj makes it, but for texts, which are placed as dxc does, and for what `rest` adds.
/// A null `rest` adds nothing: parts without fields are zeros. Errors as in build_document().
Result<std::vector<std::byte>> build_llvm_document(const Value& container, const Value& rest, const LlvmOptions& options = {});

/// The member `schema` of documents. `shader` reads it, so it cannot use the rows of `present`, where an assertion compares the two.
inline constexpr const char* kDocumentSchema = "unshade.document/1";

}  // namespace unshade::shader
