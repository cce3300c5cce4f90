// Transform feedback of SPIR-V as stream output: its decorations say what the scene would.
// src: SPIR-V specification 2.16.1, XfbBuffer, XfbStride, Offset; Vulkan 1.3, 28.1 "Transform Feedback"
#include <algorithm>
#include <tuple>
#include <utility>

#include <unshade/spirv/interface.hpp>

#include "scene/parts.hpp"

namespace unshade::scene {
namespace {

constexpr std::uint32_t kWordBytes = 4, kRegisterWords = 4;

/// Rows of an output, one of which is an entry.
struct Captured {
  std::uint32_t buffer = 0, offset = 0;
  draw::StreamEntry entry;
};

class FeedbackReader {
 public:
  explicit FeedbackReader(const spirv::Interface& interface) : interface_(interface) {}
  Result<draw::StreamOutput> read(const spirv::EntryPoint& entry);

 private:
  Result<void> add(std::uint32_t place, const spirv::Decorations& own, const std::string& name, std::uint32_t& location);
  Result<void> add_rows(std::uint32_t place, const spirv::Decorations& own, const std::string& name, std::uint32_t location,
                        std::uint32_t rows);

  const spirv::Interface& interface_;
  std::vector<Captured> captured_;
  draw::StreamOutput made_;
};

Error refused(std::string message, ErrorCode code = ErrorCode::bad_value) { return {code, 0, "", std::move(message)}; }

// The names are those that the outputs have in signatures (ir/spirv/interface.cpp): of the variable, or of the member of a block.
Result<void> FeedbackReader::add(std::uint32_t place, const spirv::Decorations& own, const std::string& name, std::uint32_t& location) {
  const spirv::Type* type = interface_.type(place);
  if (type == nullptr) return {};
  if (type->kind == spirv::TypeKind::structure) {
    for (const spirv::StructMember& member : interface_.members_of(*type)) {
      spirv::Decorations of = interface_.of(member);
      if (!of.xfb_buffer) of.xfb_buffer = own.xfb_buffer;
      if (!of.xfb_stride) of.xfb_stride = own.xfb_stride;
      if (!of.stream) of.stream = own.stream;
      if (of.location) location = *of.location;
      if (auto done = add(member.type, of, member.name.empty() ? name : member.name, location); !done) return done;
    }
    return {};
  }
  std::uint32_t rows = 1;
  while (type != nullptr && (type->kind == spirv::TypeKind::array || type->kind == spirv::TypeKind::matrix)) {
    rows *= std::min(type->count, draw::kMostStreamComponents + 1);
    if (rows > draw::kMostStreamComponents) return refused("an output of " + name + " has too many rows", ErrorCode::limit);
    place = type->element;
    type = interface_.type(place);
  }
  if (type == nullptr) return {};
  const std::uint32_t first = location;
  if (!own.builtin) location += rows;
  if (!own.offset || !own.xfb_buffer) return {};
  return add_rows(place, own, name, first, rows);
}

Result<void> FeedbackReader::add_rows(std::uint32_t place, const spirv::Decorations& own, const std::string& name, std::uint32_t location,
                                      std::uint32_t rows) {
  const spirv::Type& type = *interface_.type(place);
  const bool is_vector = type.kind == spirv::TypeKind::vector;
  const spirv::Type* const scalar = is_vector ? interface_.type(type.element) : &type;
  const std::uint32_t columns = is_vector ? type.count : 1;
  if (scalar == nullptr || scalar->width != 8 * kWordBytes || columns > kRegisterWords)
    return refused("captured outputs must have 32 bits in each of up to 4 components", ErrorCode::unsupported);
  if (*own.xfb_buffer >= draw::kStreams) return refused("buffers of transform feedback are numbered from 0 to 3");
  if (*own.offset % kWordBytes != 0 || *own.offset > draw::kMostStreamStride)
    return refused("the offset of a captured output must be a multiple of 4, and at most 2048");
  if (own.xfb_stride) made_.strides[*own.xfb_buffer] = *own.xfb_stride;
  Captured one;
  one.buffer = *own.xfb_buffer;
  one.entry = {
      .stream = own.stream.value_or(0), .semantic = own.semantic.empty() ? name : own.semantic, .components = columns, .slot = one.buffer};
  const bool is_named = !one.entry.semantic.empty();
  if (own.builtin && !is_named) {
    const auto* const row = spirv::find_enumerant(spirv::OperandKind::built_in, static_cast<std::uint32_t>(*own.builtin));
    if (row != nullptr) one.entry.semantic = row->text;
  }
  if (!own.builtin && !is_named) one.entry.semantic = "location";
  for (std::uint32_t row = 0; row < rows; ++row) {
    one.offset = *own.offset + row * columns * kWordBytes;
    one.entry.index = (own.builtin || is_named ? 0 : location) + row;
    captured_.push_back(one);
  }
  return {};
}

Result<draw::StreamOutput> FeedbackReader::read(const spirv::EntryPoint& entry) {
  const auto captures = std::ranges::find(entry.modes, spirv::ExecutionMode::xfb, &spirv::EntryPointMode::mode);
  if (captures == entry.modes.end()) return made_;
  for (const std::uint32_t id : entry.interface_ids) {
    const std::uint32_t place = interface_.find_variable(id);
    if (place >= interface_.variables.size() || interface_.variables[place].storage != spirv::StorageClass::output) continue;
    const spirv::Variable& variable = interface_.variables[place];
    const spirv::Decorations& own = interface_.of(variable);
    std::uint32_t location = own.location.value_or(0);
    if (auto done = add(variable.type, own, variable.name, location); !done) return std::move(done).error();
  }
  std::ranges::stable_sort(captured_, {}, [](const Captured& one) { return std::tuple(one.buffer, one.offset); });
  std::array<std::uint32_t, draw::kStreams> ends{};
  for (Captured& one : captured_) {
    std::uint32_t& end = ends[one.buffer];
    if (one.offset < end) return refused("captured outputs overlap in buffer " + std::to_string(one.buffer));
    while (end < one.offset) {
      const std::uint32_t gap = std::min(kRegisterWords, (one.offset - end) / kWordBytes);
      made_.entries.push_back({.stream = one.entry.stream, .components = gap, .slot = one.buffer});
      end += gap * kWordBytes;
    }
    end += one.entry.components * kWordBytes;
    made_.entries.push_back(std::move(one.entry));
  }
  return std::move(made_);
}

}  // namespace

Result<draw::StreamOutput> feedback_of(const SpirvStage& stage) {
  const spirv::Interface interface = spirv::interface_of(stage.module);
  const spirv::EntryPoint* const found = entry_point(interface, stage);
  if (found == nullptr) return draw::StreamOutput{};
  return FeedbackReader(interface).read(*found);
}

}  // namespace unshade::scene
