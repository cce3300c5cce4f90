#include <unshade/dxil/rdat.hpp>

#include <algorithm>
#include <deque>
#include <utility>

#include <unshade/core/archive/writer.hpp>
#include <unshade/core/bits/rounding.hpp>
#include <unshade/dxcontainer/part_model.hpp>

#include "dxil/parts/rdat_layout.hpp"
#include "dxil/parts/text_places.hpp"

namespace unshade::dxil::parts {

namespace {

void print_index_array(Text& out, View bytes, std::uint32_t size) {
  constexpr std::uint32_t kShown = 16;
  const std::uint32_t count = size / 4 - 1;
  out << '[';
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i != 0) out << ' ';
    if (i == kShown) {
      (out << "... (").dec(count) << ')';
      break;
    }
    out.dec(bytes.u32(4 + 4 * i).value_or(0));
  }
  out << ']';
}

void print_reference(Text& out, View bytes, std::uint32_t) {
  const std::uint32_t value = bytes.u32(0).value_or(0);
  if (value == kNullReference) {
    out << "none";
  } else {
    out.dec(value);
  }
}

void place_texts(Rdat& r, TextPlaces& texts) {
  for (auto& row : r.resources.rows) texts.place(row.name);
  for (auto& row : r.functions.rows) {
    texts.place(row.name);
    texts.place(row.unmangled_name);
  }
  for (auto& row : r.subobjects.rows) {
    texts.place(row.name);
    if (row.kind == SubobjectKind::subobject_to_exports_association) texts.place(row.subobject);
    if (row.kind != SubobjectKind::hit_group) continue;
    for (String* name : {&row.any_hit, &row.closest_hit, &row.intersection}) texts.place(*name);
  }
  for (auto& row : r.node_ids.rows) texts.place(row.name);
  for (auto& row : r.signature_elements.rows) texts.place(row.semantic_name);
  for (auto& row : r.pdb_infos.rows) texts.place(row.pdb_name);
  for (auto& row : r.pdb_sources.rows) {
    texts.place(row.name);
    texts.place(row.content);
  }
  for (auto& row : r.pdb_libraries.rows) texts.place(row.name);
  r.strings = texts.table();
}

// Pieces for what has none yet, and places for all of them if something has another size than it had. `own` keeps what is made.
void place_parts(Rdat& r, std::deque<std::vector<std::byte>>& own) {
  bool changed = false;
  for (const RdatPartType type : kRdatOrder) {
    bool is_empty = true;
    if (const View* buffer = rdat_buffer(r, type); buffer != nullptr) is_empty = buffer->empty();
    with_rdat_table(r, type, [&](auto& table, RdatRecordBytes bytes, const auto&...) {
      is_empty = table.rows.empty();
      if (table.stride == 0) table.stride = bytes.newest;
    });
    const bool is_there = std::any_of(r.parts.begin(), r.parts.end(), [&](const RdatPart& p) { return p.type == type && !p.kept; });
    if (is_empty || is_there) continue;
    RdatPart part;
    part.type = type;
    r.parts.push_back(part);
  }
  for (const RdatPart& part : r.parts) changed = changed || part.offset == kUnplaced || rdat_content_bytes(r, part) != part.data.size();
  if (!changed) return;
  for (View* buffer : {&r.strings, &r.index_arrays, &r.raw_bytes}) {
    if (buffer->size() % 4 == 0) continue;
    auto& bytes = own.emplace_back(buffer->bytes().begin(), buffer->bytes().end());
    bytes.resize(round_up(bytes.size(), 4));
    *buffer = View(bytes);
  }
  r.extra = {};
  std::size_t at = 8 + 4 * r.parts.size();
  for (RdatPart& part : r.parts) {
    part.offset = static_cast<std::uint32_t>(at);
    at += kRdatPieceHeaderBytes + round_up(rdat_content_bytes(r, part), 4);
  }
}

}  // namespace

}  // namespace unshade::dxil::parts

namespace unshade::dxil {

const FieldType kIndexArray{FieldKind::custom, "index array", nullptr, {}, parts::print_index_array};
const FieldType kReference{FieldKind::custom, "reference", nullptr, {}, parts::print_reference};

RdatIndexes Rdat::indexes(std::uint32_t array) const {
  if (array == kNullReference) return {};
  const std::size_t at = std::size_t{4} * array;
  const auto count = index_arrays.u32(at);
  if (!count) return {};
  const auto words = index_arrays.sub(at + 4, std::size_t{4} * *count);
  return {words.value_or(View())};
}

Result<Rdat> parse_rdat(View data, const char* name) {
  Rdat rdat;
  if (auto read = read_part(data, name, rdat); !read) return std::move(read).error();
  return rdat;
}

Result<Rdat> parse_rdat(const dxcontainer::Part& part) { return parse_rdat(part.data, part.name()); }

void record_rdat(const dxcontainer::Part& part, Tree& tree, std::uint32_t group) { dxcontainer::record_model<Rdat>(part, tree, group); }

std::vector<std::byte> write_rdat(const Rdat& rdat) {
  Rdat model = rdat;
  parts::TextPlaces texts(rdat.strings);
  parts::place_texts(model, texts);
  std::deque<std::vector<std::byte>> own;
  parts::place_parts(model, own);
  std::size_t end = 8 + 4 * model.parts.size();
  for (const RdatPart& part : model.parts)
    end = std::max(end, part.offset + std::size_t{kRdatPieceHeaderBytes} + rdat_content_bytes(model, part));
  Writer writer(std::byte{0});
  describe(writer, model);
  return writer.finish(static_cast<std::uint32_t>(end + model.extra.size()));
}

}  // namespace unshade::dxil
