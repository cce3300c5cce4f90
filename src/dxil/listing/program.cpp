// Sections of the listing that come from the module's metadata: signatures, resources, dependence on the view.
#include <string_view>

#include <unshade/core/lanes.hpp>
#include <unshade/core/text/shown.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>
#include <unshade/dxil/metadata.hpp>

#include "dxil/listing/dxc_style.hpp"
#include "dxil/listing/resource_text.hpp"
#include "dxil/listing/sections.hpp"

namespace unshade::dxil::listing {

using dxcontainer::kUnbounded;

namespace {

std::string_view interpolation_text(Interpolation mode) {
  const std::string_view word = dxc_text(mode);
  return word.empty() && mode != Interpolation::undefined ? std::string_view("invalid") : word;
}

void list_elements(const std::vector<MetadataElement>& elements, ShaderKind kind, SignatureSide side, std::string_view name,
                   std::size_t limit, Text& out) {
  if (elements.empty()) return;
  out << ";\n; " << name
      << " signature:\n"
         ";\n"
         "; Name                 Index             InterpMode DynIdx\n"
         "; -------------------- ----- ---------------------- ------\n";
  for (const MetadataElement& element : elements) {
    if (out.size() > limit) return;
    out << "; ";
    out.left(printable(semantic_name(element, kind, side)), 20) << ' ';
    out.dec(element.semantic_indexes.empty() ? 0 : element.semantic_indexes[0], 5) << ' ';
    out.right(interpolation_text(element.interpolation), 22) << "   ";
    out.right(WriteMask(element.dynamic_mask).text(), 4) << '\n';
  }
}

/// By ResourceClass.
struct ClassText {
  std::string_view name;
  std::string_view id_prefix;
  std::string_view bind_prefix;
};
constexpr ClassText kClasses[] = {{"texture", "T", "t"}, {"UAV", "U", "u"}, {"cbuffer", "CB", "cb"}, {"sampler", "S", "s"}};

/// `text` and a number, on the right of a column.
void list_number(Text& out, Text& scratch, std::string_view text, std::uint64_t number, std::size_t width) {
  scratch.clear();
  scratch << text;
  scratch.dec(number);
  out.right(scratch.view(), width);
}

std::string_view format_of(const ProgramResource& resource) {
  switch (resource.kind) {
    case ResourceKind::raw_buffer: return "byte";
    case ResourceKind::structured_buffer: return "struct";
    default: return component_type_info(static_cast<dxil::ComponentType>(resource.component_type)).format;
  }
}

/// What follows `2dMS`. Older versions append the count itself to a string. Line breaks and the end of a string, which no count is that
/// Direct3D allows, stay digits: this is a comment of one line.
void list_sample_count(std::uint32_t count, const DxcStyle& style, Text& out) {
  const char character = static_cast<char>(count);
  if (style.sample_digits || character == 0 || character == '\n' || character == '\r') {
    out.dec(count);
  } else {
    out << character;
  }
}

void list_dimension(const ProgramResource& resource, const DxcStyle& style, Text& out, Text& scratch) {
  constexpr std::size_t kWidth = 12;
  switch (resource.kind) {
    case ResourceKind::raw_buffer:
    case ResourceKind::structured_buffer:
      out.right(resource.resource_class == ResourceClass::srv ? "r/o" : resource.has_counter ? "r/w+cnt" : "r/w", kWidth);
      break;
    case ResourceKind::texture2d_ms:
    case ResourceKind::texture2d_ms_array:
      if (resource.sample_count != 0) {
        scratch.clear();
        scratch << resource_dimension_text(resource.kind);
        list_sample_count(resource.sample_count, style, scratch);
        out.right(scratch.view(), kWidth);
        break;
      }
      [[fallthrough]];
    default: out.right(resource_dimension_text(resource.kind), kWidth); break;
  }
}

void list_resource(const ProgramResource& resource, const DxcStyle& style, Text& out, Text& scratch) {
  const ClassText& text = kClasses[static_cast<std::size_t>(resource.resource_class)];
  out << "; ";
  out.left(printable(resource.name), 31);
  out.right(text.name, 10);
  if (resource.resource_class == ResourceClass::srv || resource.resource_class == ResourceClass::uav) {
    out.right(format_of(resource), 8);
    list_dimension(resource, style, out, scratch);
  } else {
    out.right("NA", 8);
    out.right("NA", 12);
  }
  list_number(out, scratch, text.id_prefix, resource.id, 8);
  scratch.clear();
  scratch << text.bind_prefix;
  scratch.dec(resource.lower_bound);
  if (resource.space != 0) {
    scratch << ",space";
    scratch.dec(resource.space);
  }
  out.right(scratch.view(), 15);
  if (resource.count == kUnbounded) {
    out << "unbounded\n";
  } else {
    out.dec(resource.count, 6) << '\n';
  }
}

// --- ViewId state ------------------------------------------------------------------------------------------------------------------------

constexpr std::uint32_t kStreams = 4;
/// A signature has no more components than 32 registers of 4.
constexpr std::uint32_t kMostScalars = 128;
constexpr std::uint32_t kWordBits = 32;

/// Outputs that depend on something: a bit each.
struct Mask {
  std::span<const std::uint32_t> words;
  std::uint32_t outputs = 0;
};
/// For each input a mask of the outputs that depend on it.
struct Dependencies {
  std::span<const std::uint32_t> words;
  std::uint32_t inputs = 0;
  std::uint32_t outputs = 0;
};

constexpr std::uint32_t mask_words(std::uint32_t outputs) { return (outputs + kWordBits - 1) / kWordBits; }

/// The serialized state. src: DXC ComputeViewIdState.cpp
class ViewIdState {
 public:
  std::uint32_t inputs = 0;
  std::uint32_t outputs[kStreams] = {};
  std::uint32_t patch_or_primitives = 0;
  Mask view_outputs[kStreams];
  Mask view_patch_or_primitives;
  Dependencies input_outputs[kStreams];
  Dependencies input_patch_or_primitives;
  Dependencies patch_outputs;

  /// False if the words are not such a state.
  bool read(const ProgramMetadata& metadata) {
    rest_ = metadata.view_id_state;
    const bool by_view = !metadata.entries.empty() && (metadata.entries[0].flags & shader_flag::kViewId) != 0;
    const ShaderKind kind = metadata.kind;
    inputs = count();
    const std::uint32_t streams = kind == ShaderKind::geometry ? kStreams : 1;
    for (std::uint32_t i = 0; i < streams; ++i) {
      outputs[i] = count();
      view_outputs[i] = mask(by_view, outputs[i]);
      input_outputs[i] = dependencies(inputs, outputs[i]);
    }
    if (kind == ShaderKind::hull || kind == ShaderKind::domain || kind == ShaderKind::mesh) {
      patch_or_primitives = count();
      if (kind == ShaderKind::domain) {
        patch_outputs = dependencies(patch_or_primitives, outputs[0]);
      } else {
        view_patch_or_primitives = mask(by_view, patch_or_primitives);
        input_patch_or_primitives = dependencies(inputs, patch_or_primitives);
      }
    }
    return sound_;
  }

 private:
  std::uint32_t count() {
    const auto word = take(1);
    if (word.empty() || word[0] > kMostScalars) {
      sound_ = false;
      return 0;
    }
    return word[0];
  }
  Mask mask(bool present, std::uint32_t of) {
    if (!present) return {{}, of};
    return {take(mask_words(of)), of};
  }
  Dependencies dependencies(std::uint32_t from, std::uint32_t to) { return {take(std::size_t{from} * mask_words(to)), from, to}; }
  std::span<const std::uint32_t> take(std::size_t words) {
    if (words > rest_.size()) {
      sound_ = false;
      rest_ = {};
      return {};
    }
    const auto taken = rest_.first(words);
    rest_ = rest_.subspan(words);
    return taken;
  }

  std::span<const std::uint32_t> rest_;
  bool sound_ = true;
};

/// Numbers between braces, separated by commas.
class NumberList {
 public:
  explicit NumberList(Text& out) : out_(out) { out_ << "{ "; }
  void add(std::uint32_t number) {
    if (!first_) out_ << ", ";
    first_ = false;
    out_.dec(number);
  }
  void end() { out_ << " }\n"; }

 private:
  Text& out_;
  bool first_ = true;
};

void list_dependent_on_view(std::string_view name, const Mask& mask, Text& out) {
  out << "; " << name << " dependent on ViewId: ";
  NumberList list(out);
  for (std::uint32_t i = 0; i < mask.outputs; ++i)
    if (!mask.words.empty() && (mask.words[i / kWordBits] >> i % kWordBits & 1) != 0) list.add(i);
  list.end();
}

void list_contributing(std::string_view inputs, std::string_view outputs, const Dependencies& table, Text& out) {
  out << "; " << inputs << " contributing to computation of " << outputs << ":\n";
  const std::uint32_t stride = mask_words(table.outputs);
  const auto depends = [&](std::uint32_t output, std::uint32_t input) {
    return (table.words[std::size_t{input} * stride + output / kWordBits] >> output % kWordBits & 1) != 0;
  };
  for (std::uint32_t output = 0; output < table.outputs; ++output) {
    std::uint32_t input = 0;
    while (input < table.inputs && !depends(output, input)) ++input;
    if (input == table.inputs) continue;
    out << ";   output ";
    out.dec(output) << " depends on inputs: ";
    NumberList list(out);
    for (; input < table.inputs; ++input)
      if (depends(output, input)) list.add(input);
    list.end();
  }
}

}  // namespace

void list_metadata_signatures(const ProgramMetadata& metadata, std::size_t limit, Text& out) {
  if (metadata.kind == ShaderKind::library || metadata.entries.empty()) return;
  const EntryPoint& entry = metadata.entries[0];
  const bool mesh = metadata.kind == ShaderKind::mesh;
  list_elements(entry.inputs, metadata.kind, SignatureSide::input, "Input", limit, out);
  list_elements(entry.outputs, metadata.kind, SignatureSide::output, mesh ? "Vertex Output" : "Output", limit, out);
  list_elements(entry.patch_or_primitives, metadata.kind, SignatureSide::patch_or_primitives, mesh ? "Primitive Output" : "Patch Constant",
                limit, out);
}

void list_resource_bindings(const ProgramMetadata& metadata, const DxcStyle& style, std::size_t limit, Text& out) {
  out << ";\n"
         "; Resource Bindings:\n"
         ";\n"
         "; Name                                 Type  Format         Dim      ID      HLSL Bind  Count\n"
         "; ------------------------------ ---------- ------- ----------- ------- -------------- ------\n";
  Text scratch;
  for (const auto* list : {&metadata.constant_buffers, &metadata.samplers, &metadata.shader_resources, &metadata.unordered_access})
    for (const ProgramResource& resource : *list)
      if (out.size() <= limit) list_resource(resource, style, out, scratch);
  out << ";\n";
}

void list_view_id_state(const ProgramMetadata& metadata, Text& out) {
  if (!metadata.has_view_id_state) return;
  ViewIdState state;
  if (!state.read(metadata)) return;
  const ShaderKind kind = metadata.kind;
  const bool geometry = kind == ShaderKind::geometry;

  out << ";\n; ViewId state:\n;\n; Number of inputs: ";
  out.dec(state.inputs);
  if (geometry) {
    out << ", outputs per stream: { ";
    for (std::uint32_t i = 0; i < kStreams; ++i) {
      if (i != 0) out << ", ";
      out.dec(state.outputs[i]);
    }
    out << " }";
  } else {
    out << ", outputs: ";
    out.dec(state.outputs[0]);
  }
  if (kind == ShaderKind::hull || kind == ShaderKind::domain || kind == ShaderKind::mesh) {
    out << (kind == ShaderKind::mesh ? ", primitive outputs: " : ", patchconst: ");
    out.dec(state.patch_or_primitives);
  }
  out << '\n';

  Text name;
  const auto for_each_stream = [&](auto&& list) {
    for (std::uint32_t i = 0; i < kStreams; ++i) {
      if (state.outputs[i] == 0) continue;
      name.clear();
      name << "Outputs for Stream ";
      name.dec(i);
      list(i);
    }
  };
  if (geometry) {
    for_each_stream([&](std::uint32_t i) { list_dependent_on_view(name.view(), state.view_outputs[i], out); });
  } else {
    list_dependent_on_view("Outputs", state.view_outputs[0], out);
  }
  const std::string_view patch_name = kind == ShaderKind::mesh ? "Primitive Outputs" : "PCOutputs";
  const bool patch_out = kind == ShaderKind::hull || kind == ShaderKind::mesh;
  if (patch_out) list_dependent_on_view(patch_name, state.view_patch_or_primitives, out);
  if (geometry) {
    for_each_stream([&](std::uint32_t i) { list_contributing("Inputs", name.view(), state.input_outputs[i], out); });
  } else {
    list_contributing("Inputs", "Outputs", state.input_outputs[0], out);
  }
  if (patch_out) list_contributing("Inputs", patch_name, state.input_patch_or_primitives, out);
  if (kind == ShaderKind::domain) list_contributing("PCInputs", "Outputs", state.patch_outputs, out);
  out << ";\n";
}

}  // namespace unshade::dxil::listing
