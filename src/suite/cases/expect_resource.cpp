// The resources of a result against those that a case expects.
#include <algorithm>
#include <span>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/run/contents.hpp>
#include <unshade/run/places.hpp>
#include <unshade/run/type_layout.hpp>
#include <unshade/run/values.hpp>

#include "suite/cases/checker.hpp"

namespace unshade::suite::cases {
namespace {

using Kind = NumberType::Kind;
using run::fault;

constexpr std::string_view kExpectedResourceFields[] = {"values", "words",  "hex",     "csv",       "npy",   "file",     "format",
                                                        "type",   "offset", "counter", "unordered", "ulp",   "absolute", "relative",
                                                        "exact",  "image",  "channel", "mean",      "share", "width",    "height"};
constexpr std::size_t kMostPairs = std::size_t{1} << 24;

}  // namespace

std::span<const std::string_view> expected_resource_fields() { return kExpectedResourceFields; }

// An empty list gets all numbers.
void Checker::lacks_numbers(const Layout& layout, std::span<const std::byte> bytes, std::size_t count, const Value& expected,
                            const std::string& what) {
  ++outcome_.expectations;
  correct_list(expected, count, [&](std::size_t k) { return layout.load(bytes, k); });
  fail(at(expected), what, {"no numbers", std::to_string(count) + "; --update writes them"});
}

// Elements in any order: each that is expected takes the first that it matches and none took before.
Result<void> Checker::unordered(const Layout& layout, std::span<const std::byte> bytes, const Value& expected, const Value* counter,
                                const Tolerance& tolerance, const std::string& what) {
  std::vector<const Value*> wanted;
  run::flatten(expected, wanted);
  const std::size_t parts = layout.parts.size();
  std::size_t there = bytes.size() / layout.stride;
  if (counter != nullptr) there = std::min<std::size_t>(there, counter->as_integer()->magnitude);
  if (expected.as_list() == nullptr)
    return fault(expected, "", "expected a list of elements in any order, found one number, which would hold for all");
  if (wanted.size() % parts != 0) return fault(expected, "", "expected a multiple of " + std::to_string(parts) + " numbers");
  if (wanted.empty() && (counter == nullptr || there != 0))
    return lacks_numbers(layout, bytes, there * parts, expected, what), Result<void>();
  const std::size_t rows = wanted.size() / parts;
  if (rows != 0 && there > kMostPairs / rows)
    return fault(expected, "", "more than 2^24 pairs of elements are to be compared", ErrorCode::limit);
  if (counter != nullptr && rows != there) {
    ++outcome_.expectations;
    fail(at(expected), what, {std::to_string(rows) + " elements", std::to_string(there)});
  }
  std::vector<bool> taken(there);
  for (std::size_t row = 0; row < rows; ++row) {
    ++outcome_.expectations;
    bool found = false;
    for (std::size_t other = 0; other < there && !found; ++other) {
      bool matches = !taken[other];
      for (std::size_t part = 0; part < parts && matches; ++part) {
        auto wrong = compared(layout.load(bytes, other * parts + part), *wanted[row * parts + part], tolerance);
        if (!wrong) return std::move(wrong).error();
        matches = !*wrong;
      }
      if (!matches) continue;
      taken[other] = true;
      found = true;
    }
    if (!found) fail(at(*wanted[row * parts]), what + ": no element matches expected element " + std::to_string(row));
  }
  return {};
}

Result<void> Checker::resource(const Value& result, const Value::Member& member, const Tolerance& inherited) {
  const Value& expected = member.value;
  const std::string what = "resource " + member.key;
  if (expected.as_map() == nullptr) return fault(expected, "", "expected a map, found " + std::string(id(expected.kind())));
  for (const Value::Member& one : *expected.as_map()) {
    if (std::ranges::find(kExpectedResourceFields, one.key) == std::end(kExpectedResourceFields))
      return Error{ErrorCode::bad_value, one.key_offset, one.key.substr(0, 64),
                   with_nearest("an expected resource has no field of this name", one.key, kExpectedResourceFields)};
  }
  const Value::Member* own = nullptr;
  if (bindings_) {
    const auto known = bindings_->find_result(result, member.key);
    if (!known && known.error().code == ErrorCode::bad_value) return known.error();
    if (known) own = *known;
  } else {
    own = run::find_resource(result, member.key);
  }
  const Value* const found = own == nullptr ? nullptr : &own->value;
  const std::string_view key = own == nullptr ? std::string_view() : std::string_view(own->key);
  if (found == nullptr) {
    const bool is_known = bindings_ && bindings_->key_named(member).has_value();
    Nearest nearest(member.key);
    for (const Value::Member& one : *result.find("resources")->as_map()) {
      nearest.consider(one.key);
      if (const Value* const name = one.value.find("name")) nearest.consider(*name->as_text());
    }
    fail(member.key_offset != 0 ? member.key_offset : case_.offset,
         what +
             (case_.scene.empty() ? is_known ? ": the case does not list this resource, so it has no memory"
                                             : ": the shader writes no resource of this name"
                                  : ": the scene has no target or resource of this name") +
             nearest.question());
    return {};
  }
  const auto tolerance = tolerance_of(expected, inherited);
  if (!tolerance) return tolerance.error();
  const Value* const counter = found->find("counter");
  if (const Value* const wanted = expected.find("counter")) {
    if (counter == nullptr) return fault(*wanted, "counter", "the case gives the resource no counter");
    if (auto done = number(whole_number(counter->as_integer()->magnitude, {Kind::uint, 4}), *wanted, *tolerance, what + ", counter"); !done)
      return std::move(done).error().within("counter");
  }
  std::vector<std::byte> memory;
  from_hex(*found->find("hex")->as_text(), memory);
  std::span<const std::byte> bytes = memory;
  std::size_t start = 0;
  if (const Value* const offset = expected.find("offset")) {
    const auto from = run::number_of(*offset, "offset");
    if (!from) return from.error();
    if (*from > bytes.size()) return fault(*offset, "offset", "out of bounds of the resource's " + std::to_string(bytes.size()) + " bytes");
    start = *from;
    bytes = bytes.subspan(start);
  }
  const Value* const own_name = found->find("name");
  const Value* const given = given_resource(case_, bindings_ ? &*bindings_ : nullptr, member.key, key,
                                            own_name == nullptr ? std::string_view() : *own_name->as_text());
  if (const Value* const image = expected.find("image")) {
    if (auto done = picture(*image, expected, given, key, memory, what); !done) return done;
  }
  if (std::ranges::none_of(kContents, [&](std::string_view one) { return expected.find(one) != nullptr; })) {
    if (expected.find("image") == nullptr && expected.find("counter") == nullptr)
      return fault(expected, "", "expected values, words, hex, csv, npy, file, image or counter: there is nothing to compare");
    return {};
  }
  if (auto done = run::check_one_content(expected); !done) return done;
  const auto how = layout_of(expected, given, is_feedback_map(given, key));
  if (!how) return how.error();
  const auto place = [&](std::size_t number) {
    const std::size_t part = number % how->parts.size();
    std::string made =
        what + ", byte " + std::to_string(start + number / how->parts.size() * how->stride + (how->format ? 0 : how->offsets[part]));
    if (how->format && how->parts.size() > 1) made += std::string(", ") + "rgba"[how->parts[part].component];
    return made;
  };
  const std::size_t count = how->count(bytes.size());
  const auto is_short = [&](std::size_t wanted, const Value& value) {
    if (wanted <= count) return false;
    ++outcome_.expectations;
    fail(at(value), what, {std::to_string(wanted) + (wanted == 1 ? " number" : " numbers"), std::to_string(count)});
    return true;
  };
  const Value* values = expected.find("values");
  const char* const field_of_values = values != nullptr ? "values" : "words";
  if (values == nullptr) values = expected.find("words");
  const Value* const in_any_order = expected.find("unordered");
  if (in_any_order != nullptr && in_any_order->as_boolean() == nullptr) return fault(*in_any_order, "unordered", "expected true or false");
  if (values != nullptr && in_any_order != nullptr && *in_any_order->as_boolean())
    return unordered(*how, bytes, *values, counter, *tolerance, what);
  if (values != nullptr) {
    std::vector<const Value*> wanted;
    run::flatten(*values, wanted);
    // one for all
    const bool all = values->as_list() == nullptr;
    if (wanted.empty()) return lacks_numbers(*how, bytes, count, *values, what), Result<void>();
    if (all && count == 0) {
      ++outcome_.expectations;
      fail(at(*values), what, {"at least one number", "none"});
    }
    if (!all && is_short(wanted.size(), *values)) return {};
    const std::size_t before = outcome_.corrections.size();
    kept_before_ = outcome_.kept.size();
    for (std::size_t k = 0; k < (all ? count : wanted.size()); ++k) {
      if (auto done = number(how->load(bytes, k), *wanted[all ? 0 : k], *tolerance, place(k)); !done)
        return std::move(done).error().within(field_of_values);
    }
    if (all) correct_one_for_all(before, *values, count, [&](std::size_t k) { return how->load(bytes, k); });
  }
  for (const std::string_view field : kData) {
    const Value* const data = expected.find(field);
    if (data == nullptr) continue;
    const auto wanted = run::bytes_of(expected, how->format ? *how->format : texel::Format{}, options_);
    if (!wanted) return wanted.error();
    if (wanted->size() % how->stride != 0)
      return fault(*data, std::string(field),
                   "its " + std::to_string(wanted->size()) + " bytes are not a multiple of the " + std::to_string(how->stride) +
                       " of an element: give a type");
    if (wanted->empty()) {
      ++outcome_.expectations;
      fail(at(*data), what + ": `" + std::string(field) + "` has nothing to compare");
    }
    if (is_short(how->count(wanted->size()), *data)) continue;
    const std::uint32_t before = outcome_.failed;
    for (std::size_t k = 0; k < how->count(wanted->size()); ++k)
      number(how->load(bytes, k), how->load(*wanted, k), *data, *tolerance, place(k));
    if (outcome_.failed == before) keep(*data);
    if (outcome_.failed != before && field == "hex") {
      Text digits;
      for (std::size_t k = 0; k < wanted->size() && k < bytes.size(); ++k) digits.hex(std::to_integer<unsigned>(bytes[k]), 2);
      correct(*data, '"' + digits.str() + '"');
    }
  }
  return {};
}

// A texture against a picture in a file.
Result<void> Checker::picture(const Value& image, const Value& expected, const Value* given, std::string_view key,
                              std::span<const std::byte> memory, const std::string& what) {
  const auto bounds = picture_bounds_of(expected);
  if (!bounds) return bounds.error();
  auto actual = resource_picture(image, expected, given, memory);
  if (!actual) return actual.error();
  ++outcome_.expectations;
  const auto golden = run::read_image(options_, image);
  const auto expected_pixels = golden ? picture::as_rgba8(*golden) : golden;
  picture::Picture difference;
  std::optional<Mismatch> wrong;
  if (expected_pixels) {
    wrong = compared(*actual, *expected_pixels, *bounds, difference);
    if (!wrong) return {};
    if (!difference.bytes.empty()) outcome_.pictures.push_back({std::string(key) + ".difference", false, std::move(difference)});
  }
  if (corrects_ && image.as_text() != nullptr) outcome_.pictures.push_back({*image.as_text(), true, *actual});
  outcome_.pictures.push_back({std::string(key) + ".actual", false, std::move(*actual)});
  if (!wrong) {
    fail(at(image), what + ", " + (image.as_text() != nullptr ? *image.as_text() : "image") + ": " + expected_pixels.error().message);
  } else {
    fail(at(image), what, std::move(*wrong));
  }
  return {};
}

}  // namespace unshade::suite::cases
