#include <unshade/present/dump.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>

#include <unshade/core/tree_path.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/present/files.hpp>

namespace unshade::present {

namespace {

constexpr std::size_t kBytesPerLine = 16;
constexpr std::size_t kLabelWidth = 32;  // characters: longer labels push their value to the right

unsigned offset_digits(const Tree& tree) { return tree.file().size() > 0x10000 ? 8 : 4; }

void print_name(Text& out, const Field& field) {
  out << field.name;
  if (field.index != kNoIndex) (out << '[').dec(field.index) << ']';
}

/// The leaf that a record of one field consists of, else the field itself: such a record is shown as `record[3]/field`.
std::uint32_t only_leaf(const Tree& tree, const Children& children, std::uint32_t field) {
  const auto below = children.of(field);
  return below.size() == 1 && tree.fields()[below[0]].type->kind != FieldKind::group ? below[0] : field;
}

/// `name[3]`, or `record[3]/name` for the leaf of a record of one field.
void print_label(Text& out, const Tree& tree, std::uint32_t shown, std::uint32_t leaf) {
  print_name(out, tree.fields()[shown]);
  if (leaf != shown) print_name(out << '/', tree.fields()[leaf]);
}

/// `ISGN  152 bytes: input signature`
void print_part_heading(const Tree& tree, const Field& part, Paint paint, Printer& out) {
  Text name;
  print_name(name, part);
  out.painted(paint, name.view());
  if (part.type->kind == FieldKind::group) {
    const auto fourcc = tree.file().u32(part.offset);
    const auto* kind = fourcc ? dxcontainer::find_part_kind(*fourcc) : nullptr;
    out.paint(Paint::faint) << "  ";
    if (fourcc && name.view().starts_with("part[")) out.text << fourcc_text(*fourcc) << ", ";
    out.text.dec(part.size) << (part.size == 1 ? " byte" : " bytes");
    if (kind != nullptr && name.view() == kind->name) out.text << ": " << kind->summary;
    out.paint(Paint::plain);
  }
  out.text << '\n';
}

/// The FourCC of a container's part, by the header that it begins with.
std::string part_fourcc(const Tree& tree, const Field& part) {
  const auto fourcc = tree.file().u32(part.offset);
  return fourcc ? fourcc_text(*fourcc) : std::string();
}

bool is_raw(FieldKind kind) { return kind == FieldKind::bytes || kind == FieldKind::padding || kind == FieldKind::unknown; }

Paint value_paint(FieldKind kind) {
  if (kind == FieldKind::unknown) return Paint::warning;
  return is_raw(kind) ? Paint::faint : Paint::value;
}

}  // namespace

Children::Children(const Tree& tree) : first_(tree.fields().size() + 1), items_(tree.fields().size()) {
  const auto& fields = tree.fields();
  // Counting sort by parent; the root is no child of its own.
  for (std::size_t i = 1; i < fields.size(); ++i) ++first_[fields[i].parent + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t i = 1; i < fields.size(); ++i) items_[next[fields[i].parent]++] = i;
  items_.resize(first_.back());
  for (std::size_t i = 0; i + 1 < first_.size(); ++i) {
    std::sort(items_.begin() + first_[i], items_.begin() + first_[i + 1], [&](std::uint32_t a, std::uint32_t b) {
      return fields[a].offset != fields[b].offset ? fields[a].offset < fields[b].offset : a < b;
    });
  }
}

std::vector<std::uint32_t> select_parts(const Tree& tree, const Children& children, std::string_view part) {
  std::vector<std::uint32_t> selected;
  for (const auto i : children.of(0)) {
    const Field& field = tree.fields()[i];
    const bool fits = part.empty() || part == field.name || part == tree.path(i) ||
                      (field.type->kind == FieldKind::group && part == part_fourcc(tree, field));
    if (fits) selected.push_back(i);
  }
  return selected;
}

void print_tree(const Tree& tree, const Children& children, std::span<const std::uint32_t> parts, Printer& out) {
  const auto& fields = tree.fields();
  struct Level {
    std::span<const std::uint32_t> fields;
    std::size_t next;
    std::size_t width;  // of the labels of leaves
  };
  Text label;
  const auto level = [&](std::span<const std::uint32_t> members) {
    std::size_t width = 0;
    for (const auto i : members) {
      const auto leaf = only_leaf(tree, children, i);
      if (fields[leaf].type->kind == FieldKind::group) continue;
      label.clear();
      print_label(label, tree, i, leaf);
      width = std::max(width, label.size());
    }
    return Level{members, 0, std::min(width, kLabelWidth)};
  };
  const unsigned digits = offset_digits(tree);
  std::vector<Level> stack{level(parts)};
  std::size_t part = 0;
  while (!stack.empty()) {
    Level& top = stack.back();
    if (top.next == top.fields.size()) {
      stack.pop_back();
      continue;
    }
    const auto index = top.fields[top.next++];
    const std::size_t depth = stack.size() - 1;
    const auto leaf = only_leaf(tree, children, index);
    const Field& field = fields[leaf];
    out.paint(Paint::faint).hex(field.offset, digits);
    out.paint(Paint::plain).repeat(' ', 2 + 2 * depth);
    if (field.type->kind == FieldKind::group) {
      if (depth == 0) {
        print_part_heading(tree, field, part_paint(part++), out);
      } else {
        out.paint(Paint::heading);
        print_name(out.text, field);
        out.paint(Paint::plain) << '\n';
      }
      stack.push_back(level(children.of(index)));
    } else {
      label.clear();
      print_label(label, tree, index, leaf);
      out.text.left(label.view(), top.width + 2);
      out.paint(value_paint(field.type->kind));
      if (field.type->kind == FieldKind::padding) {
        out.text.dec(field.size) << (field.size == 1 ? " byte" : " bytes");
      } else {
        tree.print_value(out.text, field);
      }
      out.paint(Paint::plain) << '\n';
    }
    if (!out.keep_going()) return;
  }
}

namespace {

/// The lines of a leaf's bytes; `label` prints what follows the first.
template <class Label>
void print_bytes(const Tree& tree, const Field& field, unsigned digits, Paint paint, Printer& out, Label label) {
  const View bytes = tree.bytes(field);
  for (std::size_t at = 0; at < bytes.size(); at += kBytesPerLine) {
    const View line = bytes.clamped(at, kBytesPerLine);
    out.paint(Paint::faint).hex(line.file_offset(), digits);
    out.paint(Paint::plain) << "  ";
    out.paint(paint);
    for (const auto byte : line.bytes()) out.text.hex(static_cast<std::uint8_t>(byte), 2) << ' ';
    out.text.repeat(' ', 3 * (kBytesPerLine - line.size()) + 1);
    for (const char c : line.text()) out.text << (c >= 0x20 && c < 0x7f ? c : '.');
    out.paint(Paint::plain);
    if (at == 0) {
      out.text.repeat(' ', kBytesPerLine - line.size() + 2);
      label();
      if (is_raw(field.type->kind)) {
        if (field.size > kBytesPerLine) (out.text << "  (").dec(field.size) << " bytes)";
      } else {
        out.text << " = ";
        out.paint(value_paint(field.type->kind));
        tree.print_value(out.text, field);
        out.paint(Paint::plain);
      }
    }
    out.text << '\n';
    if (!out.keep_going()) return;
  }
}

}  // namespace

void print_hex(const Tree& tree, const Children& children, std::span<const std::uint32_t> parts, Printer& out) {
  const auto& fields = tree.fields();
  // For each field the number of the part it belongs to, counted from 1 in the order of `parts`; 0 for those not asked for.
  std::vector<std::uint32_t> part_of(fields.size());
  for (std::size_t i = 0; i < parts.size(); ++i) part_of[parts[i]] = static_cast<std::uint32_t>(i + 1);
  for (std::size_t i = 1; i < fields.size(); ++i)
    if (fields[i].parent != 0) part_of[i] = part_of[fields[i].parent];

  // What a line names, and the record above it. Lines that follow each other in a record are below its path, others name theirs.
  struct Line {
    std::uint32_t leaf;
    std::uint32_t shown;
    std::uint32_t record;
    std::uint32_t part;
  };
  std::vector<Line> lines;
  for (const auto leaf : tree.leaves()) {
    if (part_of[leaf] == 0) continue;
    const auto parent = fields[leaf].parent;
    const auto shown = parent != 0 && only_leaf(tree, children, parent) == leaf ? parent : leaf;
    lines.push_back({leaf, shown, fields[shown].parent, part_of[leaf]});
  }

  const unsigned digits = offset_digits(tree);
  const auto same_record = [&](std::size_t a, std::size_t b) {
    return a < lines.size() && b < lines.size() && lines[a].record == lines[b].record &&
           (lines[a].record != 0 || lines[a].part == lines[b].part);
  };
  const auto is_part = [&](const Line& line) { return fields[parts[line.part - 1]].type->kind == FieldKind::group && line.record != 0; };
  std::string path;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    const Field& field = fields[line.leaf];
    const bool new_part = i == 0 || (line.part != lines[i - 1].part && (is_part(line) || is_part(lines[i - 1])));
    if (new_part) {
      if (i != 0) out.text << '\n';
      if (is_part(line)) print_part_heading(tree, fields[parts[line.part - 1]], Paint::heading, out);
    }
    const bool with_next = same_record(i, i + 1);
    const bool with_last = same_record(i - 1, i);  // of the first line, i - 1 is beyond all lines
    const bool below_heading = line.record == 0 || with_next || with_last;
    if (below_heading && !with_last && line.record != 0 && !(new_part && line.record == parts[line.part - 1])) {
      out.painted(Paint::faint, tree.path(line.record)) << '\n';
    }
    path.clear();
    if (!below_heading) path = tree.path(line.record) + '/';
    print_bytes(tree, field, digits, part_paint(line.part - 1), out, [&] {
      out.painted(Paint::faint, path);
      print_label(out.text, tree, line.shown, line.leaf);
    });
    if (!out.keep_going()) return;
  }
}

void print_coverage(const Coverage& coverage, Printer& out) {
  const auto share = [&](std::uint64_t bytes) {
    return coverage.total == 0 ? 0.0 : 100.0 * static_cast<double>(bytes) / static_cast<double>(coverage.total);
  };
  const auto item = [&](std::uint64_t bytes, std::string_view what, Paint paint) {
    out.paint(bytes == 0 ? Paint::plain : paint);
    out.text.dec(bytes) << ' ' << what << " (";
    out.text.fixed(share(bytes), 2) << " %)";
    out.paint(Paint::plain);
  };
  const std::uint64_t attributed = coverage.named + coverage.padding + coverage.unknown;
  out.text.fixed(coverage.total == 0 ? 100.0 : share(attributed), 2) << " % of ";
  out.text.dec(coverage.total) << " bytes attributed: ";
  item(coverage.named, "named", Paint::plain);
  out.text << ", ";
  item(coverage.padding, "padding", Paint::plain);
  out.text << ", ";
  item(coverage.unknown, "unknown", Paint::warning);
}

namespace {

void write_bits(const FieldType& type, std::uint32_t value, Json& json) {
  json.begin_object();
  for (const Bits& part : type.bits) {
    const std::uint32_t bits = part.get(value);
    json.key(part.name);
    if (part.names == nullptr) {
      json.number(bits);
    } else {
      Text text;
      print_enumerator(text, bits, *part.names);
      json.string(text.view());
    }
  }
  json.end_object();
}

/// The bytes as hexadecimal digits.
void write_bytes(View bytes, Json& json) {
  Text text(2 * bytes.size());
  for (const auto byte : bytes.bytes()) text.hex(static_cast<std::uint8_t>(byte), 2);
  json.string(text.view());
}

void write_value(const Tree& tree, const Field& field, Json& json) {
  const View bytes = tree.bytes(field);
  const std::uint64_t raw = little_endian(bytes);
  Text text;
  switch (field.type->kind) {
    case FieldKind::unsigned_integer:
    case FieldKind::hexadecimal:
    case FieldKind::offset: return json.number(raw);
    case FieldKind::signed_integer: {
      const unsigned shift = bytes.size() >= 8 || bytes.empty() ? 0 : static_cast<unsigned>(64 - 8 * bytes.size());
      return json.number_signed(static_cast<std::int64_t>(raw << shift) >> shift);
    }
    case FieldKind::real:
      return bytes.size() >= 8 ? json.real(std::bit_cast<double>(raw)) : json.real(std::bit_cast<float>(static_cast<std::uint32_t>(raw)));
    case FieldKind::bits: return write_bits(*field.type, static_cast<std::uint32_t>(raw), json);
    case FieldKind::text: {
      auto shown = bytes.text();
      while (!shown.empty() && shown.back() == '\0') shown.remove_suffix(1);
      return json.string(shown);
    }
    case FieldKind::bytes:
    case FieldKind::padding:
    case FieldKind::unknown: return write_bytes(bytes, json);
    case FieldKind::enumeration:
    case FieldKind::flags:
    case FieldKind::component_mask:
    case FieldKind::fourcc:
    case FieldKind::custom:
    case FieldKind::group: tree.print_value(text, field); return json.string(text.view());
  }
}

void write_fields(const Tree& tree, const Children& children, std::span<const std::uint32_t> parts, Json& json) {
  struct Level {
    std::span<const std::uint32_t> fields;
    std::size_t next;
  };
  std::vector<Level> stack{{parts, 0}};
  json.begin_array();
  while (!stack.empty()) {
    Level& top = stack.back();
    if (top.next == top.fields.size()) {
      stack.pop_back();
      json.end_array();
      if (!stack.empty()) json.end_object();
      continue;
    }
    const auto index = top.fields[top.next++];
    const Field& field = tree.fields()[index];
    json.begin_object();
    json.member("name", field.name);
    if (field.index != kNoIndex) json.member("index", field.index);
    json.member("offset", field.offset);
    json.member("size", field.size);
    json.member("kind", id(field.type->kind));
    if (field.type->kind != FieldKind::group) {
      json.key("value");
      write_value(tree, field, json);
      const bool named = field.type->kind == FieldKind::enumeration || field.type->kind == FieldKind::flags ||
                         field.type->kind == FieldKind::component_mask || field.type->kind == FieldKind::bits;
      if (named) json.member("raw", little_endian(tree.bytes(field)));
    }
    if (field.type->kind == FieldKind::group) {
      json.key("fields");
      json.begin_array();
      stack.push_back({children.of(index), 0});
    } else {
      json.end_object();
    }
  }
}

void begin_tree(std::string_view file, const Tree& tree, const Coverage& coverage, Json& json) {
  json.begin_object();
  json.member("file", file);
  json.member("size", std::uint64_t{tree.file().size()});
  json.object("coverage", [&] {
    json.member("total", coverage.total);
    json.member("named", coverage.named);
    json.member("padding", coverage.padding);
    json.member("unknown", coverage.unknown);
  });
}

void end_tree(const Tree& tree, Json& json) {
  json.array("errors", tree.errors(), [&](const Error& error) { write_error(error, json); });
  json.end_object();
}

}  // namespace

void write_tree(std::string_view file, const Tree& tree, const Coverage& coverage, const Children& children,
                std::span<const std::uint32_t> parts, Json& json) {
  begin_tree(file, tree, coverage, json);
  json.key("fields");
  write_fields(tree, children, parts, json);
  end_tree(tree, json);
}

void write_shares(std::string_view file, const Tree& tree, const Coverage& coverage, Json& json) {
  begin_tree(file, tree, coverage, json);
  end_tree(tree, json);
}

}  // namespace unshade::present
