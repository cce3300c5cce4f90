#include <unshade/vbc/detect.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/archive/reader.hpp>
#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/module.hpp>

#include "vbc/file_layout.hpp"
#include "vbc/stage_facts.hpp"

namespace unshade::vbc {

namespace {

struct Candidate {
  File file;
  WordCounts counts;
  std::size_t code = 0;  // offset of what follows the tables
};

Result<Candidate> read_tables(View file, Form form) {
  Candidate c;
  c.file.form = form;
  Reader reader(file);
  describe_tables(reader, c.file, form, c.counts);
  if (auto error = reader.take_error()) return std::move(*error).within("VBC");
  c.code = reader.position();
  return c;
}

bool begins_module(View file, std::size_t at) { return file.u32(at) == kSpirvMagic; }

/// Whether the stages end with the file, as the counts say, and begin as SPIR-V does.
bool fits(View file, const Candidate& c) {
  std::size_t at = c.code;
  for (const std::uint16_t words : c.counts.words) {
    if (words == 0) continue;
    if (!begins_module(file, at)) return false;
    at += words * kWordBytes;
  }
  return at == file.size();
}

Found found(Candidate&& c) {
  Found f{std::move(c.file), c.code, {}};
  for (std::size_t i = 0; i < kStages; ++i) f.stage_bytes[i] = c.counts.words[i] * kWordBytes;
  return f;
}

/// Which stage each module is: by its entry point; if one has none, by the counts, or the two that every file has.
bool assign(const std::vector<View>& modules, const WordCounts* counts, Found& f) {
  const auto fits_count = [&](std::size_t stage, View module) {
    return counts == nullptr || counts->words[stage] == static_cast<std::uint16_t>(module.size() / kWordBytes);
  };
  std::array<std::size_t, kStages> bytes{};
  std::size_t next = 0;  // stages before it are after us
  for (const View code : modules) {
    const auto module = spirv::parse(code);
    const auto stage = module ? stage_of(*module) : std::nullopt;
    std::size_t place = next;
    if (stage) {
      place = static_cast<std::size_t>(*stage);
    } else if (counts != nullptr) {
      while (place < kStages && (counts->words[place] == 0 || !fits_count(place, code))) ++place;
    } else if (modules.size() == 2) {
      place = static_cast<std::size_t>(next == 0 ? Stage::vertex : Stage::fragment);
    } else {
      return false;
    }
    if (place < next || place >= kStages || !fits_count(place, code)) return false;
    bytes[place] = code.size();
    next = place + 1;
  }
  for (std::size_t i = 0; i < kStages; ++i)
    if (counts != nullptr && counts->words[i] != 0 && bytes[i] == 0) return false;
  f.stage_bytes = bytes;
  return next != 0;
}

/// Stages by their instructions, if the counts are missing or cut off. Each count that there is has to be what 16 bits keep of it.
std::optional<Found> walk(View file, const Candidate& c) {
  std::vector<View> modules;
  for (std::size_t at = c.code; at != file.size(); at += modules.back().size()) {
    const std::size_t bytes = modules.size() < kStages ? module_bytes(file.clamped(at, file.size())) : 0;
    if (bytes == 0) return std::nullopt;
    modules.push_back(file.clamped(at, bytes));
  }
  Found f{c.file, c.code, {}};
  if (!assign(modules, traits(c.file.form.layout).has_word_counts ? &c.counts : nullptr, f)) return std::nullopt;
  return f;
}

/// The same if instructions cannot be followed: the next magic number, or the end, is a multiple of 65536 words from where it should be.
std::optional<Found> leap(View file, const Candidate& c) {
  constexpr std::size_t kLeap = 0x1'0000 * kWordBytes;
  Found f{c.file, c.code, {}};
  bool has_leapt = false;
  std::size_t last = kStages;
  for (std::size_t i = 0; i < kStages; ++i)
    if (c.counts.words[i] != 0) last = i;
  std::size_t at = c.code;
  for (std::size_t i = 0; i < kStages; ++i) {
    if (c.counts.words[i] == 0) continue;
    std::size_t bytes = c.counts.words[i] * kWordBytes;
    if (!begins_module(file, at)) return std::nullopt;
    // a whole module with something else after it is no stage whose count was cut off
    if (i == last && !has_leapt && module_bytes(file.clamped(at, bytes)) == bytes) return std::nullopt;
    while (file.holds(at, bytes) && !(i == last ? at + bytes == file.size() : begins_module(file, at + bytes))) bytes += kLeap;
    if (!file.holds(at, bytes)) return std::nullopt;
    has_leapt = has_leapt || bytes != c.counts.words[i] * kWordBytes;
    f.stage_bytes[i] = bytes;
    at += bytes;
  }
  return last != kStages ? std::optional(std::move(f)) : std::nullopt;
}

template <class E>
bool has_name(E value) {
  return !id(value).empty();
}

/// Whether tables of an older layout make sense: it has to be sure, since a damaged file of the current one may happen to fit.
bool is_plausible(const File& f) {
  const auto variable = [](const Variable& v) {
    return v.type >= BaseType::boolean && v.type <= BaseType::real && v.components >= 1 && v.components <= 4 && v.columns <= 4 &&
           v.padding == decltype(v.padding){};
  };
  // at first, texel buffers had no rank
  const bool old_numbers = traits(f.form.layout).old_numbers;
  const auto binding = [=](const Binding& b) {
    return b.type >= BaseType::sampler && b.type <= BaseType::rw_texels && b.stages < stage_bit(kStages) &&
           b.padding == decltype(b.padding){} &&
           (is_buffer(b.type) || has_name(b.rank) || (old_numbers && b.type == BaseType::ro_texels && to_old(b.rank) == OldRank{}));
  };
  return std::all_of(f.inputs.begin(), f.inputs.end(), variable) && std::all_of(f.outputs.begin(), f.outputs.end(), variable) &&
         std::all_of(f.bindings.begin(), f.bindings.end(), binding) && f.uniform.stages < stage_bit(kStages);
}

// conforming first
constexpr std::uint8_t kSubpassBytes[] = {Form::kSubpassBytes, 48, 56, 40};

/// The layout with each size of subpass records that it can have.
template <class Try>
std::optional<Found> try_sizes(View file, Layout layout, Try&& attempt) {
  for (const std::uint8_t bytes : kSubpassBytes) {
    auto c = read_tables(file, {layout, bytes});
    if (!c) continue;
    const bool has_subpass = !c->file.subpass_inputs.empty();
    if (auto f = attempt(*std::move(c))) return f;
    // older layouts wrote what was meant; without records all sizes are one
    if (!has_subpass || traits(layout).old_numbers) break;
  }
  return std::nullopt;
}

std::optional<Found> try_layout(View file, Layout layout) {
  const bool is_current = layout == Layout::current;
  const auto sound = [&](const Candidate& c) { return is_current || is_plausible(c.file); };
  if (!traits(layout).has_code) {
    return try_sizes(file, layout, [&](Candidate&& c) -> std::optional<Found> {
      if (c.code != file.size() || !sound(c)) return std::nullopt;
      return found(std::move(c));
    });
  }
  if (traits(layout).has_word_counts) {
    auto f = try_sizes(file, layout, [&](Candidate&& c) -> std::optional<Found> {
      if (!fits(file, c) || !sound(c)) return std::nullopt;
      return found(std::move(c));
    });
    if (f) return f;
  }
  return try_sizes(file, layout, [&](Candidate&& c) -> std::optional<Found> {
    if (!sound(c)) return std::nullopt;
    return walk(file, c);
  });
}

/// The fragment shader's word on what images of memory do not say.
void recover_subpass(View file, Found& f) {
  if (f.file.subpass_inputs.empty() || !f.file.form.raw_subpass()) return;
  std::size_t at = f.code_offset;
  for (std::size_t i = 0; i < static_cast<std::size_t>(Stage::fragment); ++i) at += f.stage_bytes[i];
  const auto module = spirv::parse(file.clamped(at, f.stage_bytes[static_cast<std::size_t>(Stage::fragment)]));
  if (!module) return;
  const spirv::Interface interface = spirv::interface_of(*module);
  for (const spirv::Variable& v : interface.variables) {
    const auto index = interface.of(v).input_attachment_index;
    const spirv::Type* type = interface.type(v.type);
    if (!index || *index >= f.file.subpass_inputs.size() || type == nullptr || type->kind != spirv::TypeKind::image) continue;
    const spirv::Type* texel = interface.type(type->element);
    if (texel == nullptr) continue;
    f.file.subpass_inputs[*index].texel = texel->kind == spirv::TypeKind::real ? TexelType::real
                                          : texel->is_signed                   ? TexelType::signed_int
                                                                               : TexelType::unsigned_int;
  }
}

}  // namespace

std::size_t module_bytes(View from) {
  std::size_t at = spirv::kHeaderBytes;
  if (!begins_module(from, 0) || at > from.size()) return 0;
  while (at != from.size()) {
    const auto head = from.u32(at);
    if (!head) return 0;
    if (*head == kSpirvMagic) break;
    const std::size_t bytes = (*head >> 16) * kWordBytes;
    if (bytes == 0 || !from.holds(at, bytes)) return 0;
    at += bytes;
  }
  return at;
}

Result<Found> detect(View file) {
  if (!is_vbc(file)) {
    const bool is_short = file.size() < kMagicBytes && file.text() == std::string_view("VBC").substr(0, file.size());
    return Error{is_short ? ErrorCode::truncated : ErrorCode::bad_magic, file.file_offset(), "VBC/magic", "expected the magic VBC"};
  }
  const auto version = file.u8(kMagicBytes);
  if (version && *version != kVersion) {
    return Error{ErrorCode::unsupported, file.file_offset() + kMagicBytes, "VBC/version",
                 "expected version 1, found " + std::to_string(*version)};
  }
  for (std::size_t layout = 0; layout < kLayouts; ++layout) {
    if (auto f = try_layout(file, static_cast<Layout>(layout))) {
      recover_subpass(file, *f);
      return *std::move(f);
    }
  }
  if (auto f = try_sizes(file, Layout::current, [&](Candidate&& c) { return leap(file, c); })) {
    recover_subpass(file, *f);
    return *std::move(f);
  }

  // none fits: the current one, and its error
  auto c = read_tables(file, {});
  for (std::size_t i = 1; i < std::size(kSubpassBytes) && c && !c->file.subpass_inputs.empty() && !begins_module(file, c->code); ++i) {
    auto raw = read_tables(file, {Layout::current, kSubpassBytes[i]});
    if (raw && begins_module(file, raw->code)) c = std::move(raw);
  }
  if (!c) return std::move(c).error();
  std::size_t at = c->code;
  for (std::size_t i = 0; i < kStages; ++i) {
    const std::size_t bytes = c->counts.words[i] * kWordBytes;
    if (bytes == 0) continue;
    const std::string path = std::string("VBC/") + kStageFields[i];
    if (!file.holds(at, bytes)) {
      return Error{ErrorCode::truncated, file.file_offset() + at, path,
                   std::to_string(bytes) + " bytes of SPIR-V declared, but only " + std::to_string(file.left(at)) + " left"};
    }
    if (!begins_module(file, at))
      return Error{ErrorCode::bad_value, file.file_offset() + at, path, "expected the magic of a SPIR-V module"};
    at += bytes;
  }
  // more than the counts say, and it begins well: the rest is kept
  return found(*std::move(c));
}

}  // namespace unshade::vbc
