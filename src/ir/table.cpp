// The rows of ops.def and builtins.def as tables, and the words of types.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

#include <unshade/ir/extra.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/ir/types.hpp>

namespace unshade::ir {
namespace {

constexpr std::string_view kTypeTexts[] = {"void", "b1", "i8", "i16", "i32", "i64", "f16", "f24", "f32", "f64", "handle"};
static_assert(std::size(kTypeTexts) == kTypes);

constexpr std::string_view kSpaceTexts[] = {"private", "group", "constant", "payload"};

constexpr std::string_view kImageFormatTexts[] = {
#define IR_IMAGE_FORMAT(id, text) text,
#include <unshade/ir/image_formats.def>
};

constexpr std::string_view kMessageKindTexts[] = {"printf", "errorf"};

constexpr BuiltinInfo kBuiltins[] = {
#define IR_BUILTIN(id, text, type, components) {text, Type::type, components},
#include <unshade/ir/builtins.def>
};
static_assert(std::size(kBuiltins) == kBuiltinCount);

constexpr bool well_formed(std::string_view letters, bool operands) {
  return std::ranges::all_of(
      letters, [&](char c) { return std::string_view("tbifhu?*").find(c) != std::string_view::npos || (operands && c == '^'); });
}

// Whether a result may be a float.
constexpr bool has_float_result(const OpInfo& row) {
  return row.results.find_first_of("fu") != std::string_view::npos ||
         (row.results.find('t') != std::string_view::npos && (row.types & kFloats) != 0);
}

// A row says each thing once and nothing that contradicts another column.
constexpr bool consistent(const OpInfo& row) {
  const bool has_type = row.results.find('t') != std::string_view::npos || row.operands.find('t') != std::string_view::npos;
  return has_type == (row.types != 0) && (row.from == 0 || row.operands.find('u') != std::string_view::npos) &&
         well_formed(row.results, false) && well_formed(row.operands, true) && !row.meaning.empty() &&
         (!has(row.effects, Effects::ends) || row.results.empty()) && (row.nan == Nan::none || has_float_result(row));
}
#define IR_OP(id, ...) static_assert(consistent(info(Op::id)), "row " #id " of ops.def contradicts itself");
#include <unshade/ir/ops.def>

}  // namespace

std::optional<Op> op_of(std::string_view text) {
  const auto found = std::ranges::find(kOpInfos, text, &OpInfo::text);
  if (found == std::end(kOpInfos)) return std::nullopt;
  return static_cast<Op>(found - std::begin(kOpInfos));
}

std::string_view text(Type type) {
  const auto at = static_cast<std::size_t>(type);
  return at < kTypes ? kTypeTexts[at] : std::string_view{};
}
std::optional<Type> type_of(std::string_view text) {
  const auto found = std::ranges::find(kTypeTexts, text);
  if (found == std::end(kTypeTexts)) return std::nullopt;
  return static_cast<Type>(found - std::begin(kTypeTexts));
}

std::string_view text(Space space) {
  const auto at = static_cast<std::size_t>(space);
  return at < std::size(kSpaceTexts) ? kSpaceTexts[at] : std::string_view{};
}

std::string_view text(MessageKind kind) {
  const auto at = static_cast<std::size_t>(kind);
  return at < std::size(kMessageKindTexts) ? kMessageKindTexts[at] : std::string_view{};
}

const BuiltinInfo& info(Builtin builtin) { return kBuiltins[static_cast<std::size_t>(builtin)]; }
std::optional<Builtin> builtin_of(std::string_view text) {
  const auto found = std::ranges::find(kBuiltins, text, &BuiltinInfo::text);
  if (found == std::end(kBuiltins)) return std::nullopt;
  return static_cast<Builtin>(found - std::begin(kBuiltins));
}

unsigned TextureExtra::dimension_count() const {
  using dxcontainer::ResourceDimension;
  switch (dimension) {
    case ResourceDimension::texture2d:
    case ResourceDimension::texture2d_array:
    case ResourceDimension::texture2d_ms:
    case ResourceDimension::texture2d_ms_array: return 2;
    case ResourceDimension::texture3d:
    case ResourceDimension::texture_cube:
    case ResourceDimension::texture_cube_array: return 3;
    default: return 1;
  }
}

std::string_view text(ImageFormat format) {
  const auto at = static_cast<std::size_t>(format);
  return at < std::size(kImageFormatTexts) ? kImageFormatTexts[at] : std::string_view{};
}

bool TextureExtra::is_array() const { return dxcontainer::is_array(dimension); }

}  // namespace unshade::ir
