// NonSemantic.DebugPrintf. The registry leaves it to the API what a format means: <unshade/ir/message.hpp> has Vulkan's.
#include <algorithm>
#include <optional>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/ir/message.hpp>

#include "ir/spirv/function.hpp"

namespace unshade::ir::lower_spirv {

const std::string* FunctionLowering::text_of(std::uint32_t id) {
  if (const auto known = texts_.find(id); known != texts_.end()) return &known->second;
  const auto definition = context_.ids.definition(id);
  if (!definition || definition->opcode() != spirv::Opcode::string) return nullptr;
  std::string buffer;
  const std::string_view text = spirv::literal_string(*definition, 2, buffer);
  return &texts_.emplace(id, text.substr(0, limits::kMessageCharacters + 1)).first->second;
}

std::vector<Type> FunctionLowering::shown_types(std::uint32_t id) const {
  const std::uint32_t place = type_of(id);
  const spirv::Type* const type = context_.interface.type(place);
  std::vector<Type> types;
  if (type == nullptr || (type->kind != TypeKind::vector && !context_.scalar(place))) return types;
  // kNone is more than that too
  if (!is_device_address(place) && context_.count(place) > FormatPart::kMostComponents) return types;
  context_.flatten(place, types);
  if (std::ranges::find(types, Type::handle) != types.end()) types.clear();
  return types;
}

FunctionLowering::PrintedMessage FunctionLowering::message_of(const Instruction& i) {
  PrintedMessage made{kNone, {}};
  const std::string* const format = text_of(i.operand(2));
  if (format == nullptr) return made;  // there is nothing to show
  FormatWriter text;
  std::vector<Type> types;
  std::size_t next = 3;
  FormatParts parts(*format);
  while (const auto part = parts.next()) {
    if (part->conversion == 0 || next >= i.operands.size()) {
      text.add_text(part->text);
      continue;
    }
    const std::uint32_t id = i.operands[next++];
    if (part->conversion == 's') {
      const std::string* const argument = text_of(id);
      const std::string shown = argument == nullptr
                                    ? std::string(part->text)
                                    : argument->substr(0, part->precision ? std::size_t{*part->precision} : std::string::npos);
      const std::size_t missing = argument != nullptr && part->width > shown.size() ? part->width - shown.size() : 0;
      if (!part->left) text.add_text(std::string(missing, ' '));
      text.add_text(shown);
      if (part->left) text.add_text(std::string(missing, ' '));
      continue;
    }
    const std::vector<Type> own = shown_types(id);
    if (own.empty()) {
      text.add_text(part->text);
      continue;
    }
    if (bit_width(own[0]) == 64) parts.skip_long();
    if (!text.add_conversion(*part, own.size())) break;
    types.insert(types.end(), own.begin(), own.end());
    made.shown.push_back(id);
  }
  made.number = messages_.add({MessageKind::printf, text.take(), std::move(types)}, made.shown);
  return made;
}

void FunctionLowering::print(const Instruction& i) {
  const auto [found, is_new] = printed_.try_emplace(current_offset_);
  if (is_new) found->second = message_of(i);
  const PrintedMessage& message = found->second;
  if (message.number == kNone) return;
  std::vector<Id> values;
  for (const std::uint32_t id : message.shown) {
    const Pieces shown = pieces(id);
    if (error_) return;
    values.insert(values.end(), shown.begin(), shown.end());
  }
  builder_.inst(Op::print, Type::void_, values, {.extra = message.number});
}

}  // namespace unshade::ir::lower_spirv
