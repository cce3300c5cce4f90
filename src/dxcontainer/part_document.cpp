#include "dxcontainer/part_document.hpp"

#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/signature.hpp>

#include "dxcontainer/root_signature_layout.hpp"
#include "dxcontainer/signature_layout.hpp"

namespace unshade::dxcontainer {

namespace {

Result<std::vector<std::byte>> signature_from_value(const PartContext& context, const Value& value) {
  Signature signature;
  signature.layout = signature_layout(context.fourcc);
  ValueStore store;
  if (auto read = read_value(value, store, signature); !read) return std::move(read).error();
  return write_within(context, value, signature);
}

// A map of one list, so that there is room for what later versions say.
constexpr std::string_view kFlags = "flags";

Result<Value> features_to_value(const Part& part, const PartContext&, Places) {
  const auto flags = parse_features(part);
  if (!flags) return flags.error();
  std::uint64_t rest = *flags;
  Value names = Value::list();
  for (const Feature& feature : features()) {
    const std::uint64_t bit = std::uint64_t{1} << feature.bit;
    if ((rest & bit) == 0) continue;
    names.push(Value::text(feature.id));
    rest &= ~bit;
  }
  if (rest != 0) names.push(Value::integer(rest, true));
  Value made = Value::map();
  made.add(kFlags, std::move(names));
  return made;
}

Result<std::vector<std::byte>> features_from_value(const PartContext&, const Value& value) {
  std::uint64_t flags = 0;
  const auto fail = [](const Value& at, std::string message) {
    return Error{ErrorCode::bad_value, at.text_offset, std::string(kFlags), std::move(message)};
  };
  const Value* const list = value.find(kFlags);
  if (value.as_map() == nullptr || value.as_map()->size() != (list != nullptr ? 1 : 0)) return fail(value, "no other field is known here");
  if (list != nullptr && list->as_list() == nullptr) return fail(*list, "a list expected");
  if (list != nullptr) {
    for (const Value& element : *list->as_list()) {
      std::uint64_t bits = 0;
      if (const std::string* const name = element.as_text()) {
        for (const Feature& feature : features())
          if (feature.id == *name) bits = std::uint64_t{1} << feature.bit;
        if (bits == 0) return fail(element, "no feature is called \"" + name->substr(0, 64) + '"');
      } else if (auto problem = parse_field(element, 8, kHex, bits); !problem.empty()) {
        return fail(element, std::move(problem));
      }
      flags |= bits;
    }
  }
  std::vector<std::byte> bytes;
  for (unsigned i = 0; i < 8; ++i) bytes.push_back(static_cast<std::byte>(flags >> (8 * i)));
  return bytes;
}

constexpr PartDocument kSignatureDocument{0, part_to_value<parse_signature>, signature_from_value};
constexpr PartDocument kDocuments[] = {
    {fourcc("SFI0"), features_to_value, features_from_value},
    {fourcc("RTS0"), part_to_value<parse_root_signature>, part_from_value<RootSignature>},
};

}  // namespace

const PartDocument* find_part_document(std::uint32_t fourcc) {
  for (const PartDocument& document : kDocuments)
    if (document.fourcc == fourcc) return &document;
  return is_signature(fourcc) ? &kSignatureDocument : nullptr;
}

}  // namespace unshade::dxcontainer
