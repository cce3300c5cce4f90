#include <unshade/run/image_format.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/run/bindings.hpp>
#include <unshade/run/contents.hpp>
#include <unshade/run/places.hpp>
#include <unshade/run/type_layout.hpp>
#include <unshade/texel/formats.hpp>

namespace unshade::run {

std::string dxgi_name(std::string_view image_format) {
  constexpr std::pair<std::string_view, std::string_view> kPacked[] = {{"R11fG11fB10f", "R11G11B10_FLOAT"},
                                                                       {"Rgb10A2", "R10G10B10A2_UNORM"},
                                                                       {"Rgb10a2ui", "R10G10B10A2_UINT"},
                                                                       {"R64i", "R32G32_SINT"},
                                                                       {"R64ui", "R32G32_UINT"}};
  for (const auto& [name, made] : kPacked)
    if (name == image_format) return std::string(made);
  constexpr std::pair<std::string_view, std::string_view> kEncodings[] = {
      {"", "_UNORM"}, {"Snorm", "_SNORM"}, {"f", "_FLOAT"}, {"i", "_SINT"}, {"ui", "_UINT"}};
  // channels, the width of each, the encoding
  const std::size_t width = image_format.find_first_of("0123456789");
  if (width == std::string_view::npos) return {};
  const std::size_t end = std::min(image_format.find_first_not_of("0123456789", width), image_format.size());
  const auto* const encoding =
      std::ranges::find(kEncodings, image_format.substr(end), &std::pair<std::string_view, std::string_view>::first);
  if (encoding == std::end(kEncodings)) return {};
  std::string made;
  for (const char channel : image_format.substr(0, width)) {
    made += static_cast<char>(std::toupper(static_cast<unsigned char>(channel)));
    made += image_format.substr(width, end - width);
  }
  made += encoding->second;
  return texel::find_format(made) ? made : std::string();
}

std::string format_without_case(const ir::Resource& resource, const shader::Resource* row) {
  using dxcontainer::ReturnType;
  if (row != nullptr) {
    if (std::string stated = dxgi_name(row->format); !stated.empty()) return stated;
  }
  const std::size_t components = row == nullptr || row->components == 0 ? 4 : std::min(row->components, 4U);
  constexpr std::string_view kChannels32[] = {"R32", "R32G32", "R32G32B32", "R32G32B32A32"};
  constexpr std::string_view kChannels8[] = {"R8", "R8G8", "R8G8B8A8", "R8G8B8A8"};  // DXGI has none of three
  const auto of = [&](std::span<const std::string_view, 4> channels, std::string_view encoding) {
    return std::string(channels[components - 1]).append(encoding);
  };
  switch (resource.return_type) {
    case shader::ReturnType::uint: return of(kChannels32, "_UINT");
    case shader::ReturnType::sint: return of(kChannels32, "_SINT");
    case shader::ReturnType::unorm: return of(kChannels8, "_UNORM");
    case shader::ReturnType::snorm: return of(kChannels8, "_SNORM");
    default: return of(kChannels32, "_FLOAT");
  }
}

namespace {

// Whether the texels of a resource are integers in the shader; nothing if its type is neither integers nor floats of 32 bits or less.
std::optional<bool> declares_integers(const ir::Resource& resource) {
  using dxcontainer::ReturnType;
  switch (resource.return_type) {
    case ReturnType::uint:
    case ReturnType::sint: return true;
    case ReturnType::unorm:
    case ReturnType::snorm:
    case ReturnType::float_: return false;
    default: return std::nullopt;
  }
}

// An element of a resource, as messages have it.
std::string shown(const ir::Resource& resource, std::uint32_t number) {
  const std::string place = shown_place(resource, number);
  const std::string name = name_of(resource, number);
  return name.empty() || name == place ? '`' + place + '`' : '`' + name + "` (" + place + ')';
}

}  // namespace

std::optional<texel::Format> stencil_view(const ir::Resource& resource, const texel::Format& format, bool is_target) {
  constexpr std::pair<std::string_view, std::string_view> kStencils[] = {{"D24_UNORM_S8_UINT", "X24_TYPELESS_G8_UINT"},
                                                                         {"D32_FLOAT_S8X24_UINT", "X32_TYPELESS_G8X24_UINT"}};
  if (declares_integers(resource) != true) return std::nullopt;
  for (const auto& [both, alone] : kStencils) {
    std::optional<texel::Format> stencil = texel::find_format(alone);
    if (!stencil || (format != *stencil && (!is_target || format != texel::find_format(both)))) continue;
    if (resource.in_set) std::swap(stencil->components[0], stencil->components[1]);
    return stencil;
  }
  return std::nullopt;
}

void Bindings::check_numbers(const Value& given, const Binding& at, std::span<std::byte> memory) {
  const ir::Resource& resource = module_.resources[at.row];
  const Value::Member* const content = content_of(given);
  if (content == nullptr || (content->key != "values" && content->key != "csv") || given.find("format") != nullptr) return;
  if (std::ranges::all_of(memory, [](std::byte one) { return one == std::byte{}; })) return;
  const shader::Resource* const row = has_texels(resource) ? nullptr : row_of(resource);
  if (row == nullptr || row->buffer >= options_.reflection->buffers.size()) return;
  const TypeLayout layout(*options_.reflection, letter_of(resource.kind) == 'b' ? Packing::registers : Packing::tight);
  const std::size_t element = resource.stride == 0 ? memory.size() : std::min<std::size_t>(resource.stride, memory.size());
  bool has_numbers = false, has_floats = false;
  for (const shader::Variable& variable : options_.reflection->buffers[row->buffer].variables) {
    layout.each(variable.type, variable.offset, memory.first(element), [&](const TypeLayout::Component& one) {
      has_numbers = true;
      has_floats = has_floats || one.scalar.type == ir::Type::f32;
    });
  }
  if (has_numbers && !has_floats)
    number_mismatches_.push_back(
        shown(resource, at.index) + " has `" + content->key +
        "` without a format, which are stored as 32-bit floats, but the shader declares no 32-bit floats there: give the "
        "format of its numbers, such as R32_UINT, or `words`");
}

std::vector<std::string> Bindings::format_mismatches() const {
  std::vector<std::string> made = number_mismatches_;
  std::vector<Elements> accessed;  // looked for if a format does not fit
  for (std::size_t row = 0; row < module_.resources.size(); ++row) {
    const ir::Resource& resource = module_.resources[row];
    const auto integers = has_texels(resource) && !resource.heap ? declares_integers(resource) : std::nullopt;
    if (!integers) continue;
    for (std::size_t index = 0; index < resources_.rows[row].size(); ++index) {
      const texel::Descriptor& view = resources_.rows[row][index];
      const auto number = static_cast<std::uint32_t>(index);
      if (view.format.bytes() == 0 || view.bytes.empty() || view.format.is_integer() == *integers) continue;
      if (accessed.empty()) accessed = elements_of(module_);
      if (!accessed[row].any && !std::ranges::binary_search(accessed[row].known, number)) continue;
      const std::string_view format = texel::format_name(texel::format_number(view.format));
      std::string message = shown(resource, number);
      message +=
          format.empty() ? " has a format of " + std::string(*integers ? "floats" : "integers") : " has the format " + std::string(format);
      message += ", but the shader declares texels of type " + std::string(id(resource.return_type)) + ": the bits are not converted";
      made.push_back(std::move(message));
    }
  }
  return made;
}

}  // namespace unshade::run
