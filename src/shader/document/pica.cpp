// Documents of SHBIN files: a map `dvlb` or `dvoj` of fields, and hints for bytes that no field has.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/pica/document.hpp>
#include <unshade/pica/shbin.hpp>

#include "shader/document/document.hpp"

namespace unshade::shader::document {

namespace {

constexpr std::string_view kDvlb = "dvlb";
constexpr std::string_view kDvoj = "dvoj";

using FromValue = Result<FileBytes> (*)(const Value& value, std::uint64_t most, ValueStore& store);

template <class Model>
Result<void> make_of(std::string_view key, View file, const Model& model, Value (*to_value)(Model, Places), FromValue from_value,
                     Value& document, DocumentFacts& facts, Hints hints) {
  for (const Places places : {Places::left_to_the_writer, Places::stated}) {
    Value fields = to_value(model, places);
    ValueStore store;
    const auto built = from_value(fields, limits::kBuiltBytesBase + 4 * file.size(), store);
    if (!built) return built.error();
    if (hints == Hints::dropped) {
      facts.hex_bytes += count_bytes(fields);
      document.add(key, std::move(fields));
      return {};
    }
    const Patches patches = count_patches(*built, file.bytes());
    if (places == Places::left_to_the_writer ? patches.bytes > kFewBytes : patches.bytes > file.size() / 4) continue;
    facts.hex_bytes += count_bytes(fields) + patches.bytes;
    facts.stated_parts = patches.any || places == Places::stated ? 1 : 0;
    document.add(key, std::move(fields));
    add_patches(document, *built, file.bytes());
    return {};
  }
  return Error{ErrorCode::unsupported, 0, std::string(key), "this file cannot be represented by fields"};
}

}  // namespace

Result<void> make_pica(const Shader& shader, Value& document, DocumentFacts& facts, Hints hints) {
  facts.parts = 1;
  if (const auto* const object = std::get_if<pica::Object>(&shader.content))
    return make_of(kDvoj, shader.file, *object, pica::object_to_value, pica::object_from_value, document, facts, hints);
  return make_of(kDvlb, shader.file, std::get<pica::Shbin>(shader.content), pica::shbin_to_value, pica::shbin_from_value, document, facts,
                 hints);
}

namespace {

class HintedShbin final : public HintedThing {
 public:
  HintedShbin(const Value& fields, bool is_object, std::uint64_t most) : fields_(fields), is_object_(is_object), most_(most) {}

  Result<FileBytes> build(Places places, bool& met_hint) const override {
    ValueStore store(places, &met_hint);
    return is_object_ ? pica::object_from_value(fields_, most_, store) : pica::shbin_from_value(fields_, most_, store);
  }
  Result<Value> tell(std::span<const std::byte> bytes) const override {
    if (is_object_) {
      auto object = pica::parse_object(View(bytes));
      if (!object) return std::move(object).error();
      return pica::object_to_value(*std::move(object), Places::left_to_the_writer);
    }
    auto shbin = pica::parse_shbin(View(bytes));
    if (!shbin) return std::move(shbin).error();
    return pica::shbin_to_value(*std::move(shbin), Places::left_to_the_writer);
  }

 private:
  const Value& fields_;
  bool is_object_;
  std::uint64_t most_;
};

}  // namespace

Result<FileBytes> build_pica(const Value& document, std::uint64_t most, const BuildOptions& options) {
  DocumentReader reader(document);
  reader.take("schema");
  reader.take("family");
  const Value* const dvlb = reader.take(kDvlb);
  const Value* const dvoj = reader.take(kDvoj);
  if ((dvlb == nullptr) == (dvoj == nullptr))
    return Error{ErrorCode::missing, document.text_offset, std::string(kDvlb), "expected `dvlb` or `dvoj`"};
  const Value& fields = dvlb != nullptr ? *dvlb : *dvoj;
  const std::string_view name = dvlb != nullptr ? kDvlb : kDvoj;
  std::optional<Error> note;
  auto built = build_hinted(HintedShbin(fields, dvlb == nullptr, most), fields, reader, most, options.hints, note);
  if (!built) return std::move(std::move(built).error()).within(name);
  if (note && options.notes != nullptr) options.notes->push_back(std::move(*note).within(name));
  if (auto done = reader.finish(); !done) return std::move(done).error();
  return built;
}

}  // namespace unshade::shader::document
