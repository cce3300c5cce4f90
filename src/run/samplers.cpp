#include <unshade/run/samplers.hpp>

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <unshade/run/contents.hpp>
#include <unshade/run/fields.hpp>
#include <unshade/run/trace.hpp>
#include <unshade/run/values.hpp>

namespace unshade::run {
namespace {

using texel::AddressMode;
using texel::Blending;
using texel::Comparison;
using texel::Filter;

constexpr Word<Filter> kFilters[] = {{"point", Filter::point}, {"linear", Filter::linear}};
constexpr Word<AddressMode> kAddresses[] = {
#define DX_ADDRESS(id, number, word) {#id, AddressMode::id},
#include <unshade/dxcontainer/states.def>
};
constexpr Word<Comparison> kComparisons[] = {
#define DX_COMPARISON(id, number, word) {#id, Comparison::id},
#include <unshade/dxcontainer/states.def>
};
constexpr Word<Blending> kBlendings[] = {{"average", Blending::average}, {"minimum", Blending::minimum}, {"maximum", Blending::maximum}};

// One word for all, or a list of a word each.
template <class T, std::size_t N>
Result<void> read_words(const Value& given, const Word<T> (&words)[N], std::span<T> to) {
  const Value::List* const list = given.as_list();
  if (list != nullptr && (list->empty() || list->size() > to.size()))
    return fault(given, "", "expected a word, or a list of up to " + std::to_string(to.size()));
  for (std::size_t k = 0; k < (list == nullptr ? to.size() : list->size()); ++k) {
    if (auto done = read_word(list == nullptr ? given : (*list)[k], words, to[k]); !done) return done;
  }
  return {};
}

Result<void> read_filter(const Value& given, texel::Sampler& to) {
  const std::string* const text = given.as_text();
  to.anisotropic = text != nullptr && *text == "anisotropic";
  std::array<Filter, 3> filters{Filter::linear, Filter::linear, Filter::linear};
  if (text != nullptr && !to.anisotropic && std::ranges::find(kFilters, *text, &Word<Filter>::first) == std::end(kFilters))
    return fault(given, "", "expected point, linear or anisotropic, found `" + text->substr(0, 40) + '`');
  if (!to.anisotropic) {
    if (auto done = read_words<Filter>(given, kFilters, filters); !done) return done;
  }
  to.min = filters[0];
  to.mag = filters[1];
  to.mip = filters[2];
  return {};
}

Result<void> read_anisotropy(const Value& given, texel::Sampler& to) {
  auto number = number_of(given, "");
  if (!number) return std::move(number).error();
  if (*number < 1 || *number > 16) return fault(given, "", "expected a number from 1 to 16");
  to.max_anisotropy = static_cast<std::uint8_t>(*number);
  return {};
}

constexpr Field<texel::Sampler> kSamplerFields[] = {
    {"filter", read_filter},
    {"address", [](const Value& given, texel::Sampler& to) { return read_words<AddressMode>(given, kAddresses, to.address); }},
    {"border", [](const Value& given, texel::Sampler& to) { return read_reals(given, to.border); }},
    {"comparison", [](const Value& given, texel::Sampler& to) { return read_word(given, kComparisons, to.comparison); }},
    {"reduction", [](const Value& given, texel::Sampler& to) { return read_word(given, kBlendings, to.blending); }},
    {"lod_bias", [](const Value& given, texel::Sampler& to) { return read_real(given, to.lod_bias); }},
    {"min_lod", [](const Value& given, texel::Sampler& to) { return read_real(given, to.min_lod); }},
    {"max_lod", [](const Value& given, texel::Sampler& to) { return read_real(given, to.max_lod); }},
    {"max_anisotropy", read_anisotropy},
    {"normalized", [](const Value& given, texel::Sampler& to) { return read_truth(given, to.normalized); }},
};

constexpr auto kSamplerNames = names_of(kSamplerFields);

}  // namespace

std::span<const std::string_view> sampler_fields() { return kSamplerNames; }

Result<void> read_real(const Value& given, float& to) {
  auto bits = bits_of(given, ir::Type::f32, "");
  if (!bits) return std::move(bits).error();
  to = std::bit_cast<float>(static_cast<std::uint32_t>(*bits));
  return {};
}

Result<void> read_truth(const Value& given, bool& to) {
  if (given.as_boolean() == nullptr) return fault(given, "", "expected true or false");
  to = *given.as_boolean();
  return {};
}

Result<texel::Sampler> sampler_of(const Value& given, texel::Sampler made) {
  if (auto done = read_fields(given, kSamplerFields, "a sampler", made); !done) return std::move(done).error();
  return made;
}

Value described(const texel::Sampler& sampler) {
  Value made = Value::map();
  const auto word = [](const auto& words, auto value) {
    return Value::text(std::string(std::ranges::find(words, value, [](const auto& one) { return one.second; })->first));
  };
  const auto real = [](float value) { return shown(ir::Type::f32, true, std::bit_cast<std::uint32_t>(value)); };
  if (sampler.anisotropic) {
    made.add("filter", Value::text("anisotropic"));
  } else {
    Value filters = Value::list();
    for (const Filter one : {sampler.min, sampler.mag, sampler.mip}) filters.push(word(kFilters, one));
    made.add("filter", std::move(filters));
  }
  Value addresses = Value::list();
  for (const AddressMode one : sampler.address) addresses.push(word(kAddresses, one));
  made.add("address", std::move(addresses));
  Value border = Value::list();
  for (const float one : sampler.border) border.push(real(one));
  made.add("border", std::move(border));
  made.add("comparison", word(kComparisons, sampler.comparison));
  made.add("reduction", word(kBlendings, sampler.blending));
  for (const auto& [name, value] :
       {std::pair("lod_bias", sampler.lod_bias), std::pair("min_lod", sampler.min_lod), std::pair("max_lod", sampler.max_lod)})
    made.add(name, real(value));
  made.add("max_anisotropy", Value::integer(sampler.max_anisotropy));
  made.add("normalized", Value::boolean(sampler.normalized));
  return made;
}

texel::Sampler sampler_of(const dxcontainer::StaticSampler& given) {
  texel::Sampler made;
  // src: D3D12_FILTER: two bits each of mip, mag and min, anisotropic, two bits of reduction (1: comparison)
  const auto filter = static_cast<std::uint32_t>(given.filter);
  const auto part = [&](unsigned shift) { return (filter >> shift & 3) != 0 ? Filter::linear : Filter::point; };
  made.mip = part(0);
  made.mag = part(2);
  made.min = part(4);
  made.anisotropic = (filter & 0x40) != 0;
  made.blending = (filter >> 7 & 3) == 2 ? Blending::minimum : (filter >> 7 & 3) == 3 ? Blending::maximum : Blending::average;
  const auto address = [](dxcontainer::TextureAddressMode mode) {
    const auto number = static_cast<std::uint32_t>(mode);
    return number >= 1 && number <= 5 ? static_cast<AddressMode>(number - 1) : AddressMode::clamp;
  };
  made.address = {address(given.address_u), address(given.address_v), address(given.address_w)};
  const auto comparison = static_cast<std::uint32_t>(given.comparison);
  if (comparison >= 1 && comparison <= 8) made.comparison = static_cast<Comparison>(comparison - 1);
  made.max_anisotropy = static_cast<std::uint8_t>(std::clamp(given.max_anisotropy, 1U, 16U));
  made.lod_bias = given.mip_lod_bias;
  made.min_lod = given.min_lod;
  made.max_lod = given.max_lod;
  using enum dxcontainer::BorderColor;
  const bool is_white = given.border_color == opaque_white || given.border_color == opaque_white_uint;
  const float color = is_white ? 1 : 0;
  made.border = {color, color, color, given.border_color == transparent_black ? 0.0F : 1.0F};
  return made;
}

}  // namespace unshade::run
