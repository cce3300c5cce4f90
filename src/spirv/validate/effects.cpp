// Instructions against effects.def: the execution models that reach them, what they access, their levels and scopes.
#include <bit>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <unshade/spirv/validate/check.hpp>

namespace unshade::spirv {

namespace {

class EffectsChecker {
 public:
  EffectsChecker(const Module& module, const IdTable& ids, Findings& findings) : module_(module), ids_(ids), findings_(findings) {}

  void check() {
    std::uint32_t index = 0;
    for (const Instruction instruction : module_) {
      place_ = {instruction, index++};
      if (const OpcodeInfo* const info = instruction.info()) visit(*info);
    }
    spread_models();
    for (const Function& function : functions_)
      for (const Need& need : function.needs) check_models(need, function.models);
  }

 private:
  struct Place {
    Instruction instruction;
    std::uint32_t index = 0;
  };
  /// Execution models of entry points, a bit each: with and without derivative groups.
  struct Models {
    std::uint32_t plain = 0;
    std::uint32_t grouped = 0;
  };
  /// An instruction that not all execution models have.
  struct Need {
    Place place;
    std::uint32_t models = 0;
  };
  struct Function {
    std::vector<Need> needs;
    std::vector<std::uint32_t> calls;  // ids
    Models models;                     // that reach it
  };
  struct Entry {
    std::uint32_t function = 0;  // id
    ExecutionModel model{};
  };

  void visit(const OpcodeInfo& info) {
    const Instruction& instruction = place_.instruction;
    const std::uint32_t words = instruction.word_count();
    switch (info.opcode) {
      case Opcode::entry_point:
        if (words > 2) entries_.push_back({instruction.word(2), static_cast<ExecutionModel>(instruction.word(1))});
        return;
      case Opcode::execution_mode:
        if (words > 2) execution_mode(instruction.word(1), static_cast<ExecutionMode>(instruction.word(2)));
        return;
      case Opcode::decorate:
        if (words > 2) decorate(instruction.word(1), static_cast<Decoration>(instruction.word(2)));
        return;
      case Opcode::function:
        if (words > 2) {
          places_.emplace(instruction.word(2), functions_.size());
          functions_.emplace_back();
        }
        return;
      default: break;
    }
    if (functions_.empty()) return;
    if (info.opcode == Opcode::function_call && words > 3) functions_.back().calls.push_back(instruction.word(3));
    std::uint32_t models = info.models;
    if (is_extended(info.opcode) && words > 4)
      if (const ExtendedInfo* const row = find_extended(ids_.set(instruction.word(3)), instruction.word(4))) models = row->models;
    if (models != models::every) functions_.back().needs.push_back({place_, models});
    if (info.access != Access::none) check_access(info);
    if (info.gradient != Gradient::none) check_level(info);
    if (info.cooperation != Cooperation::alone && info.cooperation != Cooperation::barrier) check_scope(info);
  }

  void execution_mode(std::uint32_t function, ExecutionMode mode) {
    if (mode == ExecutionMode::derivative_group_quads_nv || mode == ExecutionMode::derivative_group_linear_nv) grouped_.insert(function);
  }
  void decorate(std::uint32_t id, Decoration decoration) {
    if (decoration == Decoration::non_writable) non_writable_.insert(id);
    if (decoration == Decoration::non_readable) non_readable_.insert(id);
  }

  // --- execution models

  /// From entry points to all that they can call.
  void spread_models() {
    std::vector<std::size_t> changed;
    const auto reach = [&](std::uint32_t id, Models from) {
      const auto found = places_.find(id);
      if (found == places_.end()) return;
      Models& models = functions_[found->second].models;
      if ((from.plain & ~models.plain) == 0 && (from.grouped & ~models.grouped) == 0) return;
      models.plain |= from.plain;
      models.grouped |= from.grouped;
      changed.push_back(found->second);
    };
    for (const Entry& entry : entries_) {
      const std::uint32_t model = models::of(entry.model);
      const bool is_grouped = grouped_.contains(entry.function);
      reach(entry.function, {is_grouped ? 0 : model, is_grouped ? model : 0});
    }
    while (!changed.empty()) {
      const std::size_t from = changed.back();
      changed.pop_back();
      for (const std::uint32_t callee : functions_[from].calls) reach(callee, functions_[from].models);
    }
  }

  void check_models(const Need& need, Models reaching) {
    std::uint32_t wrong = reaching.plain & ~need.models;
    if ((need.models & models::in_derivative_groups) == 0) wrong |= reaching.grouped & ~need.models;
    if (wrong == 0) return;
    const ExecutionModel model = models::kAll[static_cast<std::size_t>(std::countr_zero(wrong))];
    const Enumerant* const row = find_enumerant(OperandKind::execution_model, static_cast<std::uint32_t>(model));
    place_ = need.place;
    add(rules::kExecutionModel, 0, "a " + std::string(row->text) + " entry point reaches it");
  }

  // --- access

  /// The variable that a pointer or image comes from; 0 if that is not known.
  std::uint32_t variable_of(std::uint32_t id) const {
    constexpr unsigned kSteps = 64;
    for (unsigned step = 0; step < kSteps; ++step) {
      const auto definition = ids_.definition(id);
      if (!definition) return 0;
      switch (definition->opcode()) {
        case Opcode::variable:
        case Opcode::untyped_variable_khr: return id;
        case Opcode::untyped_access_chain_khr:
        case Opcode::untyped_in_bounds_access_chain_khr:
        case Opcode::untyped_ptr_access_chain_khr:
        case Opcode::untyped_in_bounds_ptr_access_chain_khr:
        case Opcode::untyped_image_texel_pointer_ext:
          // after the type that the indexes are of
          if (definition->word_count() <= 4) return 0;
          id = definition->word(4);
          break;
        case Opcode::access_chain:
        case Opcode::in_bounds_access_chain:
        case Opcode::ptr_access_chain:
        case Opcode::in_bounds_ptr_access_chain:
        case Opcode::copy_object:
        case Opcode::image_texel_pointer:
        case Opcode::sampled_image:
        case Opcode::image:
          if (definition->word_count() <= 3) return 0;
          id = definition->word(3);
          break;
        case Opcode::load:
          if (definition->word_count() <= 3 || !is_image(definition->word(1))) return 0;  // a pointer may lead anywhere
          id = definition->word(3);
          break;
        default: return 0;
      }
    }
    return 0;
  }

  bool is_image(std::uint32_t type) const {
    const auto definition = ids_.definition(type);
    return definition && (definition->opcode() == Opcode::type_image || definition->opcode() == Opcode::type_sampled_image);
  }

  /// Whether a load takes the image itself, not what is in it.
  bool loads_image() const { return place_.instruction.opcode() == Opcode::load && is_image(place_.instruction.word(1)); }

  void check_access(const OpcodeInfo& info) {
    const std::uint32_t first = info.first_operand();
    if (place_.instruction.word_count() <= first + (info.access == Access::copies ? 1U : 0U)) return;
    if ((non_writable_.empty() && non_readable_.empty()) || loads_image()) return;
    const bool writes = info.access != Access::reads;
    const bool reads = info.access != Access::writes;
    if (writes) check_variable(first, non_writable_, "writes", "NonWritable");
    if (reads) check_variable(info.access == Access::copies ? first + 1 : first, non_readable_, "reads", "NonReadable");
  }
  void check_variable(std::uint32_t word, const std::unordered_set<std::uint32_t>& forbidden, const char* verb, const char* decoration) {
    const std::uint32_t variable = variable_of(place_.instruction.word(word));
    if (variable != 0 && forbidden.contains(variable))
      add(rules::kAccess, word, std::string(verb) + " %" + std::to_string(variable) + ", which is " + decoration);
  }

  // --- levels and scopes

  /// The word of the first operand of a kind; 0 if the instruction does not have it. Operands before it are a word each.
  std::uint32_t word_of(const OpcodeInfo& info, OperandKind kind) const {
    for (std::uint32_t at = 0; at < info.operands.size(); ++at)
      if (info.operands[at].kind == kind) return at + 1 < place_.instruction.word_count() ? at + 1 : 0;
    return 0;
  }

  void check_level(const OpcodeInfo& info) {
    if (info.gradient == Gradient::derives) return;
    const std::uint32_t word = word_of(info, OperandKind::image_operands);
    const std::uint32_t mask = word != 0 ? place_.instruction.word(word) : 0;
    const auto has = [mask](ImageOperands bit) { return (mask & static_cast<std::uint32_t>(bit)) != 0; };
    const bool is_given = has(ImageOperands::lod) || has(ImageOperands::grad);
    if (info.gradient == Gradient::implicit) {
      if (is_given) add(rules::kImageOperands, word, "Lod or Grad, but the level is implicit");
      return;
    }
    if (!is_given) add(rules::kImageOperands, word, "neither Lod nor Grad");
    if (has(ImageOperands::bias)) add(rules::kImageOperands, word, "Bias, but the level is explicit");
  }

  void check_scope(const OpcodeInfo& info) {
    const std::uint32_t word = word_of(info, OperandKind::id_scope);
    const auto constant = word != 0 ? ids_.definition(place_.instruction.word(word)) : std::nullopt;
    if (!constant || constant->opcode() != Opcode::constant || constant->word_count() <= 3) return;
    const auto scope = static_cast<Scope>(constant->word(3));
    if (scope == Scope::workgroup || scope == Scope::subgroup) return;
    const Enumerant* const row = find_enumerant(OperandKind::scope, constant->word(3));
    add(rules::kGroupScope, word, row != nullptr ? std::string(row->text) : "scope " + std::to_string(constant->word(3)));
  }

  void add(const Rule& rule, std::uint32_t word, std::string message) {
    findings_.add(rule, module_.file_offset(place_.instruction, word),
                  "instructions[" + std::to_string(place_.index) + "]/Op" + std::string(place_.instruction.info()->text),
                  std::move(message));
  }

  const Module& module_;
  const IdTable& ids_;
  Findings& findings_;
  Place place_;
  std::vector<Function> functions_;
  std::unordered_map<std::uint32_t, std::size_t> places_;  // of functions_, by id
  std::vector<Entry> entries_;
  std::unordered_set<std::uint32_t> grouped_;  // ids of entry points with derivative groups
  std::unordered_set<std::uint32_t> non_writable_, non_readable_;
};

}  // namespace

void check_effects(const Module& module, const IdTable& ids, Findings& findings) { EffectsChecker(module, ids, findings).check(); }

}  // namespace unshade::spirv
