#include "khronos/newer.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <spirv-tools/libspirv.hpp>

#include <unshade/core/text.hpp>
#include <unshade/spirv/listing.hpp>

namespace unshade::khronos {

namespace {

/// Instructions that are named.
constexpr std::size_t kMostNamed = 8;
/// Parses of a module, each of which finds one instruction that is newer by an operand.
constexpr unsigned kMostParses = 64;

struct DestroyContext {
  void operator()(spv_context context) const { spvContextDestroy(context); }
};
using Context = std::unique_ptr<spv_context_t, DestroyContext>;

spv_result_t count_instruction(void* count, const spv_parsed_instruction_t*) {
  ++*static_cast<std::size_t*>(count);
  return SPV_SUCCESS;
}
spv_result_t take_header(void*, spv_endianness_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t) {
  return SPV_SUCCESS;
}

/// Instructions that the library's parser takes before it refuses one; nothing if it takes all, or refuses the header.
std::optional<std::size_t> refused_place(const Context& context, const std::vector<std::uint32_t>& words) {
  std::size_t count = 0;
  spv_diagnostic message = nullptr;
  const spv_result_t result = spvBinaryParse(context.get(), &count, words.data(), words.size(), take_header, count_instruction, &message);
  const bool in_header = message != nullptr && count == 0 && message->position.index == 0;
  spvDiagnosticDestroy(message);
  if (result == SPV_SUCCESS || in_header) return std::nullopt;
  return count;
}

bool knows_opcode(std::uint32_t opcode) { return std::string_view(spvOpcodeString(opcode)) != "unknown"; }

/// Whether the validator warns of a module that declares an extension and has nothing else. It is valid all the same; of one that the
/// library knows and that needs another version it is not.
bool knows_extension(const spirv::Instruction& extension) {
  std::vector<std::uint32_t> words{spirv::kMagic, 0x0001'0500, 0, 1, 0};
  const auto put = [&](spirv::Opcode opcode, std::initializer_list<std::uint32_t> operands) {
    words.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 | static_cast<std::uint32_t>(opcode));
    words.insert(words.end(), operands);
  };
  put(spirv::Opcode::capability, {static_cast<std::uint32_t>(spirv::Capability::shader)});
  put(spirv::Opcode::capability, {static_cast<std::uint32_t>(spirv::Capability::linkage)});
  for (std::uint32_t i = 0; i < extension.word_count(); ++i) words.push_back(extension.word(i));
  put(spirv::Opcode::memory_model, {0, 1});
  bool warns = false;
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_5);
  tools.SetMessageConsumer(
      [&](spv_message_level_t level, const char*, const spv_position_t&, const char*) { warns |= level == SPV_MSG_WARNING; });
  return !tools.Validate(words.data(), words.size()) || !warns;
}

class Reader {
 public:
  Reader(const spirv::Module& module, spv_target_env environment)
      : module_(module), ids_(module), context_(spvContextCreate(environment)) {}

  Known read() {
    std::uint32_t index = 0;
    spv_target_env environment = SPV_ENV_UNIVERSAL_1_0;
    const spirv::Header& header = module_.header();
    const std::string version = std::to_string(header.major()) + '.' + std::to_string(header.minor());
    if (header.version <= spirv::kNewestVersion && !spvParseTargetEnv(("spv" + version).c_str(), &environment))
      name("SPIR-V " + version, 0);
    for (const spirv::Instruction instruction : module_) {
      instructions_.push_back(instruction);
      if (is_newer(instruction, index)) leave_out(index);
      ++index;
    }
    left_out_.resize(instructions_.size());
    for (unsigned parse = 0; parse < kMostParses; ++parse) {
      write();
      const auto place = refused_place(context_, known_.words);
      if (!place || *place >= places_.size() || !mend(places_[*place])) break;
    }
    std::ranges::sort(names_, {}, &Name::index);
    for (Name& one : names_) known_.newer.push_back(std::move(one.text));
    return std::move(known_);
  }

 private:
  /// An opcode that the grammar has and the library does not, or an extension.
  bool is_newer(const spirv::Instruction& instruction, std::uint32_t index) {
    const spirv::OpcodeInfo* const info = instruction.info();
    if (info == nullptr) return false;
    if (instruction.opcode() == spirv::Opcode::extension) {
      const std::string name = spirv::literal_string(instruction, 1);
      if (!spirv::is_extension(name) || knows_extension(instruction)) return false;
      if (std::ranges::find(known_.extensions, name) == known_.extensions.end()) known_.extensions.push_back(name);
      note(index);
      return true;
    }
    if (knows_opcode(static_cast<std::uint32_t>(instruction.opcode()))) return false;
    if (spirv::decode_operands(instruction, ids_, operands_) != spirv::Decoded::whole) return false;
    name("Op" + std::string(info->text), index);
    return true;
  }

  void leave_out(std::uint32_t index) {
    left_out_.resize(instructions_.size());
    left_out_[index] = true;
    const spirv::OpcodeInfo* const info = instructions_[index].info();
    if (info != nullptr && info->has_result) gone_ids_.insert(instructions_[index].word(info->has_type ? 2 : 1));
  }

  /// Makes the module one that the library gets further in; false if what it refuses is not newer.
  bool mend(std::uint32_t index) {
    const spirv::Instruction& instruction = instructions_[index];
    const spirv::OpcodeInfo* const info = instruction.info();
    if (info == nullptr) return false;
    // a set that is not registered is none that is newer
    if (info->opcode == spirv::Opcode::ext_inst_import &&
        spirv::find_set(spirv::literal_string(instruction, 2)) == spirv::ExtendedSet::none)
      return false;
    const spirv::Decoded decoded = spirv::decode_operands(instruction, ids_, operands_);
    const bool is_debug =
        info->group == spirv::OpcodeGroup::debug || (spirv::is_extended(info->opcode) && spirv::is_debug(ids_.set(instruction.word(3))));
    if (is_debug && !plain_debug_.contains(index)) return plain_debug_.insert(index), true;
    if (decoded != spirv::Decoded::whole) return false;
    // What has a type that was left out is refused for that.
    if (!info->has_type || !gone_ids_.contains(instruction.word(1))) {
      Text text;
      spirv::list_instruction(instruction, ids_, text);
      name(text.str(), index);
    }
    leave_out(index);
    return true;
  }

  void note(std::uint32_t index) { known_.first_newer = std::min(known_.first_newer, index); }
  void name(std::string text, std::uint32_t index) {
    note(index);
    if (std::ranges::find(names_, text, &Name::text) != names_.end()) return;
    if (names_.size() == kMostNamed) {
      ++known_.more;
    } else {
      names_.push_back({index, std::move(text)});
    }
  }

  void write() {
    const spirv::Header& header = module_.header();
    known_.words = {spirv::kMagic, header.version, header.generator, header.bound, header.schema};
    known_.first_words.clear();
    places_.clear();
    for (std::uint32_t index = 0; index < instructions_.size(); ++index) {
      if (left_out_[index]) continue;
      const spirv::Instruction& instruction = instructions_[index];
      known_.first_words.push_back(instruction.first_word());
      places_.push_back(index);
      const std::size_t at = known_.words.size();
      for (std::uint32_t i = 0; i < instruction.word_count(); ++i) known_.words.push_back(instruction.word(i));
      if (!plain_debug_.contains(index)) continue;
      // what is not decoded begins with an enumerant that the grammar does not know either
      bool is_first = true;
      spirv::decode_operands(instruction, ids_, operands_);
      for (const spirv::Operand& operand : operands_) {
        const bool is_unknown = operand.kind == spirv::OperandKind::unknown;
        if (spirv::is_enumeration(operand.kind) || (is_unknown && is_first)) known_.words[at + operand.word] = 0;
        is_first = is_first && !is_unknown;
      }
    }
  }

  const spirv::Module& module_;
  const spirv::IdTable ids_;
  Context context_;
  Known known_;
  struct Name {
    std::uint32_t index = 0;
    std::string text;
  };
  std::vector<Name> names_;
  std::vector<spirv::Instruction> instructions_;
  std::vector<bool> left_out_;
  std::vector<std::uint32_t> places_;  // of instructions in `known_.words`, among all
  std::unordered_set<std::uint32_t> gone_ids_;
  std::unordered_set<std::uint32_t> plain_debug_;  // places of debug instructions whose enumerants are 0
  std::vector<spirv::Operand> operands_;
};

}  // namespace

std::string tools_version() {
  std::string_view text = spvSoftwareVersionString();
  if (text.starts_with('v')) text.remove_prefix(1);
  return std::string(text.substr(0, text.find(' ')));
}

Known known_part(const spirv::Module& module, spv_target_env environment) { return Reader(module, environment).read(); }

}  // namespace unshade::khronos
