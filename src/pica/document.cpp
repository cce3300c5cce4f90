#include <unshade/pica/document.hpp>

#include <array>
#include <string>

#include <unshade/core/archive/value_reader.hpp>
#include <unshade/core/archive/value_writer.hpp>
#include <unshade/pica/instruction.hpp>

#include "pica/document_layout.hpp"
#include "pica/shbin_layout.hpp"

namespace unshade::pica {

namespace {

// Selectors by their letters: `xyzw` for 0x1b. Numbers are read, too.
constexpr auto kSelectorValues = [] {
  std::array<NamedValue, 256> values{};
  for (unsigned selectors = 0; selectors < values.size(); ++selectors)
    values[selectors] = {selectors, Swizzle(selectors).reversed().text()};
  return values;
}();
constexpr NameTable kSelectorNames{kSelectorValues};

constexpr Bits source_selectors(unsigned source) {
  Bits bits = descriptor::kSelectors[source];
  bits.names = &kSelectorNames;
  return bits;
}

constexpr Bits kDescriptorBits[] = {descriptor::kMask,   descriptor::kNegate[0], source_selectors(0), descriptor::kNegate[1],
                                    source_selectors(1), descriptor::kNegate[2], source_selectors(2), descriptor::kTop};

template <class Model>
Value to_value(Model& model, Places places) {
  return value_of(model, places, Claims{});
}

template <class Model>
Result<void> read_model(const Value& value, std::uint64_t most, ValueStore& store, Model& model) {
  if (auto read = read_value(value, store, model, Claims{}); !read) return std::move(read).error();
  if (model.origin.placed && model.origin.bytes > most)
    return Error{ErrorCode::limit, value.text_offset, "layout/bytes", "the size exceeds the document's content"};
  return {};
}

/// The writer would find other places than those stated.
Error overlap(const Value& value) {
  return {ErrorCode::overlap, value.text_offset, "layout", "the structures overlap at the offsets that the document states"};
}

}  // namespace

const FieldType kDescriptorFields{FieldKind::bits, "operand descriptor", nullptr, kDescriptorBits};

Value shbin_to_value(Shbin shbin, Places places) { return to_value(shbin, places); }
Value object_to_value(Object object, Places places) { return to_value(object, places); }

Result<std::vector<std::byte>> shbin_from_value(const Value& value, std::uint64_t most, ValueStore& store) {
  Shbin shbin;
  if (auto read = read_model(value, most, store, shbin); !read) return std::move(read).error();
  if (!keeps_places(shbin)) return overlap(value);
  return write_shbin(shbin);
}

Result<std::vector<std::byte>> object_from_value(const Value& value, std::uint64_t most, ValueStore& store) {
  Object object;
  if (auto read = read_model(value, most, store, object); !read) return std::move(read).error();
  if (!keeps_places(object)) return overlap(value);
  return write_object(object);
}

}  // namespace unshade::pica
