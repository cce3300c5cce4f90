// `Buffer Definitions`: the members of constant buffers and of elements of structured buffers, with their offsets.
#include <algorithm>
#include <string_view>

#include <unshade/core/limits.hpp>
#include <unshade/core/text/shown.hpp>
#include <unshade/dxil/layout.hpp>
#include <unshade/dxil/metadata.hpp>

#include "dxil/listing/dxc_style.hpp"
#include "dxil/listing/resource_text.hpp"
#include "dxil/listing/sections.hpp"

namespace unshade::dxil::listing {

namespace {

/// The column of offsets, counted from the first blank of a declaration; each level of nesting takes some of it.
constexpr int kOffsetColumn = 50;
constexpr std::size_t kFirstIndent = 3;
constexpr int kNestingIndent = 4;
constexpr std::size_t kNumberWidth = 5;

constexpr std::string_view kElement = "$Element";
constexpr std::string_view kNoAnnotation = "(type annotation not present)\n";
/// Names of structures that HLSL's matrices become.
constexpr std::string_view kMatrixPrefix = "class.matrix.";

constexpr std::uint32_t kRowMajor = 1;
constexpr std::uint32_t kColumnMajor = 2;

class BufferPrinter {
 public:
  BufferPrinter(const ProgramMetadata& metadata, std::span<const std::string> names, const DxcStyle& style, std::size_t limit, Text& out)
      : metadata_(metadata), module_(*metadata.module), names_(names), style_(style), limit_(limit), out_(out), layout_(*metadata.module) {}

  void all() {
    out_ << ";\n; Buffer Definitions:\n;\n";
    for (const ProgramResource& resource : metadata_.constant_buffers)
      if (!full()) constant_buffer(resource, "cbuffer", resource.size);
    for (const auto* list : {&metadata_.shader_resources, &metadata_.unordered_access})
      for (const ProgramResource& resource : *list) {
        if (full()) return;
        if (resource.kind == ResourceKind::structured_buffer) {
          structured_buffer(resource);
        } else if (resource.kind == ResourceKind::tbuffer && list == &metadata_.shader_resources) {
          texture_buffer(resource);
        }
      }
  }

 private:
  bool full() const { return out_.size() > limit_; }
  TypeKind kind_of(std::uint32_t type) const { return module_.types[type].kind; }
  std::string_view struct_name(std::uint32_t type) const {
    return type < names_.size() && !names_[type].empty() ? std::string_view(names_[type]) : module_.text(module_.types[type].name);
  }
  bool is_matrix(std::uint32_t type) const {
    return kind_of(type) == TypeKind::structure && !module_.types[type].literal && struct_name(type).starts_with(kMatrixPrefix);
  }

  /// What HLSL declares, inside pointer and array, or kNone.
  std::uint32_t inner_type(const ProgramResource& resource, bool all_arrays) const {
    std::uint32_t type = resource.type;
    if (type == kNone || kind_of(type) != TypeKind::pointer) return kNone;
    type = module_.element_of(type);
    for (bool again = true; again && kind_of(type) == TypeKind::array; again = all_arrays) type = module_.element_of(type);
    return type;
  }
  /// The same if it is a structure, else kNone.
  std::uint32_t declared(const ProgramResource& resource, bool all_arrays) const {
    const std::uint32_t type = inner_type(resource, all_arrays);
    return type != kNone && kind_of(type) == TypeKind::structure ? type : kNone;
  }
  const StructAnnotation* annotation_of(std::uint32_t type) const { return type == kNone ? nullptr : metadata_.find_struct(type); }

  void heading(std::string_view kind, std::string_view name) { out_ << "; " << kind << ' ' << printable(name) << "\n; {\n;\n"; }
  void bytes(std::uint64_t size) {
    out_ << ";   [";
    out_.dec(size) << " x i8] " << kNoAnnotation;
  }
  void ending() { out_ << "; }\n;\n"; }

  void constant_buffer(const ProgramResource& resource, std::string_view kind, std::uint64_t size) {
    const std::uint32_t type = declared(resource, false);
    heading(kind, resource.name);
    if (annotation_of(type) == nullptr) {
      bytes(size);
      out_ << ";\n";
    } else {
      structure(type, resource.name, "", 0, kFirstIndent, kOffsetColumn, size, false);
    }
    ending();
  }

  void texture_buffer(const ProgramResource& resource) {
    const std::uint32_t type = declared(resource, false);
    const StructAnnotation* annotation = annotation_of(type);
    if (annotation != nullptr) {
      constant_buffer(resource, "tbuffer", annotation->constant_buffer_size);
      return;
    }
    heading("tbuffer", resource.name);
    out_ << ";   " << kNoAnnotation << ";\n";
    ending();
  }

  void structured_buffer(const ProgramResource& resource) {
    heading("Resource bind info for", resource.name);
    const std::uint32_t buffer = declared(resource, true);
    const auto parts = buffer == kNone ? std::span<const std::uint32_t>() : module_.parts_of(module_.types[buffer]);
    if (parts.empty()) {
      bytes(0);
      out_ << ";\n";
    } else if (const std::uint32_t element = parts[0]; kind_of(element) != TypeKind::structure || is_matrix(element)) {
      // Older versions take an array in an array for the structure.
      const std::uint32_t whole = style_.every_array_level ? buffer : inner_type(resource, false);
      const StructAnnotation* annotation = annotation_of(whole);
      if (annotation == nullptr || annotation->fields.empty()) {
        bytes(layout_.size_of(whole));
      } else {
        FieldAnnotation named = annotation->fields[0];
        named.name = kElement;
        field(element, named, 0, kFirstIndent, kOffsetColumn, layout_.size_of(buffer), false);
      }
      out_ << ";\n";
    } else if (annotation_of(element) == nullptr) {
      bytes(layout_.size_of(element));
    } else {
      structure(element, kElement, "", 0, kFirstIndent, kOffsetColumn, layout_.size_of(element), true);
    }
    ending();
  }

  Text& indent(std::size_t count) {
    out_ << ';';
    return out_.repeat(' ', count);
  }
  /// Blanks up to the offset, then the offset and the size unless it is 0.
  void offset_and_size(std::size_t start, int column, std::uint64_t offset, std::uint64_t size) {
    const std::size_t written = out_.size() - start;
    const auto width = static_cast<std::size_t>(std::max(column, 0));
    out_.repeat(' ', written < width ? width - written : 0) << "; Offset:";
    out_.dec(offset, kNumberWidth);
    if (size != 0) {
      out_ << " Size: ";
      out_.dec(size, kNumberWidth);
    }
    out_ << '\n';
  }

  /// `suffix` follows the variable's name: `[3];`. In memory layout members are where the data layout puts them, else where the
  /// annotation says.
  void structure(std::uint32_t type, std::string_view variable, std::string_view suffix, std::uint32_t offset, std::size_t indentation,
                 int column, std::uint64_t size, bool memory_layout) {
    indent(indentation) << "struct " << printable(struct_name(type)) << '\n';
    indent(indentation) << "{\n;\n";
    const StructAnnotation* annotation = annotation_of(type);
    if (annotation == nullptr) {
      indent(indentation + kNestingIndent);
      if (size == 0) {
        out_ << "/* empty struct */\n";
      } else {
        out_ << '[';
        out_.dec(size) << " x i8] " << kNoAnnotation;
      }
    } else if (depth_ < limits::kIrNesting) {
      ++depth_;
      const auto parts = module_.parts_of(module_.types[type]);
      const auto offsets = memory_layout ? layout_.offsets_of(type) : std::vector<std::uint64_t>();
      for (std::size_t i = 0; i < parts.size() && !full(); ++i) {
        const std::uint64_t place = memory_layout ? offsets[i] : annotation->fields[i].constant_buffer_offset;
        field(parts[i], annotation->fields[i], offset + static_cast<std::uint32_t>(place), indentation + kNestingIndent,
              column - kNestingIndent, 0, memory_layout);
      }
      --depth_;
    }
    indent(indentation) << '\n';
    indent(indentation) << "} ";
    const std::size_t start = out_.size();
    out_ << variable << suffix << ';';
    offset_and_size(start, column - 2, offset, size);
    out_ << ";\n";
  }

  void field(std::uint32_t type, const FieldAnnotation& annotation, std::uint32_t offset, std::size_t indentation, int column,
             std::uint64_t size, bool memory_layout) {
    if (kind_of(type) == TypeKind::structure && !annotation.is_matrix) {
      structure(type, annotation.name, "", offset, indentation, column, 0, memory_layout);
      return;
    }
    std::uint32_t element = type;
    std::uint32_t elements = 0;
    unsigned levels = 0;
    for (; kind_of(element) == TypeKind::array; element = module_.element_of(element), ++levels)
      elements = (levels == 0 ? 1 : elements) * static_cast<std::uint32_t>(module_.types[element].count);
    if (annotation.is_matrix) {
      // An array of vectors is one matrix; the outer ones are arrays of matrices.
      const MatrixAnnotation& matrix = annotation.matrix;
      const std::uint32_t vectors = matrix.orientation == kRowMajor ? matrix.rows : matrix.orientation == kColumnMajor ? matrix.columns : 1;
      if (vectors != 0) elements /= vectors;
      if (levels == 1) elements = 0;
    } else if (kind_of(element) == TypeKind::structure && !is_matrix(element)) {
      Text suffix;
      if (elements != 0) {
        suffix << '[';
        suffix.dec(elements) << ']';
      }
      suffix << ';';
      structure(element, annotation.name, suffix.view(), offset, indentation, column, 0, memory_layout);
      return;
    }
    indent(indentation);
    const std::size_t start = out_.size();
    declaration(element, annotation, elements);
    offset_and_size(start, column, offset, size);
  }

  void declaration(std::uint32_t element, const FieldAnnotation& annotation, std::uint32_t elements) {
    const ComponentTypeInfo& info = component_type_info(static_cast<ComponentType>(annotation.component_type));
    const std::string_view component = metadata_.minimum_precision() ? info.minimum_text : info.hlsl;
    if (annotation.is_matrix) {
      const MatrixAnnotation& matrix = annotation.matrix;
      if (matrix.orientation == kRowMajor) out_ << "row_major ";
      if (matrix.orientation == kColumnMajor) out_ << "column_major ";
      out_ << component;
      out_.dec(matrix.rows) << 'x';
      out_.dec(matrix.columns);
    } else {
      out_ << component;
      if (kind_of(element) == TypeKind::vector) out_.dec(module_.types[element].count);
    }
    out_ << ' ' << printable(annotation.name);
    if (elements != 0) {
      out_ << '[';
      out_.dec(elements) << ']';
    }
    out_ << ';';
  }

  const ProgramMetadata& metadata_;
  const Module& module_;
  std::span<const std::string> names_;
  const DxcStyle& style_;
  std::size_t limit_;
  Text& out_;
  TypeLayout layout_;
  unsigned depth_ = 0;
};

}  // namespace

void list_buffer_definitions(const ProgramMetadata& metadata, std::span<const std::string> names, const DxcStyle& style, std::size_t limit,
                             Text& out) {
  BufferPrinter(metadata, names, style, limit, out).all();
}

}  // namespace unshade::dxil::listing
