#include "dxil/edit/numbering.hpp"

#include "dxil/module/record_operands.hpp"

namespace unshade::dxil::edit {

Numbering::Numbering(const ModuleEdit& edit, bool prunes_types) : module::Numbering(enumerate(edit), prunes_types), e_(edit) {}

module::Enumerated Numbering::enumerate(const ModuleEdit& edit) {
  const Module& m = edit.module_;
  module::Enumerated all{.module = m, .types = m.file_types};
  all.globals = edit.globals_;
  all.removed = edit.globals_removed_;
  all.named_removed = edit.named_removed_;
  all.keeps_uses = edit.keeps_uses_;
  for (const ModuleEdit::ConstantNode& node : edit.constants_) {
    const auto first = static_cast<std::uint32_t>(all.operands.size());
    const auto values = edit.pool(node.operands);
    module::for_each_constant_operand(node.code, values,
                                      [&](std::size_t i) { all.operands.push_back(static_cast<std::uint32_t>(values[i])); });
    all.constants.push_back({node.type, {first, static_cast<std::uint32_t>(all.operands.size()) - first}});
  }
  for (std::uint32_t index = 0; index < m.bodies.size(); ++index) {
    const dxil::Body& model = m.bodies[index];
    all.bodies.emplace_back();
    std::uint32_t attachment = model.attachments.first;
    all.add_attachments(model, kNone, attachment);
    std::uint32_t next = 0;
    for_records(edit.bodies_[index], [&](const Record& record, std::uint32_t place) {
      const bool has_model = record.instruction && place != kNone;
      const std::uint32_t current = has_model ? next++ : kNone;
      if (record.removed) return;
      add_record(all, edit, index, record);
      if (!has_model) return;
      const Instruction& instruction = m.instructions[model.instructions.first + current];
      all.add_label(instruction);
      all.add(Kind::type, instruction.type);
      while (attachment < model.attachments.end() && m.attachments[attachment].instruction < current) ++attachment;
      // Attachments come before the location, which is a record of its own.
      all.add_attachments(model, current, attachment);
    });
  }
  return all;
}

void Numbering::add_record(module::Enumerated& all, const ModuleEdit& edit, std::uint32_t body, const Record& record) {
  const Module& m = edit.module_;
  for_refs(edit, record, [&](RefKind kind, std::uint64_t of) {
    const auto id = static_cast<std::uint32_t>(of);
    if (kind == RefKind::metadata_or_null) {
      if (id != 0 && id <= edit.module_metadata_) all.add(Kind::metadata, id - 1);
    } else if (kind == RefKind::metadata) {
      if (id < edit.module_metadata_) all.add(Kind::metadata, id);
    } else if ((id & ModuleEdit::kLocal) == 0) {
      all.add(Kind::value, id);
    } else {
      const dxil::Body& model = m.bodies[body];
      std::uint32_t local = id & ~ModuleEdit::kLocal;
      if (local >= model.parameters) local += static_cast<std::uint32_t>(edit.bodies_[body].constants.size());
      if (local < model.values.count) all.add(Kind::type, m.local_values[model.values.first + local].type);
    }
  });
}

std::vector<Numbering::Handle> Numbering::enter_function(std::uint32_t index) {
  const ModuleEdit::Body& body = e_.bodies_[index];
  own_metadata_end_ = e_.module_metadata_ + e_.module_.bodies[index].metadata.count;
  const std::vector<Handle>& order = module::Numbering::enter_function(index);
  local_ids_.assign(body.locals, kNone);
  for (std::uint32_t i = 0; i < body.parameters; ++i) local_ids_[i] = module_values() + i;
  std::uint32_t next = module_values() + body.parameters + static_cast<std::uint32_t>(order.size());
  for_records(body, [&](const Record& record, std::uint32_t) {
    if (record.result != kNone && !record.removed) local_ids_[record.result & ~ModuleEdit::kLocal] = next++;
  });
  return order;
}

}  // namespace unshade::dxil::edit
