// The functions for each kind of part: its fields as a tree, and documents.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/archive/value_reader.hpp>
#include <unshade/core/archive/value_writer.hpp>
#include <unshade/core/archive/writer.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/value.hpp>
#include <unshade/dxcontainer/container.hpp>

namespace unshade::dxcontainer {

/// Whose habits a part without stated places follows.
enum class Vendor : std::uint8_t {
  fxc,
  dxc,
  early_dxc,  ///< before validator 1.7: a text for each element, but for system values; parts are not padded
};

/// An element of a signature as PSV0 has it. src: DxilProgramSignatureWriter in DXC DxilContainerAssembler.cpp: texts are in the order of
/// these, while the signature's elements are sorted.
struct SignatureOrigin {
  std::string name;  ///< empty for system values
  std::uint32_t stream = 0;
  bool allocated = false;
  std::uint32_t start_row = 0, rows = 0;
  std::uint32_t start_column = 0;
};

/// How containers inside a part are made documents of, and made of them: the shaders of an effect. The room that knows all parts says it.
class NestedContainers {
 public:
  /// Fields that give the container back; an error if none do.
  virtual Result<Value> to_value(View container) const = 0;
  virtual Result<std::vector<std::byte>> from_value(const Value& value, std::uint64_t most) const = 0;

 protected:
  ~NestedContainers() = default;
};

/// The context of a part: facts from outside of its bytes.
struct PartContext {
  std::uint32_t fourcc = 0;
  Vendor vendor = Vendor::fxc;
  std::uint32_t stage = 0xffff'ffff;        ///< of the container's program, as its bitcode says it; all ones if there is none
  std::uint64_t most = limits::kFileBytes;  ///< bytes that the part may have
  std::vector<SignatureOrigin> inputs, outputs, patch_or_primitives;
  const NestedContainers* nested = nullptr;  ///< null inside a container that is itself inside one
  Places places = Places::stated;            ///< whether hints of a document count
  bool* met_hint = nullptr;                  ///< becomes true at the first hint of a document

  ValueStore store() const { return ValueStore(places, met_hint); }
  LayoutPolicy policy() const {
    return {vendor == Vendor::fxc ? std::byte{0xab} : std::byte{0}, vendor != Vendor::early_dxc, vendor != Vendor::early_dxc};
  }
};

/// The functions for one kind of part.
struct PartFunctions {
  std::uint32_t fourcc;
  /// Adds its fields to a tree, below `group`.
  void (*record)(const Part& part, const PartContext& context, Tree& tree, std::uint32_t group);
  /// The fields of a part; an error if it cannot be read. Null, as what follows, if there is no document of such a part.
  Result<Value> (*to_value)(const Part& part, const PartContext& context, Places places) = nullptr;
  /// The part's data.
  Result<std::vector<std::byte>> (*from_value)(const PartContext& context, const Value& value) = nullptr;
  /// Bytes that are written as hexadecimal digits in texts of such a document; null if none are.
  std::uint64_t (*hex_in_texts)(const Value& value) = nullptr;
};

/// Whose table has the functions of a part: parts.def names it.
enum class PartReader : std::uint8_t { none, shared, dxbc, dxil, either };

/// Whether a room's table has the parts that parts.def says, once each.
constexpr bool has_parts_of(PartReader reader, std::span<const PartFunctions> rows) {
  struct Expected {
    std::uint32_t fourcc;
    PartReader reader;
  };
  constexpr Expected kExpected[] = {
#define DX_PART(name, reader, role, strip, meaning, bitcode, stream, precision, token, level9, module, summary) \
  {fourcc(#name), PartReader::reader},
#include <unshade/dxcontainer/parts.def>
  };
  std::size_t expected = 0;
  for (const Expected& part : kExpected) {
    if (part.reader != reader && (part.reader != PartReader::either || reader == PartReader::shared)) continue;
    ++expected;
    if (std::ranges::count(rows, part.fourcc, &PartFunctions::fourcc) != 1) return false;
  }
  return expected == rows.size();
}

/// The row of a part, or null.
inline const PartFunctions* find_row(std::span<const PartFunctions> rows, std::uint32_t fourcc) {
  const auto row = std::ranges::find(rows, fourcc, &PartFunctions::fourcc);
  return row != rows.end() ? &*row : nullptr;
}

inline Error too_large(const Value& value) {
  return {ErrorCode::limit, value.text_offset, "", "the stated offsets would make the part far larger than its document"};
}

/// The bytes of a model by its description.
template <class Model, class... Context>
Result<std::vector<std::byte>> write_within(const PartContext& part, const Value& value, Model& model, const Context&... context) {
  Writer writer(part.policy(), part.most);
  describe(writer, model, context...);
  auto bytes = writer.finish();
  if (writer.overflowed()) return too_large(value);
  return bytes;
}

/// For parts whose fields depend on nothing else.
template <void (*Record)(const Part&, Tree&, std::uint32_t)>
void record_alone(const Part& part, const PartContext&, Tree& tree, std::uint32_t group) {
  Record(part, tree, group);
}
/// The two functions of a part that is one model: `Parse` reads it, `Place` gives fresh models their places.
template <auto Parse>
Result<Value> part_to_value(const Part& part, const PartContext&, Places places) {
  auto model = Parse(part);
  if (!model) return std::move(model).error();
  return value_of(*model, places);
}
template <class Model>
void leave_places(Model&) {}
template <class Model, void (*Place)(Model&) = leave_places<Model>>
Result<std::vector<std::byte>> part_from_value(const PartContext& context, const Value& value) {
  Model model;
  ValueStore store = context.store();
  if (auto read = read_value(value, store, model); !read) return std::move(read).error();
  Place(model);
  return write_within(context, value, model);
}

/// Signatures, feature flags, root signatures. Null if this room does not describe the part.
const PartFunctions* find_part_functions(std::uint32_t fourcc);

}  // namespace unshade::dxcontainer
