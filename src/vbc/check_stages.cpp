// The tables against the SPIR-V: a use in a stage without a record is an error; a record without a use may have been
// optimised away, and is a note.
#include <algorithm>
#include <bitset>
#include <string>

#include <unshade/core/text.hpp>
#include <unshade/vbc/validate.hpp>

#include "vbc/checker.hpp"

namespace unshade::vbc {

namespace {

template <class Shape>
std::string type_text(const Shape& s) {
  Text text;
  print_type(text, s.type, s.components, s.columns, s.array_size);
  return text.str();
}

template <class A, class B>
bool same_shape(const A& a, const B& b) {
  return a.type == b.type && a.components == b.components && a.columns == b.columns && a.array_size == b.array_size;
}

std::string binding_text(const Binding& b) {
  Text text;
  text << id(b.type);
  if (is_buffer(b.type)) {
    (text << " of ").dec(b.struct_bytes) << " bytes";
  } else {
    text << ' ';
    print_enumerator(text, static_cast<std::uint32_t>(b.rank), rank_names());
    text << ' ';
    print_enumerator(text, static_cast<std::uint32_t>(b.texel), texel_type_names());
    (text << ' ').dec(b.components) << " of ";
    text.dec(b.component_bytes);
  }
  return text.str();
}

class StageChecker {
 public:
  StageChecker(const File& file, const std::vector<StageFacts>& facts, Findings& findings)
      : file_(file), facts_(facts), findings_(findings) {}

  void run() {
    for (const StageFacts& f : facts_) {
      check_entry(f);
      if (f.stage == Stage::vertex) {
        check_values(file_.inputs, f.inputs, f,
                     {"inputs", file_.places.inputs, &rules::kInputMismatch, &rules::kInputUndeclared, &rules::kInputUnused});
      }
      if (f.stage == Stage::fragment) {
        check_values(file_.outputs, f.outputs, f,
                     {"outputs", file_.places.outputs, &rules::kOutputMismatch, &rules::kOutputUndeclared, &rules::kOutputUnused});
        check_subpass(f);
      }
      check_tables_of(f);
      check_slots(f);
      check_push(f);
      check_uniform(f);
    }
    check_link();
  }

 private:
  std::uint64_t at(const StageFacts& f) const { return file_.places.stages[static_cast<std::size_t>(f.stage)]; }
  static std::string name(const StageFacts& f) { return std::string(id(f.stage)); }
  static std::string variable(const StageFacts& f, std::uint32_t v) {
    const spirv::Variable& found = f.interface.variables[v];
    return name(f) + "/%" + std::to_string(found.id) + (found.name.empty() ? "" : " " + found.name.substr(0, 64));
  }

  void check_entry(const StageFacts& f) {
    if (!f.has_entry) {
      findings_.add(rules::kEntryPoint, at(f), name(f), "no entry point with the stage's execution model");
    } else if (f.entry_name != "main") {
      Text text;
      print_quoted(text, std::string_view(f.entry_name).substr(0, 64));
      findings_.add(rules::kEntryPointName, at(f), name(f), text.str());
    }
  }

  struct ValueRules {
    const char* table;
    std::uint32_t place;
    const Rule* mismatch;
    const Rule* undeclared;
    const Rule* unused;
  };

  /// At first vectors had no columns.
  Variable as_now(Variable v) const {
    if (v.columns == 0 && traits(file_.form.layout).old_numbers) v.columns = 1;
    return v;
  }

  void check_values(const std::vector<Variable>& records, const std::vector<Located>& values, const StageFacts& f, const ValueRules& r) {
    std::array<const Variable*, 256> by_location{};
    for (const Variable& v : records)
      if (by_location[v.location] == nullptr) by_location[v.location] = &v;
    std::bitset<256> seen;
    for (const Located& value : values) {
      const Variable* record = by_location[value.shape.location];
      seen[value.shape.location] = true;
      if (record == nullptr) {
        findings_.add(*r.undeclared, at(f), variable(f, value.variable), "location " + std::to_string(value.shape.location));
      } else if (!value.is_understood || !same_shape(as_now(*record), value.shape)) {
        const auto index = static_cast<std::size_t>(record - records.data());
        findings_.add(*r.mismatch, record_offset(r.place, index, kVariableBytes), item(r.table, index),
                      type_text(*record) + "; in the SPIR-V " +
                          (value.is_understood ? type_text(value.shape) : "a type that a record cannot represent"));
      }
    }
    for (std::size_t i = 0; i < records.size(); ++i)
      if (!seen[records[i].location])
        findings_.add(*r.unused, record_offset(r.place, i, kVariableBytes), item(r.table, i),
                      "location " + std::to_string(records[i].location));
  }

  void check_subpass(const StageFacts& f) {
    std::vector<bool> seen(file_.subpass_inputs.size());
    for (const SubpassVariable& v : f.subpass_inputs) {
      if (v.index >= file_.subpass_inputs.size()) {
        findings_.add(rules::kSubpassUndeclared, at(f), variable(f, v.variable), "index " + std::to_string(v.index));
        continue;
      }
      seen[v.index] = true;
      const SubpassInput& record = file_.subpass_inputs[v.index];
      if (!record.image && v.texel != record.texel) {
        Text text;
        print_enumerator(text, static_cast<std::uint32_t>(record.texel), texel_type_names());
        findings_.add(rules::kSubpassMismatch, record_offset(file_.places.subpass_inputs, v.index, file_.form.subpass_bytes),
                      item("subpass_inputs", v.index), text.str() + "; in the SPIR-V " + std::string(v.texel ? id(*v.texel) : "another"));
      }
    }
    for (std::size_t i = 0; i < seen.size(); ++i)
      if (!seen[i])
        findings_.add(rules::kSubpassUnused, record_offset(file_.places.subpass_inputs, i, file_.form.subpass_bytes),
                      item("subpass_inputs", i), "no variable in the fragment stage");
  }

  void check_tables_of(const StageFacts& f) {
    for (const std::uint32_t v : f.strangers) {
      const spirv::Decorations& d = f.interface.of(f.interface.variables[v]);
      findings_.add(rules::kDescriptorSet, at(f), variable(f, v),
                    "set " + std::to_string(d.set.value_or(0)) + ", binding " + std::to_string(d.binding.value_or(0)));
    }
    for (const DescriptorTable& t : f.tables) {
      const TableInfo& info = kTableInfos[t.binding];
      if (!t.shape || table_of(t.shape->type) != t.binding || !t.length) {
        findings_.add(rules::kTableKind, at(f), variable(f, t.variable), "in the table of " + std::string(info.name));
      }
      const std::uint16_t size = file_.tables.*info.size;
      if (t.length && *t.length != size)
        findings_.add(rules::kTableLength, file_.places.table_sizes + 2 * t.binding, std::string("table_sizes/") + std::string(info.name),
                      std::to_string(size) + "; in the " + name(f) + " stage " + std::to_string(*t.length));
    }
  }

  void check_slots(const StageFacts& f) {
    const std::uint16_t bit = stage_bit(f.stage);
    std::array<const Binding*, kSlots> by_slot{};
    for (const Binding& b : file_.bindings)
      if (b.slot < kSlots && by_slot[b.slot] == nullptr) by_slot[b.slot] = &b;
    const bool has_masks = traits(file_.form.layout).has_stage_masks;
    unsigned last = kSlots;
    for (const SlotUse& use : f.uses) {
      const DescriptorTable& table = f.tables[use.table];
      const Binding* b = by_slot[use.slot];
      if (b == nullptr) {
        if (last != use.slot)
          findings_.add(rules::kBindingUndeclared, at(f), variable(f, table.variable), "slot " + std::to_string(use.slot));
      } else {
        const auto index = static_cast<std::size_t>(b - file_.bindings.data());
        const std::uint64_t offset = record_offset(file_.places.bindings, index, kBindingBytes);
        if (has_masks && (b->stages & bit) == 0 && last != use.slot)
          findings_.add(rules::kBindingStages, offset + 2, item("bindings", index), "used by the " + name(f) + " stage");
        compare(*b, table, f, offset, item("bindings", index));
      }
      last = use.slot;
    }
    if (f.has_other_index) return;
    for (std::size_t i = 0; i < file_.bindings.size(); ++i) {
      const Binding& b = file_.bindings[i];
      if ((b.stages & bit) != 0 && !f.uses_slot(b.slot))
        findings_.add(rules::kBindingUnused, record_offset(file_.places.bindings, i, kBindingBytes) + 2, item("bindings", i),
                      "not used by the " + name(f) + " stage");
    }
  }

  void compare(const Binding& record, const DescriptorTable& table, const StageFacts& f, std::uint64_t offset, std::string path) {
    if (!table.shape) return;  // vbc.table-kind
    Binding found = *table.shape;
    const std::string texts = binding_text(record) + "; in the " + name(f) + " stage " + binding_text(found);
    if (is_buffer(record.type) && is_buffer(found.type)) {
      if (record.type != found.type) findings_.add(rules::kBindingAccess, offset + 1, path, texts);
      if (record.struct_bytes != found.struct_bytes) findings_.add(rules::kBindingStride, offset + 4, std::move(path), texts);
      return;
    }
    const bool is_numbered = traits(file_.form.layout).old_numbers;  // those did not write all of the format
    const bool is_same =
        record.type == found.type &&
        (is_buffer(record.type) ||
         (record.rank == found.rank && (is_numbered || (record.texel == found.texel && record.component_bytes == found.component_bytes &&
                                                        record.components == found.components))));
    if (!is_same) findings_.add(rules::kBindingMismatch, offset, std::move(path), texts);
  }

  void check_push(const StageFacts& f) {
    unsigned highest = 0;
    for (const Binding& b : file_.bindings) highest = std::max<unsigned>(highest, b.slot);
    const bool has_use = std::any_of(f.tables.begin(), f.tables.end(), [](const DescriptorTable& t) { return t.is_used; });
    if (!f.push_words) {
      // an optimiser leaves the block if anything of it is used
      if (!f.uses.empty()) findings_.add(rules::kPushConstants, at(f), name(f), "no push constant block, but slots are used");
      return;
    }
    const unsigned wanted = (highest + 2) / 2;
    if (!f.push_is_uints) {
      findings_.add(rules::kPushConstants, at(f), name(f), "a push constant is not a 32-bit unsigned integer");
    } else if (*f.push_words != wanted && (has_use || !file_.bindings.empty())) {
      findings_.add(
          rules::kPushConstants, at(f), name(f),
          std::to_string(*f.push_words) + " integers; the highest slot, " + std::to_string(highest) + ", needs " + std::to_string(wanted));
    }
  }

  void check_uniform(const StageFacts& f) {
    const Uniform& u = file_.uniform;
    const std::uint16_t bit = stage_bit(f.stage);
    const std::uint64_t offset = file_.places.uniform;
    const bool has_masks = traits(file_.form.layout).has_stage_masks;
    if (!f.uniform) {
      if ((u.stages & bit) != 0 && u.size != 0)
        findings_.add(rules::kUniformUnused, offset, "uniform", "not used by the " + name(f) + " stage");
      return;
    }
    if (u.size == 0) {
      findings_.add(rules::kUniformUndeclared, offset, "uniform", "used by the " + name(f) + " stage");
      return;
    }
    if (has_masks && f.uniform_is_used && (u.stages & bit) == 0)
      findings_.add(rules::kUniformStages, offset, "uniform", "used by the " + name(f) + " stage");
    if (f.uniform_fault) {
      findings_.add(rules::kUniformMismatch, offset, f.uniform_fault->path, "in the " + name(f) + " stage " + f.uniform_fault->message);
      return;
    }
    const Uniform& found = *f.uniform_shape;
    if (found.size != u.size || found.members.size() != u.members.size()) {
      findings_.add(rules::kUniformMismatch, offset, "uniform",
                    std::to_string(u.members.size()) + " members, " + std::to_string(u.size) + " bytes; in the " + name(f) + " stage " +
                        std::to_string(found.members.size()) + " and " + std::to_string(found.size));
      return;
    }
    const bool is_typed = traits(file_.form.layout).typed_members;
    std::uint64_t where = file_.places.members;
    for (std::size_t i = 0; i < u.members.size(); ++i) {
      const Member& a = u.members[i];
      const Member& b = found.members[i];
      const std::string path = "uniform/" + item("members", i);
      if (a.offset != b.offset || (is_typed && !same_shape(a, b))) {
        findings_.add(rules::kUniformMismatch, where, path,
                      type_text(a) + " at " + std::to_string(a.offset) + "; in the " + name(f) + " stage " + type_text(b) + " at " +
                          std::to_string(b.offset));
      } else if (!b.name.empty() && a.name != b.name) {
        Text text;
        print_quoted(text, std::string_view(b.name).substr(0, 64));
        findings_.add(rules::kUniformNames, where, path, "in the " + name(f) + " stage " + text.str());
      }
      where += member_bytes(traits(file_.form.layout)) + a.name.size();
    }
  }

  /// Vertex outputs against fragment inputs; if stages lie between them, those change what arrives.
  void check_link() {
    const auto stage = [&](Stage wanted) -> const StageFacts* {
      for (const StageFacts& f : facts_)
        if (f.stage == wanted) return &f;
      return nullptr;
    };
    const StageFacts* const vertex = stage(Stage::vertex);
    const StageFacts* const fragment = stage(Stage::fragment);
    constexpr std::uint16_t kBoth = stage_bit(Stage::vertex) | stage_bit(Stage::fragment);
    if (vertex == nullptr || fragment == nullptr || file_.stage_mask() != kBoth) return;
    std::array<const Located*, 256> written{};
    for (const Located& value : vertex->outputs) {
      const unsigned count = std::max(1U, unsigned{value.shape.columns} * value.shape.array_size);
      for (unsigned i = 0; i < count && value.shape.location + i < written.size(); ++i) written[value.shape.location + i] = &value;
    }
    for (const Located& value : fragment->inputs) {
      const Located* const from = written[value.shape.location];
      if (from == nullptr) {
        findings_.add(rules::kStageLink, at(*fragment), variable(*fragment, value.variable),
                      "location " + std::to_string(value.shape.location) + " is not written");
      } else if (value.is_understood && from->is_understood && from->shape.location == value.shape.location &&
                 !same_shape(from->shape, value.shape)) {
        findings_.add(rules::kStageLink, at(*fragment), variable(*fragment, value.variable),
                      type_text(value.shape) + "; written as " + type_text(from->shape));
      }
    }
  }

  const File& file_;
  const std::vector<StageFacts>& facts_;
  Findings& findings_;
};

}  // namespace

void check_stages(const File& file, const std::vector<StageFacts>& facts, Findings& findings) { StageChecker(file, facts, findings).run(); }

}  // namespace unshade::vbc
