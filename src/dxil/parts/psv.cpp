#include <unshade/dxil/psv.hpp>

#include <algorithm>

#include <unshade/core/lanes.hpp>

#include "dxil/parts/psv_layout.hpp"
#include "dxil/parts/text_places.hpp"
#include "dxil/parts/write_exact.hpp"

namespace unshade::dxil::parts {

namespace {

void print_mask(Text& out, View bytes, std::uint32_t size) {
  bool any = false;
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint8_t byte = bytes.u8(i).value_or(0);
    for (unsigned half = 0; half < 2; ++half) {
      const WriteMask components(byte >> (4 * half));
      if (components.empty()) continue;
      if (any) out << ' ';
      any = true;
      out.dec(2 * i + half) << '.' << components.text();
    }
  }
  if (!any) out << "none";
}

Psv unread(ShaderKind kind) {
  Psv psv;
  psv.info.kind = kind;
  return psv;
}

}  // namespace

}  // namespace unshade::dxil::parts

namespace unshade::dxil {

const FieldType kComponentMaskType{FieldKind::custom, "component mask", nullptr, {}, parts::print_mask};

Result<Psv> parse_psv(const dxcontainer::Part& part, ShaderKind kind) {
  Psv psv = parts::unread(kind);
  if (auto read = read_part(part.data, part.name(), psv); !read) return std::move(read).error();
  return psv;
}

void record_psv(const dxcontainer::Part& part, Tree& tree, std::uint32_t group, ShaderKind kind) {
  Psv psv = parts::unread(kind);
  record_part(part.data, part.name(), tree, group, psv);
}

std::vector<std::byte> write_psv(const Psv& psv) {
  Psv model = psv;
  model.info.input_element_count = static_cast<std::uint8_t>(std::min<std::size_t>(psv.inputs.size(), 0xff));
  model.info.output_element_count = static_cast<std::uint8_t>(std::min<std::size_t>(psv.outputs.size(), 0xff));
  model.info.patch_element_count = static_cast<std::uint8_t>(std::min<std::size_t>(psv.patch_or_primitives.size(), 0xff));
  model.inputs.resize(model.info.input_element_count);
  model.outputs.resize(model.info.output_element_count);
  model.patch_or_primitives.resize(model.info.patch_element_count);
  parts::TextPlaces texts(psv.strings);
  if (model.info.version() >= 1) {
    for (auto* elements : {&model.inputs, &model.outputs, &model.patch_or_primitives})
      for (PsvSignatureElement& element : *elements) texts.place(element.semantic_name);
    if (model.info.version() >= 3) texts.place(model.info.entry_name);
    model.strings = texts.table();
  }
  return parts::write_exact(std::move(model));
}

}  // namespace unshade::dxil
