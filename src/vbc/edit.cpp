#include <unshade/vbc/edit.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string>
#include <utility>

#include <unshade/spirv/edit.hpp>
#include <unshade/spirv/module.hpp>

#include "vbc/code.hpp"
#include "vbc/edit_slots.hpp"
#include "vbc/file_layout.hpp"
#include "vbc/stage_facts.hpp"

namespace unshade::vbc {

namespace {

using spirv::Opcode;

using Stages = std::array<std::vector<std::byte>, kStages>;

void append(std::vector<std::byte>& out, const spirv::Instruction& i) {
  out.insert(out.end(), i.data(), i.data() + std::size_t{4} * i.word_count());
}

/// An array type that gets another length.
struct Resized {
  std::uint32_t array = 0;  // id
  std::uint32_t size = 0;
  bool changes = false;
};

constexpr std::uint32_t kArrayLengthWord = 3;
constexpr std::uint32_t kConstantWords = 4;

class Resizer {
 public:
  Resizer(const spirv::Module& module, Stage stage) : module_(module), facts_(stage_facts(stage, module)) {}

  Result<std::vector<std::byte>> run(const TableSizes& sizes) {
    for (const DescriptorTable& t : facts_.tables) {
      const std::uint32_t size = sizes.*kTableInfos[t.binding].size;
      const spirv::Variable& variable = facts_.interface.variables[t.variable];
      const spirv::Type* array = facts_.interface.type(variable.type);
      const std::string path = std::string(id(facts_.stage)) + "/%" + std::to_string(variable.id);
      if (array == nullptr || array->kind != spirv::TypeKind::array)
        return Error{ErrorCode::bad_value, 0, path, "the table is not an array"};
      resized_.push_back({array->id, size, array->count != size});
    }
    std::sort(resized_.begin(), resized_.end(), [](const Resized& a, const Resized& b) { return a.array < b.array; });
    for (std::size_t i = 1; i < resized_.size(); ++i) {
      if (resized_[i].array == resized_[i - 1].array && resized_[i].size != resized_[i - 1].size) {
        return Error{ErrorCode::bad_value, 0, std::string(id(facts_.stage)) + "/%" + std::to_string(resized_[i].array),
                     "two tables of different sizes share an array type"};
      }
    }
    std::erase_if(resized_, [](const Resized& r) { return !r.changes; });
    if (resized_.empty()) {
      const auto bytes = module_.bytes().bytes();
      return std::vector<std::byte>(bytes.begin(), bytes.end());
    }
    return rewrite();
  }

 private:
  Result<std::vector<std::byte>> rewrite() {
    std::vector<std::byte> out;
    const auto header = module_.bytes().clamped(0, spirv::kHeaderBytes).bytes();
    out.assign(header.begin(), header.end());
    std::uint32_t bound = module_.header().bound;
    for (const spirv::Instruction i : module_) {
      note_constant(i);
      const Resized* resized = i.opcode() == Opcode::type_array ? find(i.word(1)) : nullptr;
      if (resized == nullptr) {
        append(out, i);
        continue;
      }
      const std::uint32_t type = length_type(i.word(kArrayLengthWord));
      if (type == 0 || bound == 0xffff'ffff)
        return Error{ErrorCode::bad_value, 0, std::string(id(facts_.stage)), "the length of a table is not a 32-bit constant"};
      const auto [length, is_new] = lengths_.try_emplace({type, resized->size}, bound);
      if (is_new) {
        // the constant in use may be that of other things too: a new one, before the first type that needs it
        put_word(out, kConstantWords << 16 | static_cast<std::uint32_t>(Opcode::constant));
        put_word(out, type);
        put_word(out, bound++);
        put_word(out, resized->size);
      }
      const std::size_t at = out.size();
      append(out, i);
      set_word(out, at + std::size_t{4} * kArrayLengthWord, length->second);
    }
    set_word(out, 4 * spirv::kBoundWord, bound);
    return out;
  }

  /// Of an array's length: an integer of 32 bits, or 0.
  std::uint32_t length_type(std::uint32_t id) const {
    const std::uint32_t place = facts_.interface.find_constant(id);
    if (place == spirv::kNone) return 0;
    const spirv::Type* type = facts_.interface.type(facts_.interface.constants[place].type);
    return type != nullptr && type->kind == spirv::TypeKind::integer && type->width == 32 ? type->id : 0;
  }

  const Resized* find(std::uint32_t array) const {
    const auto found =
        std::lower_bound(resized_.begin(), resized_.end(), array, [](const Resized& r, std::uint32_t id) { return r.array < id; });
    return found != resized_.end() && found->array == array ? &*found : nullptr;
  }

  /// Plain constants that must precede the next thing to be written.
  void note_constant(const spirv::Instruction& i) {
    if (i.opcode() == Opcode::constant && i.word_count() == kConstantWords) lengths_.try_emplace({i.word(1), i.word(3)}, i.word(2));
  }

  const spirv::Module& module_;
  StageFacts facts_;
  std::vector<Resized> resized_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> lengths_;  // ids of constants, by type and value
};

/// Each stage that there is, made new; all or none.
template <class Make>
Result<Stages> all_stages(const File& file, Make&& make) {
  Stages made;
  for (std::size_t i = 0; i < kStages; ++i) {
    if (file.stages[i].empty()) continue;
    auto module = module_of(file, i);
    if (!module) return std::move(module).error();
    Result<std::vector<std::byte>> code = make(static_cast<Stage>(i), *module);
    if (!code) return std::move(code).error();
    if (code->size() > file.stages[i].size() && code->size() / kWordBytes > File::kStageWords)
      return Error{ErrorCode::limit, 0, kStageFields[i], "the stage would exceed 65535 words"};
    made[i] = *std::move(code);
  }
  return made;
}

}  // namespace

Result<StageModule> stage_module(View code) {
  auto module = spirv::parse(code);
  if (!module) return std::move(module).error();
  if (module->is_big_endian())
    return Error{ErrorCode::unsupported, code.file_offset(), "magic", "the module is big-endian, expected little-endian"};
  if (module->word_count() > File::kStageWords) {
    return Error{ErrorCode::limit, code.file_offset(), "module",
                 std::to_string(module->word_count()) + " words; a stage must have at most 65535"};
  }
  const auto stage = stage_of(*module);
  if (!stage) return Error{ErrorCode::bad_value, code.file_offset(), "module", "the module has no entry point of a graphics stage"};
  return StageModule{*std::move(module), *stage};
}

Result<spirv::Module> module_of(const File& file, std::size_t stage) {
  auto module = spirv::parse(view_of(file.stages[stage]));
  if (!module) return std::move(module).error().within(kStageFields[stage]);
  return module;
}

Result<void> replace_stage(File& file, Stage stage, View spirv) {
  auto found = stage_module(spirv);
  if (!found) return std::move(found).error().within(id(stage));
  if (found->stage != stage)
    return Error{ErrorCode::bad_value, spirv.file_offset(), std::string(id(stage)),
                 "the module is of the " + std::string(id(found->stage)) + " stage"};
  file.code(stage).assign(spirv.bytes().begin(), spirv.bytes().end());
  return {};
}

Result<void> strip(File& file, const Strip& options) {
  auto stages =
      all_stages(file, [&](Stage, const spirv::Module& module) -> Result<std::vector<std::byte>> { return spirv::strip(module, options); });
  if (!stages) return std::move(stages).error();
  file.stages = *std::move(stages);
  if (options.names)
    for (Member& member : file.uniform.members) member.name.clear();
  return {};
}

Result<void> embed_sources(File& file, std::span<const spirv::SourceText> sources) {
  if (std::ranges::all_of(file.stages, [](const auto& code) { return code.empty(); }))
    return Error{ErrorCode::missing, 0, "stages", "the file has no SPIR-V"};
  auto stages = all_stages(file, [&](Stage, const spirv::Module& module) { return spirv::embed_sources(module, sources); });
  if (!stages) return std::move(stages).error();
  file.stages = *std::move(stages);
  return {};
}

Result<void> rebind(File& file, std::span<const Rebind> changes) {
  SlotMap slots{};
  for (unsigned i = 0; i < kSlots; ++i) slots[i] = static_cast<std::uint8_t>(i);
  const auto fault = [](ErrorCode code, std::uint32_t from, const char* message) {
    return Error{code, 0, "bindings", "slot " + std::to_string(from) + message};
  };
  for (const Rebind& change : changes)
    if (change.kind != 0 || change.from_space != 0 || change.to_space.value_or(0) != 0)
      return Error{ErrorCode::bad_value, 0, "bindings", "expected a slot number without a letter or set"};
  std::uint32_t met = 0;
  for (const Rebind& change : changes) {
    if (change.from >= kSlots || change.to >= kSlots)
      return fault(ErrorCode::bad_value, change.from, ": slots must be in the range 0 to 31");
    if (std::ranges::find(file.bindings, change.from, &Binding::slot) == file.bindings.end())
      return fault(ErrorCode::missing, change.from, " has no binding");
    if ((met >> change.from & 1) != 0) return fault(ErrorCode::bad_value, change.from, " is renumbered twice");
    met |= 1U << change.from;
    slots[change.from] = static_cast<std::uint8_t>(change.to);
  }
  std::uint32_t taken = 0;
  std::uint32_t highest = 0;
  std::vector<Binding> bindings = file.bindings;
  for (Binding& binding : bindings) {
    if (binding.slot >= kSlots) continue;
    const std::uint8_t to = slots[binding.slot];
    if (binding.slot != to && (taken >> to & 1) != 0)
      return fault(ErrorCode::bad_value, binding.slot, " would get the number of another slot");
    taken |= 1U << to;
    highest = std::max<std::uint32_t>(highest, to);
    binding.slot = to;
  }
  for (const Binding& binding : file.bindings)
    if (binding.slot < kSlots && slots[binding.slot] == binding.slot)
      for (const Rebind& change : changes)
        if (change.from != change.to && change.to == binding.slot)
          return fault(ErrorCode::bad_value, change.from, " would get the number of another slot");
  auto stages =
      all_stages(file, [&](Stage stage, const spirv::Module& module) { return move_slots(stage, module, slots, (highest + 2) / 2); });
  if (!stages) return std::move(stages).error();
  file.stages = *std::move(stages);
  file.bindings = std::move(bindings);
  return {};
}

Result<void> set_table_sizes(File& file, const TableSizes& sizes) {
  for (const TableInfo& info : kTableInfos)
    if (sizes.*info.size == 0)
      return Error{ErrorCode::bad_value, 0, "table_sizes/" + std::string(info.name), "a table must have at least one descriptor"};
  auto stages = all_stages(file, [&](Stage stage, const spirv::Module& module) { return Resizer(module, stage).run(sizes); });
  if (!stages) return std::move(stages).error();
  file.stages = *std::move(stages);
  file.tables = sizes;
  return {};
}

Result<void> parse_table_sizes(std::string_view text, TableSizes& sizes) {
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const auto equals = item.find('=');
    const auto* const table = std::ranges::find(kTableInfos, item.substr(0, equals), &TableInfo::name);
    if (table == std::end(kTableInfos) || equals == std::string_view::npos)
      return Error{ErrorCode::bad_value,
                   0,
                   {},
                   "expected samplers, images, buffers, ro_texels or rw_texels, =, and a number, found " + std::string(item)};
    const std::string_view number = item.substr(equals + 1);
    const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), sizes.*table->size);
    if (fault != std::errc{} || end != number.data() + number.size())
      return Error{ErrorCode::bad_value, 0, {}, "expected a number from 0 to 65535, found " + std::string(number)};
  }
  return {};
}

}  // namespace unshade::vbc
