// Elements and words of buffers, counters, atomic operations.
// src: GLSL 4.60, 4.3.9 "Interface Blocks", 8.11 "Atomic Memory Functions"
#include <algorithm>

#include <unshade/core/text.hpp>

#include "write/glsl/glsl.hpp"

namespace unshade::write::glsl {

using source::ResourceUse;

std::string Glsl::element_of(const ResourceUse& buffer, const Expression& index) {
  const bool is_array = writer_.module.resources[buffer.resource].count != 1;
  return buffer.text + (is_array ? ".data[" : "[") + plain_index(index) + ']';
}

// Without the `u` of a literal, which an index does not need.
std::string Glsl::plain_index(const Expression& index) const {
  if (index.is_literal && index.text.ends_with('u') && !index.text.starts_with("0x")) return index.text.substr(0, index.text.size() - 1);
  return index.text;
}

namespace {

// The element of so many bits that holds a byte, moved on by some.
std::string element_at(const Expression& address, unsigned bits, unsigned add) {
  if (address.is_literal && address.text.ends_with('u') && !address.text.starts_with("0x"))
    return std::to_string(std::stoul(address.text) / (bits / 8) + add);
  const std::string element = (address.level < Level::unary ? '(' + address.text + ')' : address.text) + (bits == 16   ? " >> 1"
                                                                                                          : bits == 64 ? " >> 3"
                                                                                                                       : " >> 2");
  return add == 0 ? element : '(' + element + ") + " + std::to_string(add) + (address.is_literal ? "" : "u");
}

bool is_simple(const Expression& address) { return address.is_literal || address.text.find_first_of(" ([") == std::string::npos; }

}  // namespace

// The array that a buffer of bytes is.
std::string Glsl::raw_elements(const ResourceUse& buffer, Base base) {
  const std::string& plain = writer_.resource_name(buffer.resource);
  const bool is_array = writer_.module.resources[buffer.resource].count != 1;
  if (base != Base::uint_) views_.insert({buffer.resource, base});
  return plain + std::string(view_suffix(base)) + index_of(buffer, plain) + (is_array ? ".data" : "");
}

// The same as a function reaches it by what it is called with: of an array the element comes first.
Glsl::RawWords Glsl::raw_words(const ResourceUse& buffer, Base base) {
  const std::string& plain = writer_.resource_name(buffer.resource);
  std::string here = raw_elements(buffer, base);
  if (writer_.module.resources[buffer.resource].count == 1) return {std::move(here), {}, {}};
  const std::string index = index_of(buffer, plain);
  constexpr std::string_view kVarying = "[nonuniformEXT(";
  const bool is_varying = index.starts_with(kVarying);
  const std::size_t begin = is_varying ? kVarying.size() : 1, end = index.size() - (is_varying ? 2 : 1);
  return {plain + std::string(view_suffix(base)) + (is_varying ? "[nonuniformEXT(element)].data" : "[element].data"), "uint element, ",
          "uint(" + index.substr(begin, end - begin) + "), "};
}

// Numbers of 64 bits are two words, since words are what they are aligned to.
Expression Glsl::raw_load(const ResourceUse& buffer, const Expression& address, ValueType type) {
  Expression made;
  const unsigned bits = bits_of(type.base), count = type.width;
  made.type = {bits == 16 ? Base::uint16 : bits == 64 ? Base::uint64 : Base::uint_, type.width};
  const Base base = bits == 64 ? Base::uint_ : made.type.base;
  const auto element = [&](const std::string& from, const Expression& at, unsigned k) {
    return from + '[' + element_at(at, std::min(bits, 32U), k) + ']';
  };
  const auto value = [&](const std::string& from, const Expression& at, unsigned k) {
    return bits == 64 ? "packUint2x32(uvec2(" + element(from, at, 2 * k) + ", " + element(from, at, 2 * k + 1) + "))"
                      : element(from, at, k);
  };
  const auto listed = [&](const std::string& from, const Expression& at) {
    if (count == 1) return value(from, at, 0);
    std::string text = type_name(made.type) + '(';
    for (unsigned k = 0; k < count; ++k) (text += k == 0 ? "" : ", ") += value(from, at, k);
    return text + ')';
  };
  const unsigned read = count * (bits == 64 ? 2U : 1U);
  (void)type_name(made.type);
  if (read == 1 || address.is_literal || (is_simple(address) && read == 2)) {
    made.text = listed(raw_elements(buffer, base), address);
  } else {
    const RawWords words = raw_words(buffer, base);
    const Expression parameter{"address", Level::postfix, {Base::uint_, 1}};
    made.text =
        helper("load_" + writer_.resource_name(buffer.resource),
               type_name(made.type) + " @(" + words.parameter + "uint address) {\n  return " + listed(words.data, parameter) + ";\n}\n") +
        '(' + words.argument + address.text + ')';
  }
  return made;
}

std::string Glsl::raw_store(const ResourceUse& buffer, const Expression& address, const Expression& value) {
  const unsigned bits = bits_of(value.type.base), count = value.type.width;
  Expression whole = value;
  if (bits != 32 && is_real(value.type.base)) whole = reinterpreted(value, bits == 16 ? Base::uint16 : Base::uint64);
  const Base base = bits == 16 ? Base::uint16 : Base::uint_;
  const auto element = [&](const std::string& to, const Expression& at, unsigned k) {
    return to + '[' + element_at(at, std::min(bits, 32U), k) + ']';
  };
  if (count == 1 && bits != 64) return element(raw_elements(buffer, base), address, 0) + " = " + whole.text;
  const RawWords words = raw_words(buffer, base);
  const Expression parameter{"address", Level::postfix, {Base::uint_, 1}};
  std::string text = "void @(" + words.parameter + "uint address, " + type_name(whole.type) + " value) {\n";
  for (unsigned k = 0; k < count; ++k) {
    const std::string one = count == 1 ? "value" : std::string("value.") + source::kLetters[k];
    if (bits != 64) {
      text += "  " + element(words.data, parameter, k) + " = " + one + ";\n";
      continue;
    }
    const std::string halves = "unpackUint2x32(" + one + ')';
    text += "  " + element(words.data, parameter, 2 * k) + " = " + halves + ".x;\n  " + element(words.data, parameter, 2 * k + 1) + " = " +
            halves + ".y;\n";
  }
  return helper("store_" + writer_.resource_name(buffer.resource), text + "}\n") + '(' + words.argument + address.text + ", " + whole.text +
         ')';
}

// A word of a buffer of its own; down gives the value after.
std::string Glsl::counter(const ResourceUse& buffer, bool up) {
  const std::string& plain = writer_.resource_name(buffer.resource);
  if (!counter_bindings_.contains(buffer.resource))
    counter_bindings_[buffer.resource] = is_vulkan() ? places_.of_counter(buffer.resource).binding : free_binding(buffer.resource);
  const bool is_array = writer_.module.resources[buffer.resource].count != 1;
  const std::string place = plain + "_counter" + index_of(buffer, plain) + (is_array ? ".data" : "");
  return up ? "atomicAdd(" + place + ", 1u)" : "atomicAdd(" + place + ", 0xffffffffu) - 1u";
}

std::string Glsl::atomic(ir::AtomicOp op, const AtomicPlace& place, std::span<const Expression> values, const std::string& result) {
  const auto word = atomic_word(op);
  if (!word) return {};
  check_sign(*word, place);
  const bool compares = op == ir::AtomicOp::compare_exchange;
  std::string text = place.text;
  Base base = place.base;
  if (place.raw != nullptr) {
    const bool is_wide = bits_of(base) == 64;
    base = word->is_signed ? (is_wide ? Base::int64 : Base::int_) : is_wide ? Base::uint64 : Base::uint_;
    text = raw_elements(*place.raw, base) + '[' + element_at(place.address, bits_of(base), 0) + ']';
  }
  if (bits_of(base) == 64) extension(place.is_texel ? "GL_EXT_shader_image_int64" : "GL_EXT_shader_atomic_int64");
  const auto value = [&](const Expression& one) { return one.type.base == base ? one.text : type_name({base, 1}) + '(' + one.text + ')'; };
  std::string made = (place.is_texel ? "imageAtomic" : "atomic") + std::string(compares ? "CompSwap" : word->word) + '(' + text;
  if (compares) made += ", " + value(values[1]);
  made += ", " + value(values[0]) + ')';
  if (result.empty()) return made;
  return result + " = " + (base == place.result ? made : type_name({place.result, 1}) + '(' + made + ')');
}

}  // namespace unshade::write::glsl
