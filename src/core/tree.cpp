#include <unshade/core/tree.hpp>

#include <algorithm>
#include <bit>

#include <unshade/core/lanes.hpp>
#include <unshade/core/limits.hpp>

namespace unshade {

std::uint64_t little_endian(View bytes) {
  std::uint64_t value = 0;
  const std::size_t size = std::min<std::size_t>(bytes.size(), 8);
  for (std::size_t i = 0; i < size; ++i) value |= static_cast<std::uint64_t>(bytes.bytes()[i]) << (8 * i);
  return value;
}

void print_flags(Text& out, std::uint32_t value, const NameTable& names) {
  if (value == 0) {
    out << '0';
    return;
  }
  bool first = true;
  for (const auto& named : names.values) {
    if (named.value == 0 || (value & named.value) != named.value) continue;
    if (!first) out << '|';
    out << named.id;
    first = false;
    value &= ~named.value;
  }
  if (value == 0) return;
  if (!first) out << '|';
  out << "0x";
  out.hex(value);
}

void print_enumerator(Text& out, std::uint32_t value, const NameTable& names) {
  if (const auto name = names.find(value); !name.empty()) {
    out << name;
    return;
  }
  out << "unknown(0x";
  out.hex(value) << ')';
}

void print_quoted(Text& out, std::string_view text) {
  out << '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out << '\\' << c;
    } else if (c == '\n') {
      out << "\\n";
    } else if (c == '\t') {
      out << "\\t";
    } else if (byte < 0x20 || byte >= 0x7f) {
      out << "\\u00";
      out.hex(byte, 2);
    } else {
      out << c;
    }
  }
  out << '"';
}

Tree::Tree(View file) : file_(file), most_fields_(file.size() / limits::kTreeBytes * limits::kTreeFields + limits::kTreeBase) {
  fields_.push_back({"file", &kGroup, 0, 0, static_cast<std::uint32_t>(file.size()), kNoIndex, 0});
}

std::uint32_t Tree::add(const Field& field) {
  if (fields_.size() >= most_fields_) {
    if (omitted_ == 0) {
      omitted_ = append({"omitted", &kGroup, 0, field.offset, 0, kNoIndex, 0});
      fail({ErrorCode::limit, field.offset, "omitted", "more than " + std::to_string(most_fields_) + " fields: the rest is omitted"});
    }
    return omitted_;
  }
  return append(field);
}

std::uint32_t Tree::append(const Field& field) {
  // Old and new are there at once: growing by half keeps this under 2.5 times the fields.
  if (fields_.size() == fields_.capacity()) fields_.reserve(fields_.size() + std::max<std::size_t>(fields_.size() / 2, 64));
  fields_.push_back(field);
  return static_cast<std::uint32_t>(fields_.size() - 1);
}

std::vector<std::uint32_t> Tree::leaves() const {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 1; i < fields_.size(); ++i)
    if (fields_[i].type->kind != FieldKind::group && fields_[i].size != 0) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) { return fields_[a].offset < fields_[b].offset; });
  std::uint64_t end = 0;
  std::erase_if(order, [&](std::uint32_t i) {
    if (fields_[i].offset < end) return true;
    end = std::uint64_t{fields_[i].offset} + fields_[i].size;
    return false;
  });
  return order;
}

void Tree::fill_gaps(std::span<const Region> regions) {
  if (omitted_ != 0) fields_[omitted_].size = 0;
  struct Run {
    std::uint64_t from;
    std::uint64_t to;
  };
  std::vector<Run> gaps;
  std::uint64_t at = 0;
  const auto gap_until = [&](std::uint64_t to) {
    if (to > at) gaps.push_back({at, to});
  };
  for (const auto i : leaves()) {
    gap_until(fields_[i].offset);
    at = std::max(at, std::uint64_t{fields_[i].offset} + fields_[i].size);
  }
  gap_until(file_.size());

  std::vector<std::uint64_t> borders;  // where regions begin and end: a gap is cut there
  for (const Region& region : regions) {
    borders.push_back(region.offset);
    borders.push_back(std::uint64_t{region.offset} + region.size);
  }
  std::sort(borders.begin(), borders.end());
  const auto fill = [&](std::uint64_t from, std::uint64_t to) {
    std::uint32_t parent = 0;
    std::uint64_t tightest = ~std::uint64_t{0};
    // Only the few regions that begin last before `from` can be the innermost; overlapping ones are rare and damaged anyway.
    auto next = std::upper_bound(regions.begin(), regions.end(), from,
                                 [](std::uint64_t offset, const Region& region) { return offset < region.offset; });
    for (int tries = 0; tries < 8 && next != regions.begin(); ++tries) {
      --next;
      if (from - next->offset < next->size && next->size <= tightest) {
        parent = next->group;
        tightest = next->size;
      }
    }
    const View gap = file_.clamped(from, to - from);
    const auto first = gap.bytes().front();
    const bool same = std::all_of(gap.bytes().begin(), gap.bytes().end(), [&](std::byte b) { return b == first; });
    // observed: fxc fills up to a multiple of 4 with 0xab, older parts and other compilers with zeros
    const bool padding = same && gap.size() < 16 && (first == std::byte{0xab} || first == std::byte{0});
    append({padding ? "padding" : "unknown", padding ? &kPadding : &kUnknown, parent, static_cast<std::uint32_t>(from),
            static_cast<std::uint32_t>(to - from), kNoIndex, 0});
  };
  for (const Run& gap : gaps) {
    std::uint64_t from = gap.from;
    for (auto border = std::upper_bound(borders.begin(), borders.end(), from); border != borders.end() && *border < gap.to; ++border) {
      if (*border == from) continue;
      fill(from, *border);
      from = *border;
    }
    fill(from, gap.to);
  }
}

Coverage Tree::coverage() const {
  Coverage coverage;
  coverage.total = file_.size();
  for (const auto i : leaves()) {
    const Field& field = fields_[i];
    auto& share = field.type->kind == FieldKind::unknown   ? coverage.unknown
                  : field.type->kind == FieldKind::padding ? coverage.padding
                                                           : coverage.named;
    share += field.size;
  }
  return coverage;
}

std::string Tree::path(std::uint32_t index) const {
  std::vector<std::uint32_t> chain;
  for (; index != 0; index = fields_[index].parent) chain.push_back(index);
  Text text;
  for (auto i = chain.rbegin(); i != chain.rend(); ++i) {
    const Field& field = fields_[*i];
    if (i != chain.rbegin()) text << '/';
    text << field.name;
    if (field.index != kNoIndex) (text << '[').dec(field.index) << ']';
  }
  return text.str();
}

void Tree::print_value(Text& out, const Field& field) const {
  const View data = bytes(field);
  const FieldType& type = *field.type;
  const auto value = little_endian(data);
  switch (type.kind) {
    case FieldKind::group: break;
    case FieldKind::unsigned_integer: out.dec(value); break;
    case FieldKind::signed_integer:
      out.dec_signed(data.size() >= 8   ? static_cast<std::int64_t>(value)
                     : data.size() >= 4 ? static_cast<std::int32_t>(value)
                     : data.size() >= 2 ? static_cast<std::int16_t>(value)
                                        : static_cast<std::int8_t>(value));
      break;
    case FieldKind::hexadecimal:
    case FieldKind::offset:
      out << "0x";
      out.hex(value);
      break;
    case FieldKind::real:
      if (data.size() >= 8) {
        out.shortest(std::bit_cast<double>(value));
      } else {
        out.shortest(std::bit_cast<float>(static_cast<std::uint32_t>(value)));
      }
      break;
    case FieldKind::enumeration: print_enumerator(out, static_cast<std::uint32_t>(value), *type.names); break;
    case FieldKind::flags: print_flags(out, static_cast<std::uint32_t>(value), *type.names); break;
    case FieldKind::bits: {
      bool first = true;
      for (const Bits& part : type.bits) {
        const std::uint32_t bits = part.get(static_cast<std::uint32_t>(value));
        if (bits == 0 && part.names == nullptr) continue;  // most are: keep the line short
        if (!first) out << ' ';
        first = false;
        out << part.name << '=';
        if (part.names != nullptr) {
          print_enumerator(out, bits, *part.names);
        } else {
          out.dec(bits);
        }
      }
      if (first) out << '0';
      break;
    }
    case FieldKind::component_mask:
      out << WriteMask(value).text();
      if (value == 0) out << "none";
      if (value > 15) (out << "|0x").hex(value & ~std::uint64_t{15});
      break;
    case FieldKind::fourcc: out << fourcc_text(static_cast<std::uint32_t>(value)); break;
    case FieldKind::text: {
      auto text = data.text();
      while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
      print_quoted(out, text);
      break;
    }
    case FieldKind::bytes:
    case FieldKind::padding:
    case FieldKind::unknown: {
      constexpr std::size_t kShown = 16;
      for (std::size_t i = 0; i < std::min(data.size(), kShown); ++i) out.hex(static_cast<std::uint8_t>(data.bytes()[i]), 2);
      if (data.size() > kShown) (out << "... (").dec(data.size()) << " bytes)";
      break;
    }
    case FieldKind::custom: type.print(out, file_.clamped(field.offset, file_.size()), field.context); break;
  }
}

}  // namespace unshade
