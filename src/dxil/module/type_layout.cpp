#include "dxil/module/type_layout.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <unshade/core/limits.hpp>

#include "core/rounding.hpp"

namespace unshade::dxil::module {

namespace {

constexpr std::uint64_t kBitsPerByte = 8;

/// The number at the front of a text, which loses it.
std::uint32_t take_number(std::string_view& text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

}  // namespace

TypeLayout::TypeLayout(const Module& module) : module_(module), sizes_(module.types.size()) {
  alignments_ = {{'i', 1, 1},  {'i', 8, 1},  {'i', 16, 2}, {'i', 32, 4},  {'i', 64, 4},
                 {'f', 16, 2}, {'f', 32, 4}, {'f', 64, 8}, {'f', 128, 16}};
  parse(module.text(module.data_layout));
}

/// Words between dashes: `p:SIZE:ALIGN`, `iWIDTH:ALIGN`, `fWIDTH:ALIGN` in bits; others do not matter here.
void TypeLayout::parse(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('-'), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const char kind = word[0];
    word.remove_prefix(1);
    if (kind != 'p' && kind != 'i' && kind != 'f') continue;
    const std::uint32_t width = take_number(word);  // of a pointer: its address space
    if (word.empty() || word[0] != ':') continue;
    word.remove_prefix(1);
    std::uint32_t bits = take_number(word);
    if (kind == 'p') {
      if (width != 0) continue;
      pointer_bytes_ = bits / kBitsPerByte;
      if (!word.empty() && word[0] == ':') {
        word.remove_prefix(1);
        bits = take_number(word);
      }
      pointer_alignment_ = std::max<std::uint64_t>(1, bits / kBitsPerByte);
      continue;
    }
    const std::uint64_t bytes = std::max<std::uint64_t>(1, bits / kBitsPerByte);
    const auto known =
        std::find_if(alignments_.begin(), alignments_.end(), [&](const Alignment& a) { return a.kind == kind && a.width == width; });
    if (known != alignments_.end()) {
      known->bytes = bytes;
    } else {
      alignments_.push_back({kind, width, bytes});
    }
  }
}

/// An integer without an alignment of its own has that of the next wider one, or of the widest.
std::uint64_t TypeLayout::scalar_alignment(char kind, std::uint32_t width) const {
  const Alignment* wider = nullptr;
  const Alignment* widest = nullptr;
  for (const Alignment& a : alignments_) {
    if (a.kind != kind) continue;
    if (a.width == width) return a.bytes;
    if (a.width > width && (wider == nullptr || a.width < wider->width)) wider = &a;
    if (widest == nullptr || a.width > widest->width) widest = &a;
  }
  return wider != nullptr ? wider->bytes : widest->bytes;
}

TypeLayout::Size TypeLayout::of(std::uint32_t type) {
  if (sizes_[type].alignment == 0) {
    if (depth_ >= limits::kIrNesting) return {0, 1};
    ++depth_;
    const Size size = measure(type);
    --depth_;
    sizes_[type] = size;
  }
  return sizes_[type];
}

TypeLayout::Size TypeLayout::measure(std::uint32_t id) {
  const Type& type = module_.types[id];
  const auto scalar = [&](char kind, std::uint32_t width) {
    const std::uint64_t alignment = scalar_alignment(kind, width);
    return Size{round_up((width + kBitsPerByte - 1) / kBitsPerByte, alignment), alignment};
  };
  switch (type.kind) {
    case TypeKind::half: return scalar('f', 16);
    case TypeKind::float_: return scalar('f', 32);
    case TypeKind::double_: return scalar('f', 64);
    case TypeKind::x86_fp80: return scalar('f', 80);
    case TypeKind::fp128:
    case TypeKind::ppc_fp128: return scalar('f', 128);
    case TypeKind::integer: return scalar('i', type.number);
    case TypeKind::pointer: return {round_up(pointer_bytes_, pointer_alignment_), pointer_alignment_};
    case TypeKind::array:
    case TypeKind::vector: {
      const Size element = of(module_.element_of(id));
      return {element.bytes * type.count, element.alignment};
    }
    case TypeKind::structure: {
      Size size{0, 1};
      for (const std::uint32_t part : module_.parts_of(type)) {
        const Size member = of(part);
        const std::uint64_t alignment = type.packed ? 1 : member.alignment;
        size.bytes = round_up(size.bytes, alignment) + member.bytes;
        size.alignment = std::max(size.alignment, alignment);
      }
      size.bytes = round_up(size.bytes, size.alignment);
      return size;
    }
    default: return {0, 1};
  }
}

std::uint64_t TypeLayout::size_of(std::uint32_t type) { return of(type).bytes; }
std::uint64_t TypeLayout::alignment_of(std::uint32_t type) { return of(type).alignment; }

std::vector<std::uint64_t> TypeLayout::offsets_of(std::uint32_t structure) {
  const Type& type = module_.types[structure];
  std::vector<std::uint64_t> offsets;
  std::uint64_t end = 0;
  for (const std::uint32_t part : module_.parts_of(type)) {
    const Size member = of(part);
    offsets.push_back(round_up(end, type.packed ? 1 : member.alignment));
    end = offsets.back() + member.bytes;
  }
  return offsets;
}

}  // namespace unshade::dxil::module
