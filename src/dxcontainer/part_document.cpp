#include <unshade/dxcontainer/part_document.hpp>

#include <map>
#include <string_view>
#include <utility>

#include <unshade/core/bits/little_endian.hpp>
#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/signature.hpp>

#include "dxcontainer/root_signature/layout.hpp"
#include "dxcontainer/signature_layout.hpp"

namespace unshade::dxcontainer {

namespace {

bool has_places(const Signature& signature) {
  if (signature.elements.offset != kUnplaced) return true;
  for (const SignatureElement& element : signature.elements.items)
    if (element.semantic.offset != kUnplaced) return true;
  return false;
}

/// Gives texts the places that dxc gives them: in the order of the elements as PSV0 has them, if that is known.
void place_as_dxc(Signature& signature, const PartContext& context) {
  std::vector<SignatureElement>& elements = signature.elements.items;
  auto end = static_cast<std::uint32_t>(8 + signature.layout.stride() * elements.size());
  std::map<std::string_view, std::uint32_t> shared;
  const auto place_new = [&](std::string_view text) { return std::exchange(end, end + static_cast<std::uint32_t>(text.size() + 1)); };
  const auto place = [&](std::string_view text, bool is_shared) {
    if (!is_shared) return place_new(text);
    const auto found = shared.find(text);
    return found != shared.end() ? found->second : shared[text] = place_new(text);
  };
  const bool shares_all = context.vendor == Vendor::dxc;
  const auto* const origins = role_of(context.fourcc) == PartRole::input    ? &context.inputs
                              : role_of(context.fourcc) == PartRole::output ? &context.outputs
                                                                            : &context.patch_or_primitives;
  std::size_t unallocated = 0;  // those are in the order of their texts, and so of PSV0
  for (const SignatureOrigin& origin : *origins) {
    const bool is_arbitrary = !origin.name.empty();
    std::uint32_t offset = kUnplaced;
    std::string_view placed;  // all elements of an origin have its text
    for (std::size_t i = origin.allocated ? 0 : unallocated; i < elements.size(); ++i) {
      SignatureElement& element = elements[i];
      if (element.semantic.offset != kUnplaced || element.stream != origin.stream) continue;
      if (is_arbitrary && element.semantic.text != origin.name) continue;
      if (origin.allocated) {
        if (element.register_index < origin.start_row || element.register_index - origin.start_row >= origin.rows) continue;
        if ((element.mask >> origin.start_column & 1) == 0) continue;
      } else if (element.register_index != kNoRegister) {
        continue;
      }
      if (offset != kUnplaced && element.semantic.text != placed) continue;
      placed = element.semantic.text;
      if (offset == kUnplaced) offset = place(placed, shares_all || !is_arbitrary);
      element.semantic.offset = offset;
      if (!origin.allocated) {
        unallocated = i + 1;
        break;
      }
    }
  }
  for (SignatureElement& element : elements)
    if (element.semantic.offset == kUnplaced)
      element.semantic.offset = place(element.semantic.text, shares_all || element.system_value != SystemValue::undefined);
}

Result<std::vector<std::byte>> signature_from_value(const PartContext& context, const Value& value) {
  Signature signature;
  signature.layout = signature_layout(context.fourcc);
  ValueStore store = context.store();
  if (auto read = read_value(value, store, signature); !read) return std::move(read).error();
  if (context.vendor != Vendor::fxc && !has_places(signature)) place_as_dxc(signature, context);
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
  if (value.as_map() == nullptr || value.as_map()->size() != (list != nullptr ? 1 : 0)) return fail(value, "unknown field");
  if (list != nullptr && list->as_list() == nullptr) return fail(*list, "expected a list");
  if (list != nullptr) {
    for (const Value& element : *list->as_list()) {
      std::uint64_t bits = 0;
      if (const std::string* const name = element.as_text()) {
        for (const Feature& feature : features())
          if (feature.id == *name) bits = std::uint64_t{1} << feature.bit;
        if (bits == 0) return fail(element, "unknown feature \"" + name->substr(0, 64) + '"');
      } else if (auto problem = parse_field(element, 8, kHex, bits); !problem.empty()) {
        return fail(element, std::move(problem));
      }
      if ((flags & bits) != 0) return fail(element, "a feature is given twice");
      flags |= bits;
    }
  }
  std::vector<std::byte> bytes;
  append_little_endian(bytes, flags);
  return bytes;
}

constexpr PartFunctions signature_row(std::uint32_t fourcc) {
  return {fourcc, record_alone<record_signature>, part_to_value<parse_signature>, signature_from_value};
}

constexpr PartFunctions kParts[] = {
    signature_row(fourcc("ISGN")),
    signature_row(fourcc("ISG1")),
    signature_row(fourcc("OSGN")),
    signature_row(fourcc("OSG5")),
    signature_row(fourcc("OSG1")),
    signature_row(fourcc("PCSG")),
    signature_row(fourcc("PSG1")),
    {fourcc("SFI0"), record_alone<record_features>, features_to_value, features_from_value},
    {fourcc("RTS0"), record_alone<record_root_signature>, part_to_value<parse_root_signature>, part_from_value<RootSignature>},
};
static_assert(has_parts_of(PartReader::shared, kParts));

}  // namespace

const PartFunctions* find_part_functions(std::uint32_t fourcc) { return find_row(kParts, fourcc); }

}  // namespace unshade::dxcontainer
