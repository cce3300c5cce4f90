// Documents: what any file becomes gives it back; what any document becomes is a file in proportion to it, or a fault with a place.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/core/value.hpp>
#include <unshade/shader/document.hpp>

#include "properties.hpp"
#include "random.hpp"
#include "tests/support/open_first.hpp"

namespace unshade::fuzz {

namespace {

/// Keys and texts that documents have, so that a byte is enough for one. What is not in the table is spelled.
constexpr std::string_view kWords[] = {
    "schema",
    "unshade.document/1",
    "family",
    "dxbc",
    "dxil",
    "pica",
    "spirv",
    "vbc",
    "parts",
    "digest",
    "valid",
    "zero",
    "RDEF",
    "ISGN",
    "OSG5",
    "ISG1",
    "STAT",
    "IFCE",
    "SFI0",
    "RTS0",
    "SHEX",
    "Aon9",
    "PSV0",
    "DXIL",
    "HASH",
    "ILDN",
    "VERS",
    "PRIV",
    "size",
    "gaps",
    "at",
    "bytes",
    "before",
    "after",
    "trailing",
    "elements",
    "semantic",
    "semantic_index",
    "register",
    "mask",
    "xyzw",
    "stream",
    "constant_buffers",
    "variables",
    "name",
    "type",
    "types",
    "members",
    "offset",
    "default_value",
    "magic",
    "strides",
    "header",
    "variable",
    "member",
    "interfaces",
    "subtype",
    "base_class",
    "bindings",
    "creator",
    "elements@",
    "name@",
    "types@",
    "@",
    "members@",
    "variables@",
    "bindings@",
    "instances",
    "slots",
    "span",
    "tables",
    "flags",
    "version",
    "parameters",
    "body",
    "ranges",
    "static_samplers",
    "1.1",
    "descriptor_table",
    "constants",
    "cbv",
    "visibility",
    "program",
    "samplers",
    "program_offset",
    "runtime_info_bytes",
    "runtime_info",
    "kind",
    "vertex",
    "stage",
    "resources",
    "resource_stride",
    "inputs",
    "outputs",
    "semantic_name",
    "semantic_indexes",
    "rows",
    "element_stride",
    "input_vectors",
    "output_vectors_0",
    "uses_view_id",
    "input_outputs",
    "strings",
    "entry_name",
    "bitcode",
    "bitcode_offset",
    "dvlb",
    "dvoj",
    "layout",
    "shared",
    "code",
    "opcode",
    "mov",
    "destination",
    "source1",
    "r0",
    "v0",
    "word",
    "descriptors",
    "bits",
    "used",
    "executables",
    "labels",
    "symbol",
    "symbols",
    "uniforms",
    "file_names",
    "lines",
    "header_bytes",
    "text",
    "ps_5_0\nret\n",
};

/// A value from bytes: a byte of kind, then what it needs. Ends where the bytes end.
class Decoder {
 public:
  explicit Decoder(View bytes) : bytes_(bytes) {}

  Value value(unsigned depth = 0) {
    const unsigned head = next();
    const unsigned more = head >> 3;
    switch (head & 7) {
      case 0: return {};
      case 1: return Value::integer(more < 30 ? more : number(more == 31 ? 8 : 4));
      case 2: return Value::signed_integer(static_cast<std::int64_t>(number(4)) - 0x7fff'ffff);
      case 3: return Value::real(static_cast<double>(number(4)) / 3);
      case 4: return Value::text(word());
      case 5: {
        Value bytes = Value::bytes(bytes_.clamped(at_, more));
        at_ += more;
        return bytes;
      }
      case 6: {
        Value list = Value::list();
        for (unsigned i = 0; i < more && depth < limits::kDocumentNesting && at_ < bytes_.size(); ++i) list.push(value(depth + 1));
        return list;
      }
      default: {
        Value map = Value::map();
        for (unsigned i = 0; i < more && depth < limits::kDocumentNesting && at_ < bytes_.size(); ++i) {
          const std::string key = word();
          map.add(key, value(depth + 1));
        }
        return map;
      }
    }
  }

 private:
  unsigned next() { return at_ < bytes_.size() ? static_cast<unsigned>(bytes_.bytes()[at_++]) : 0; }
  std::uint64_t number(unsigned size) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < size; ++i) value = value << 8 | next();
    return value;
  }
  std::string word() {
    const unsigned which = next();
    if (which < std::size(kWords)) return std::string(kWords[which]);
    const std::string text(bytes_.clamped(at_, which & 15).text());
    at_ += which & 15;
    return text;
  }

  View bytes_;
  std::size_t at_ = 0;
};

/// Changes a document in one to three places: values and members are replaced, left out, doubled or exchanged.
class Edits {
 public:
  explicit Edits(View file) : random_(file) {}

  void edit(Value& document) {
    for (std::uint64_t left = 1 + random_.below(3); left != 0; --left) edit_inside(document);
  }

 private:
  void edit_inside(Value& document) {
    for (Value* at = &document;;) {
      Value::List* const list = at->as_list();
      Value::Map* const map = at->as_map();
      const std::size_t count = list != nullptr ? list->size() : map != nullptr ? map->size() : 0;
      if (count == 0) return void(*at = other(*at));
      const auto which = static_cast<std::size_t>(random_.below(count));
      Value& inner = list != nullptr ? (*list)[which] : (*map)[which].value;
      if ((inner.as_list() != nullptr || inner.as_map() != nullptr) && random_.below(4) != 0) {
        at = &inner;
        continue;
      }
      return list != nullptr ? edit_at(*list, which) : edit_at(*map, which);
    }
  }

  template <class Items>
  void edit_at(Items& items, std::size_t which) {
    const auto place = items.begin() + static_cast<std::ptrdiff_t>(which);
    auto& second = items[random_.below(items.size())];
    switch (random_.below(6)) {
      case 0: items.erase(place); return;
      case 1: {
        auto copy = *place;
        if (renamed(copy, items)) items.insert(place, std::move(copy));
        return;
      }
      case 2: std::swap(*place, second); return;
      case 3: value_of(*place) = Value(value_of(second)); return;
      default: value_of(*place) = other(value_of(*place)); return;
    }
  }
  static Value& value_of(Value& value) { return value; }
  static Value& value_of(Value::Member& member) { return member.value; }
  /// Keys of a map are unique: gives a copy another, unless that is there.
  static bool renamed(Value&, const Value::List&) { return true; }
  bool renamed(Value::Member& member, const Value::Map& map) {
    member.key = kWords[random_.below(std::size(kWords))];
    return std::ranges::none_of(map, [&](const Value::Member& one) { return one.key == member.key; });
  }

  /// Another value: near the one there, or of another kind.
  Value other(const Value& value) {
    const Integer* const integer = value.as_integer();
    const std::uint64_t near = integer != nullptr ? integer->magnitude : 0;
    switch (random_.below(8)) {
      case 0: return Value::integer(near + 1);
      case 1: return Value::integer(near - 1);
      case 2: return Value::integer(near ^ std::uint64_t{1} << random_.below(64));
      case 3: return Value::integer(random_.below(256));
      case 4: return Value::text(kWords[random_.below(std::size(kWords))]);
      case 5: return Value::list();
      case 6: return Value::map();
      default: return {};
    }
  }

  Random random_;
};

/// What is wrong with a file that a document describes.
std::string built_again(std::span<const std::byte> bytes) {
  const auto document = shader::make_document(View(bytes));
  if (!document) return {};  // no file that opens: documents may say anything
  const auto again = shader::build_document(*document);
  if (!again) return "its document is refused: " + to_string(again.error());
  if (again->size() != bytes.size() || !std::equal(again->begin(), again->end(), bytes.begin())) return "its document gives another file";
  return {};
}

}  // namespace

std::string document(View file) { return built_again(file.bytes()); }

std::string document_build(View file) {
  auto value = shader::make_document(file);
  if (value) {
    Edits(file).edit(*value);
  } else {
    value = Decoder(file).value();
  }
  const auto built = shader::build_document(*value);
  if (!built) return built.error().message.empty() ? "a fault without a message" : std::string();
  if (built->size() > limits::kBuiltBytesBase * 2 + limits::kBuiltBytesPerWeight * 64 * (file.size() + 1))
    return "a file out of proportion to its document";
  return built_again(*built);
}

}  // namespace unshade::fuzz
