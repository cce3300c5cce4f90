// What both documents of DXContainers, ours and LLVM's, are made with.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/part_document.hpp>

#include "shader/document/document.hpp"

namespace unshade::shader::document {

/// What the parts of a container are: those of DXBC or of DXIL.
struct PartDialect {
  Family family = Family::unknown;
  const dxcontainer::PartFunctions* (*own_functions)(std::uint32_t fourcc) = nullptr;  ///< of the parts that no other dialect has
  /// Whose habits a file follows, by its PSV0 and its program, each empty if there is none. `shader`: as of take_origin().
  dxcontainer::Vendor (*vendor)(const Shader& shader, View psv, View program) = nullptr;
};
extern const PartDialect kDxbcParts;
extern const PartDialect kDxilParts;

/// The document of a kind of part; null if there is none.
const dxcontainer::PartFunctions* find_part_document(const PartDialect& dialect, std::uint32_t fourcc);

/// Whose habits a file follows, and what its signatures were made from: by its PSV0 and its program, each empty if there is none.
/// The context has the stage already. `shader`: whose parts these are, or one that was not opened if they are being built.
void take_origin(const PartDialect& dialect, const Shader& shader, View psv, View program, dxcontainer::PartContext& context);
/// The stage in the upper half of a bitcode part's first word.
std::uint32_t stage_of(View program);
/// The same of the first program of a container, or that of a context that nothing is known of.
std::uint32_t stage_of(const dxcontainer::Container& container);
/// Whether a part is one of bitcode, which says the stage.
bool has_stage(std::uint32_t fourcc);
/// What is known of the parts of a container, which is that of `shader` or lies inside of a part. `fourcc` and `most` are those of no part
/// yet.
dxcontainer::PartContext context_of(const PartDialect& dialect, const Shader& shader, const dxcontainer::Container& container);

/// A part as an entry of `parts`: a map whose first member is named by the FourCC, hints after it.
Value make_part(const PartDialect& dialect, const dxcontainer::Part& part, dxcontainer::PartContext context, DocumentFacts& facts,
                Hints hints = Hints::kept);

/// Bytes before a part's header that belong to no part; what follows the last part, and after the container.
inline constexpr std::string_view kBefore = "before";
inline constexpr std::string_view kAfter = "after";
inline constexpr std::string_view kTrailing = "trailing";

/// An entry of `parts` that is being built.
struct BuiltPart {
  std::uint32_t fourcc = 0;
  const Value* value = nullptr;
  const Value* entry = nullptr;
  FileBytes before;
  FileBytes data;
  bool done = false;
  std::optional<Error> note;  ///< why its hints were dropped
};

/// The first member of a part's map is the part itself, its key the FourCC.
Result<BuiltPart> begin_part(const Value& entry);
/// Builds its data, once.
Result<void> build_part(const PartDialect& dialect, dxcontainer::PartContext& context, BuiltPart& part, Hints hints = Hints::kept);

}  // namespace unshade::shader::document
