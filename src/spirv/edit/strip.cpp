#include <unshade/spirv/edit.hpp>

#include <algorithm>
#include <string>
#include <string_view>

#include <unshade/spirv/id_map.hpp>

#include "spirv/grammar/instruction_words.hpp"

namespace unshade::spirv {

namespace {

// Words of instructions that are looked at.
constexpr std::uint32_t kImportName = 2;
constexpr std::uint32_t kExtensionName = 1;
constexpr std::uint32_t kExtendedResult = 2;
constexpr std::uint32_t kExtendedSet = 3;

class Stripper {
 public:
  Stripper(const Module& module, const Strip& options) : module_(module), options_(options) {}

  std::vector<std::byte> run() {
    look();
    std::vector<std::byte> out;
    out.reserve(module_.bytes().size());
    const auto append = [&](const std::byte* from, std::size_t size) { out.insert(out.end(), from, from + size); };
    append(module_.bytes().data(), kHeaderBytes);
    for (const Instruction i : module_)
      if (!goes(i)) append(i.data(), std::size_t{4} * i.word_count());
    return out;
  }

 private:
  struct Id {
    ExtendedSet set = ExtendedSet::none;  // of an import
    bool is_gone = false;
    bool is_used = false;  // by an instruction of a set, which stays
  };

  /// Finds the ids that are removed together with their import.
  void look() {
    for (const Instruction i : module_) {
      switch (i.opcode()) {
        case Opcode::ext_inst_import: {
          Id& id = ids_[i.word(grammar::kTargetWord)];
          id.set = find_set(literal_string(i, kImportName, buffer_));
          id.is_gone = options_.reflection && is_non_semantic(id.set);
          break;
        }
        case Opcode::decorate_string:
        case Opcode::member_decorate_string:
          if (!is_of_hlsl(i)) has_other_texts_ = true;
          break;
        case Opcode::ext_inst:
        case Opcode::ext_inst_with_forward_refs_khr:
          if (goes_with_set(i)) {
            ids_[i.word(kExtendedResult)].is_gone = true;
          } else if (options_.debug) {
            for (std::uint32_t word = grammar::kExtendedOperandsWord; word < i.word_count(); ++word) ids_[i.word(word)].is_used = true;
          }
          break;
        default: break;
      }
    }
  }

  bool goes(const Instruction& i) const {
    switch (i.opcode()) {
      case Opcode::string: return options_.debug && !ids_.get(i.word(grammar::kTargetWord)).is_used;
      case Opcode::ext_inst:
      case Opcode::ext_inst_with_forward_refs_khr: return goes_with_set(i);
      case Opcode::ext_inst_import: return ids_.get(i.word(grammar::kTargetWord)).is_gone;
      case Opcode::extension: return options_.reflection && is_of_reflection(literal_string(i, kExtensionName));
      case Opcode::decorate:
      case Opcode::decorate_id:
      case Opcode::decorate_string:
      case Opcode::member_decorate:
      case Opcode::member_decorate_string: return ids_.get(i.word(grammar::kTargetWord)).is_gone || (options_.reflection && is_of_hlsl(i));
      case Opcode::name:
      case Opcode::member_name: return options_.debug || ids_.get(i.word(grammar::kTargetWord)).is_gone;
      default: return options_.debug && i.info() != nullptr && i.info()->group == OpcodeGroup::debug;
    }
  }

  bool goes_with_set(const Instruction& i) const {
    const ExtendedSet set = ids_.get(i.word(kExtendedSet)).set;
    return (options_.debug && is_debug_info(set)) || (options_.reflection && is_non_semantic(set));
  }

  /// Decorations with semantics and user types of HLSL.
  static bool is_of_hlsl(const Instruction& i) {
    const bool is_member = i.opcode() == Opcode::member_decorate_string;
    const auto decoration = static_cast<Decoration>(i.word(is_member ? 3 : 2));
    if (i.opcode() == Opcode::decorate_id) return decoration == Decoration::hlsl_counter_buffer_google;
    if (i.opcode() != Opcode::decorate_string && !is_member) return false;
    return decoration == Decoration::hlsl_semantic_google || decoration == Decoration::user_type_google;
  }

  bool is_of_reflection(std::string_view extension) const {
    if (extension == "SPV_GOOGLE_decorate_string") return !has_other_texts_;
    return extension == "SPV_GOOGLE_hlsl_functionality1" || extension == "SPV_GOOGLE_user_type" || extension == "SPV_KHR_non_semantic_info";
  }

  const Module& module_;
  const Strip& options_;
  IdMap<Id> ids_;
  bool has_other_texts_ = false;
  std::string buffer_;
};

}  // namespace

std::vector<std::byte> strip(const Module& module, const Strip& options) { return Stripper(module, options).run(); }

}  // namespace unshade::spirv
