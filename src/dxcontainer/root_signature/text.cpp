#include <unshade/dxcontainer/root_signature_text.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <system_error>

#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/numbers.hpp>

#include "dxcontainer/root_signature/text_layout.hpp"

namespace unshade::dxcontainer::root_signature {

namespace {

void print_capitals(Text& out, std::string_view text) {
  for (const char c : text) out << upper(c);
}

// A float as dxc reads it: as a double, which may not be above FLT_MAX.
void print_real(Text& out, float value) {
  constexpr float kMost = std::numeric_limits<float>::max();
  if (value == kMost || value == -kMost) {
    out << (value < 0 ? "-3.402823466e+38" : "3.402823466e+38");
    return;
  }
  const std::size_t start = out.size();
  if (std::isfinite(value)) out.shortest(value);
  const std::string_view text = out.view().substr(start);
  double back = 0;
  const auto [end, fault] = read_real(text.data(), text.data() + text.size(), back);
  if (fault == std::errc{} && end == text.data() + text.size() &&
      std::bit_cast<std::uint32_t>(static_cast<float>(back)) == std::bit_cast<std::uint32_t>(value))
    return;
  out.truncate(start);
  (out << "asfloat(0x").hex(std::bit_cast<std::uint32_t>(value), 8) << ')';
}

/// Prints settings: `name = value` after a comma, those that have their default only if asked for.
class Printer {
 public:
  Printer(Text& out, RootSignatureVersion version, bool all) : out_(&out), version_(version), all_(all) {}

  void reg(char letter, std::uint32_t value) {
    next();
    (*out_ << letter).dec(value);
  }
  void required_number(std::string_view name, std::uint32_t value) { start(name).dec(value); }
  void number(std::string_view name, std::uint32_t value, std::uint32_t otherwise, std::string_view word = {}, std::uint32_t worded = 0) {
    if (value == otherwise && !all_) return;
    Text& out = start(name);
    if (!word.empty() && value == worded) {
      out << word;
    } else {
      out.dec(value);
    }
  }
  void real(std::string_view name, float value, float otherwise) {
    if (std::bit_cast<std::uint32_t>(value) == std::bit_cast<std::uint32_t>(otherwise) && !all_) return;
    print_real(start(name), value);
  }
  template <class E>
  void word(std::string_view name, E value, E otherwise) {
    if (value == otherwise && !all_) return;
    const std::string_view id = field_type(value).names->find(static_cast<std::uint32_t>(value));
    if (id.empty()) return hex(start(name), static_cast<std::uint32_t>(value));
    print_capitals(start(name) << hlsl_prefix(value), id);
  }
  void filter(std::string_view name, Filter value, Filter otherwise) {
    if (value == otherwise && !all_) return;
    const std::string text = filter_name(value);
    if (text.empty()) return hex(start(name), static_cast<std::uint32_t>(value));
    start(name) << text;
  }
  void flags(std::string_view name, std::uint32_t value, const NameTable& names, std::uint32_t allowed, RootSignatureVersion since) {
    if (version_ < since || (value == 0 && !all_)) return;
    print_flag_words(start(name), value, names, allowed);
  }
  /// Puts a comma before all but the first.
  void next() {
    if (!first_) *out_ << ", ";
    first_ = false;
  }

  static void print_flag_words(Text& out, std::uint32_t value, const NameTable& names, std::uint32_t allowed) {
    bool first = true;
    const auto bar = [&] {
      if (!first) out << " | ";
      first = false;
    };
    for (const NamedValue& named : names.values) {
      if ((value & named.value) == 0 || (named.value & ~allowed) != 0) continue;
      bar();
      print_capitals(out, named.id);
      value &= ~named.value;
    }
    if (value != 0) {
      bar();
      hex(out, value);
    } else if (first) {
      out << '0';
    }
  }

 private:
  Text& start(std::string_view name) {
    next();
    return *out_ << name << " = ";
  }
  static void hex(Text& out, std::uint32_t value) { (out << "0x").hex(value); }

  Text* out_;
  RootSignatureVersion version_;
  bool all_;
  bool first_ = true;
};

const DescriptorWord* find_word(DescriptorRangeType type) {
  for (const DescriptorWord& word : kDescriptorWords)
    if (word.range == type) return &word;
  return nullptr;
}
const DescriptorWord* find_word(RootParameterType type) {
  for (const DescriptorWord& word : kDescriptorWords)
    if (word.is_parameter && word.parameter == type) return &word;
  return nullptr;
}

Error nameless(std::string path, std::uint32_t type) {
  return {ErrorCode::bad_value, 0, "RTS0/" + std::move(path) + "/type", "the type " + std::to_string(type) + " is unknown"};
}

// Models are not changed: descriptions take them as they do for reading.
Result<void> print_parameter(RootParameter p, std::size_t i, Text& out, RootSignatureVersion version, bool all) {
  Printer printer(out, version, all);
  if (p.type == RootParameterType::descriptor_table) {
    out << kTableWord << '(';
    for (std::size_t n = 0; n < p.ranges.size(); ++n) {
      DescriptorRange& range = p.ranges[n];
      const DescriptorWord* const word = find_word(range.type);
      if (word == nullptr)
        return nameless("parameters[" + std::to_string(i) + "]/ranges[" + std::to_string(n) + ']', static_cast<std::uint32_t>(range.type));
      printer.next();
      out << word->text << '(';
      Printer settings(out, version, all);
      describe_text(settings, range, word->letter);
      out << ')';
    }
    describe_text_of_table(printer, p);
  } else if (p.type == RootParameterType::constants) {
    out << kConstantsWord << '(';
    describe_text(printer, p, 'b');
  } else {
    const DescriptorWord* const word = find_word(p.type);
    if (word == nullptr) return nameless("parameters[" + std::to_string(i) + ']', static_cast<std::uint32_t>(p.type));
    out << word->text << '(';
    describe_text(printer, p, word->letter);
  }
  out << ')';
  return {};
}

}  // namespace

// D3D12_FILTER is made of fields, and so are its names: which of minification, magnification and mip mapping are the same share a word.
std::string filter_name(Filter filter) {
  const auto value = static_cast<std::uint32_t>(filter);
  const auto& bits = field_type(filter).bits;  // min, mag, mip, anisotropic, reduction
  std::uint32_t known = 0;
  for (const Bits& b : bits) known = b.put(known, ~0U);
  if ((value & ~known) != 0) return {};
  constexpr std::string_view kReductions[] = {"", "COMPARISON_", "MINIMUM_", "MAXIMUM_"};
  std::string name = "FILTER_";
  name += kReductions[bits[4].get(value)];
  const std::uint32_t linear[] = {bits[0].get(value), bits[1].get(value), bits[2].get(value)};
  if (linear[0] > 1 || linear[1] > 1 || linear[2] > 1) return {};
  if (bits[3].get(value) != 0) {
    if (linear[0] != 1 || linear[1] != 1) return {};
    return name + (linear[2] == 1 ? "ANISOTROPIC" : "MIN_MAG_ANISOTROPIC_MIP_POINT");
  }
  constexpr std::string_view kWhich[] = {"MIN_", "MAG_", "MIP_"};
  constexpr std::string_view kHow[] = {"POINT", "LINEAR"};
  for (std::size_t i = 0; i < 3; ++i) {
    name += kWhich[i];
    if (i < 2 && linear[i] == linear[i + 1]) continue;
    name += kHow[linear[i]];
    if (i < 2) name += '_';
  }
  return name;
}

Filter named_filter(std::size_t i) {
  const auto& bits = field_type(Filter{}).bits;
  const auto n = static_cast<std::uint32_t>(i);
  const std::uint32_t digit = n % 10;  // 8 with a filter each for minification, magnification and mip mapping, and 2 anisotropic ones
  std::uint32_t value = bits[4].put(0, n / 10);
  if (digit >= 8) {
    value = bits[3].put(value, 1);
    value = bits[0].put(value, 1);
    value = bits[1].put(value, 1);
    return Filter{bits[2].put(value, digit - 8)};
  }
  for (std::uint32_t b = 0; b < 3; ++b) value = bits[b].put(value, digit >> b & 1);
  return Filter{value};
}

}  // namespace unshade::dxcontainer::root_signature

namespace unshade::dxcontainer {

namespace {

constexpr Rule kMessageRules[] = {
#define ROOT_SIGNATURE_MESSAGE(id, text, severity, summary) {"rootsig." text, Severity::severity, summary},
#include <unshade/dxcontainer/root_signature_messages.def>
#undef ROOT_SIGNATURE_MESSAGE
};

}  // namespace

const Rule& rule(RootSignatureMessageKind kind) { return kMessageRules[static_cast<std::size_t>(kind)]; }

std::span<const Rule> root_signature_text_rules() { return kMessageRules; }

std::uint64_t root_argument_dwords(const RootSignature& signature) {
  std::uint64_t dwords = 0;
  for (const RootParameter& p : signature.parameters) {
    switch (p.type) {
      case RootParameterType::descriptor_table: dwords += 1; break;
      case RootParameterType::constants: dwords += p.constant_count; break;
      default: dwords += 2; break;
    }
  }
  return dwords;
}

bool is_macro_name(std::string_view name) {
  const auto starts = [](char c) { return is_letter(c) || c == '_'; };
  return !name.empty() && starts(name[0]) && std::ranges::all_of(name, [&](char c) { return starts(c) || is_digit(c); });
}

Result<void> print_root_signature(const RootSignature& signature, Text& out, const RootSignaturePrintOptions& options) {
  using namespace root_signature;
  const bool in_hlsl = !options.define.empty();
  if (in_hlsl && !is_macro_name(options.define))
    return Error{ErrorCode::bad_value, 0, "define",
                 "the name of a macro must be an identifier, found `" + std::string(options.define) + '`'};
  // A source names its version when it is compiled; a comment cannot be among the lines of a #define.
  if (signature.version != RootSignatureVersion::v1_1)
    for (const VersionName& name : kVersionTargets)
      if (name.version == signature.version) out << "// " << name.target << '\n';
  if (in_hlsl) out << "#define " << options.define;
  bool first = true;
  const auto begin = [&] {
    if (in_hlsl) {
      out << (first ? " \\\n  \"" : ", \" \\\n  \"");
    } else if (!first) {
      out << ",\n";
    }
    first = false;
  };
  if (signature.flags != 0) {
    begin();
    out << kRootFlagsWord << '(';
    Printer::print_flag_words(out, signature.flags, kRootFlagNames, ~0U);
    out << ')';
  }
  for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
    begin();
    if (auto printed = print_parameter(signature.parameters[i], i, out, signature.version, options.all); !printed) return printed;
  }
  for (StaticSampler sampler : signature.static_samplers) {
    begin();
    out << kStaticSamplerWord << '(';
    Printer printer(out, signature.version, options.all);
    describe_text(printer, sampler, 's');
    out << ')';
  }
  // An empty text is the output of a command that failed: it is no root signature.
  if (first && !in_hlsl) out << kRootFlagsWord << "(0)";
  if (in_hlsl) out << (first ? " \"\"" : "\"");
  out << '\n';
  return {};
}

}  // namespace unshade::dxcontainer
