// Tables of docs/reference/formats/vbc.md.
#include <unshade/vbc/file.hpp>

#include "tables.hpp"
#include "vbc/file_layout.hpp"

namespace unshade::docs {

namespace {

using namespace vbc;

struct Header {
  File file;
  WordCounts counts;
};
template <class Archive>
void describe(Archive& a, Header& h, const LayoutTraits& layout) {
  describe_header(a, h.file, layout, h.counts);
}

struct UniformTable {
  Uniform uniform;
  Places places;
};
template <class Archive>
void describe(Archive& a, UniformTable& t, const LayoutTraits& layout) {
  vbc::describe(a, t.uniform, layout, t.places);
}

void uniform(Text& out) {
  UniformTable table;
  table.uniform.size = 1;
  bytes_of(out, table, traits(Layout::current));
}

void buffer(Text& out, Layout layout) {
  Binding binding;
  binding.type = BaseType::ro_buffer;
  bytes_of(out, binding, traits(layout));
}

void subpass_image(Text& out) {
  SubpassImage image;
  image.string.resize(32);
  bytes_of(out, image, std::size_t{48});
}

void number(Text& out, bool is_known, unsigned value) {
  out << " | ";
  if (is_known) out.dec(value);
}

void base_types(Text& out) {
  out << "| value | in older layouts | name |\n|---:|---:|---|\n";
  for (const NamedValue& named : base_type_names().values) {
    (out << "| ").dec(named.value);
    number(out, true, static_cast<unsigned>(to_old(static_cast<BaseType>(named.value))));
    out << " | `" << named.id << "` |\n";
  }
}

void ranks(Text& out) {
  out << "| value | in older layouts | name |\n|---:|---:|---|\n";
  for (const NamedValue& named : rank_names().values) {
    (out << "| ").dec(named.value);
    number(out, true, static_cast<unsigned>(to_old(static_cast<Rank>(named.value))));
    out << " | `" << named.id << "` |\n";
  }
}

void texel_types(Text& out) {
  out << "| value | in older layouts | name |\n|---:|---:|---|\n";
  for (const NamedValue& named : texel_type_names().values) {
    (out << "| ").dec(named.value);
    number(out, named.value <= static_cast<std::uint32_t>(TexelType::real),
           static_cast<unsigned>(to_old(static_cast<TexelType>(named.value))));
    out << " | `" << named.id << "` |\n";
  }
}

void layouts(Text& out) {
  out << "| layout | since | shader type | word counts | SPIR-V | stage masks | counts | uniform | member types | numbers |\n"
         "|---|---|---|---|---|---|---|---|---|---|\n";
  for (const NamedValue& named : layout_names().values) {
    const auto layout = static_cast<Layout>(named.value);
    const LayoutTraits& t = traits(layout);
    const auto yes = [](bool is) { return is ? std::string_view("yes") : std::string_view("no"); };
    out << "| `" << named.id << "` | " << since(layout) << " | " << yes(t.has_shader_type) << " | " << yes(t.has_word_counts) << " | "
        << yes(t.has_code) << " | " << yes(t.has_stage_masks) << " | " << (t.wide_counts ? "u32" : "u8") << " | "
        << (t.wide_uniform ? "32 bits" : "16 bits") << (t.short_uniform ? ", ends after a size of 0" : "") << " | " << yes(t.typed_members)
        << " | " << (t.old_numbers ? "old" : "new") << " |\n";
  }
}

constexpr Table kTables[] = {
    {"vbc.header", [](Text& out) { bytes_of(out, Header{}, traits(Layout::current)); }},
    {"vbc.variable", [](Text& out) { bytes_of(out, Variable{}, traits(Layout::current)); }},
    {"vbc.buffer", [](Text& out) { buffer(out, Layout::current); }},
    {"vbc.texels", [](Text& out) { bytes_of(out, Binding{}, traits(Layout::current)); }},
    {"vbc.uniform", uniform},
    {"vbc.member", [](Text& out) { bytes_of(out, Member{}, traits(Layout::current)); }},
    {"vbc.subpass", [](Text& out) { bytes_of(out, SubpassInput{}, traits(Layout::current), std::size_t{Form::kSubpassBytes}); }},
    {"vbc.subpass-image", subpass_image},
    {"vbc.base-types", base_types},
    {"vbc.ranks", ranks},
    {"vbc.texel-types", texel_types},
    {"vbc.layouts", layouts},
    {"vbc.wide-member", [](Text& out) { bytes_of(out, Member{}, traits(Layout::wide)); }},
    {"vbc.first-buffer", [](Text& out) { buffer(out, Layout::first); }},
};

}  // namespace

std::span<const Table> vbc_tables() { return kTables; }

}  // namespace unshade::docs
