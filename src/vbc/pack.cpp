#include <unshade/vbc/pack.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <unshade/core/text.hpp>

#include "vbc/code.hpp"
#include "vbc/stage_facts.hpp"

namespace unshade::vbc {

namespace {

std::string place(const char* table, std::size_t index) { return std::string(table) + '[' + std::to_string(index) + ']'; }

Error contradiction(std::string path, std::string message) { return {ErrorCode::bad_value, 0, std::move(path), std::move(message)}; }

bool same_member(const Member& a, const Member& b) {
  return a.offset == b.offset && a.type == b.type && a.components == b.components && a.columns == b.columns && a.array_size == b.array_size;
}

/// A binding without its stages.
bool same_resource(Binding a, const Binding& b) {
  a.stages = b.stages;
  return a == b;
}

std::string shown_type(BaseType type) {
  const std::string_view name = id(type);
  return name.empty() ? "unknown(" + std::to_string(static_cast<unsigned>(type)) + ')' : std::string(name);
}

/// `float, 4 components, 1 column, 1 element`
std::string shown_shape(const Variable& v) {
  const auto counted = [](unsigned count, const char* what) { return ", " + std::to_string(count) + ' ' + what + (count == 1 ? "" : "s"); };
  return shown_type(v.type) + counted(v.components, "component") + counted(v.columns, "column") + counted(v.array_size, "element");
}

/// `image of rank 2d, 4 components of unorm, 1 byte each`
std::string shown_resource(const Binding& b) {
  if (b.struct_bytes != 0) return shown_type(b.type) + " of structs of " + std::to_string(b.struct_bytes) + " bytes";
  return shown_type(b.type) + " of rank " + std::string(id(b.rank)) + ", " + std::to_string(b.components) + " components of " +
         std::string(id(b.texel)) + ", bytes of each: " + std::to_string(b.component_bytes);
}

class Packer {
 public:
  explicit Packer(const PackOptions& options) : options_(options) {}

  Result<File> run(std::span<const View> modules) {
    for (std::size_t i = 0; i < modules.size(); ++i) {
      auto found = stage_module(modules[i]);
      if (!found) return std::move(found).error().within(place("stages", i));
      auto& code = file_.code(found->stage);
      if (!code.empty()) return contradiction(place("stages", i), "a second module for the " + std::string(id(found->stage)) + " stage");
      code.assign(modules[i].bytes().begin(), modules[i].bytes().end());
      facts_.push_back(stage_facts(found->stage, found->module));
    }
    std::sort(facts_.begin(), facts_.end(), [](const StageFacts& a, const StageFacts& b) { return a.stage < b.stage; });
    for (const auto step : {&Packer::tables, &Packer::values, &Packer::bindings, &Packer::uniform, &Packer::subpass_inputs})
      if (auto done = (this->*step)(); !done) return std::move(done).error();
    return std::move(file_);
  }

 private:
  Result<void> tables() {
    std::array<std::optional<std::uint32_t>, kTables> lengths;
    for (const StageFacts& f : facts_) {
      for (const DescriptorTable& t : f.tables) {
        const std::string path = "table_sizes/" + std::string(kTableInfos[t.binding].name);
        if (!t.length || *t.length > 0xffff)
          return contradiction(path, "the " + std::string(id(f.stage)) + " stage has no array of at most 65535 descriptors in this table");
        if (lengths[t.binding].value_or(*t.length) != *t.length)
          return contradiction(path, "the array has " + std::to_string(*t.length) + " elements in the " + std::string(id(f.stage)) +
                                         " stage, but " + std::to_string(*lengths[t.binding]) + " in a stage before");
        lengths[t.binding] = *t.length;
      }
    }
    if (options_.tables) file_.tables = *options_.tables;
    for (std::uint32_t t = 0; t < kTables; ++t) {
      std::uint16_t& size = file_.tables.*kTableInfos[t].size;
      if (!lengths[t]) continue;
      if (options_.tables && size != *lengths[t])
        return contradiction("table_sizes/" + std::string(kTableInfos[t].name), "the SPIR-V has " + std::to_string(*lengths[t]));
      size = static_cast<std::uint16_t>(*lengths[t]);
    }
    return {};
  }

  Result<void> values() {
    for (const StageFacts& f : facts_) {
      if (f.stage == Stage::vertex)
        if (auto done = values(f.inputs, options_.inputs, "inputs", file_.inputs); !done) return done;
      if (f.stage == Stage::fragment)
        if (auto done = values(f.outputs, options_.outputs, "outputs", file_.outputs); !done) return done;
    }
    return {};
  }

  /// In the order of locations: the format's compiler takes declarations in no other.
  static Result<void> values(const std::vector<Located>& found, const std::vector<Variable>& given, const char* table,
                             std::vector<Variable>& out) {
    out = given;
    std::array<const Variable*, 256> by_location{};
    for (const Variable& v : given) by_location[v.location] = &v;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!found[i].is_understood) return contradiction(place(table, i), "a type that a record cannot represent");
      const Variable& shape = found[i].shape;
      if (const Variable* same = by_location[shape.location]; same == nullptr) {
        out.push_back(shape);
      } else if (*same != shape) {
        return contradiction(place(table, static_cast<std::size_t>(same - given.data())),
                             "the type is " + shown_shape(*same) + ", but " + shown_shape(shape) + " in the SPIR-V at location " +
                                 std::to_string(shape.location));
      }
    }
    std::stable_sort(out.begin(), out.end(), [](const Variable& a, const Variable& b) { return a.location < b.location; });
    return {};
  }

  Result<void> bindings() {
    std::array<std::optional<Binding>, kSlots> by_slot;
    for (const StageFacts& f : facts_) {
      if (f.has_other_index && options_.bindings.empty()) {
        return Error{
            ErrorCode::missing, 0, "bindings",
            "the " + std::string(id(f.stage)) + " stage indexes a table with a value that is not a slot: the bindings must be given"};
      }
      for (const SlotUse& use : f.uses) {
        const DescriptorTable& table = f.tables[use.table];
        if (!table.shape)
          return contradiction("bindings", "slot " + std::to_string(use.slot) + ": a resource that a record cannot represent");
        Binding binding = *table.shape;
        binding.slot = use.slot;
        binding.stages = stage_bit(f.stage);
        auto& known = by_slot[use.slot];
        if (!known) {
          known = binding;
        } else if (!same_resource(*known, binding)) {
          return contradiction("bindings", "slot " + std::to_string(use.slot) + ": the " + std::string(id(f.stage)) + " stage uses " +
                                               shown_resource(binding) + ", a stage before " + shown_resource(*known));
        } else {
          known->stages = static_cast<std::uint16_t>(known->stages | binding.stages);
        }
      }
    }
    for (std::size_t i = 0; i < options_.bindings.size(); ++i) {
      Binding binding = options_.bindings[i];
      if (binding.slot < kSlots && by_slot[binding.slot]) {
        auto& known = by_slot[binding.slot];
        if (!same_resource(binding, *known))
          return contradiction(place("bindings", i), shown_resource(binding) + ", but the SPIR-V has " + shown_resource(*known) +
                                                         " in slot " + std::to_string(binding.slot));
        binding.stages = static_cast<std::uint16_t>(binding.stages | known->stages);
        known.reset();
      }
      file_.bindings.push_back(binding);
    }
    for (const auto& binding : by_slot)
      if (binding) file_.bindings.push_back(*binding);
    return {};
  }

  Result<void> uniform() {
    if (options_.uniform) file_.uniform = *options_.uniform;
    bool has_uniform = options_.uniform.has_value();
    for (const StageFacts& f : facts_) {
      if (!f.uniform) continue;
      if (f.uniform_fault)
        return contradiction(f.uniform_fault->path, "in the " + std::string(id(f.stage)) + " stage " + f.uniform_fault->message);
      if (f.uniform_shape->size > 0xffff)
        return contradiction("uniform", "a size of " + std::to_string(f.uniform_shape->size) + " bytes: the record has 16 bits for it");
      const Uniform& found = *f.uniform_shape;
      Uniform& u = file_.uniform;
      if (!has_uniform) {
        u = found;
        has_uniform = true;
      } else if (u.size != found.size || u.members.size() != found.members.size() ||
                 !std::equal(u.members.begin(), u.members.end(), found.members.begin(), same_member)) {
        return contradiction("uniform", "the " + std::string(id(f.stage)) + " stage has " + std::to_string(found.members.size()) +
                                            " members in " + std::to_string(found.size) + " bytes, expected " +
                                            std::to_string(u.members.size()) + " in " + std::to_string(u.size) +
                                            ", all of the same types at the same offsets");
      }
      for (std::size_t i = 0; i < u.members.size(); ++i)
        if (u.members[i].name.empty()) u.members[i].name = found.members[i].name;
      if (f.uniform_is_used) u.stages = static_cast<std::uint16_t>(u.stages | stage_bit(f.stage));
    }
    for (std::size_t i = 0; i < file_.uniform.members.size(); ++i)
      if (file_.uniform.members[i].name.size() > 0xff) return contradiction("uniform/" + place("members", i), "the name exceeds 255 bytes");
    return {};
  }

  Result<void> subpass_inputs() {
    file_.subpass_inputs = options_.subpass_inputs;
    std::vector<bool> known(file_.subpass_inputs.size(), true);
    for (const StageFacts& f : facts_) {
      for (const SubpassVariable& v : f.subpass_inputs) {
        const std::string path = place("subpass_inputs", v.index);
        if (!v.texel) return contradiction(path, "a type that a record cannot represent");
        if (v.index > 0xff) return Error{ErrorCode::limit, 0, path, "the index of a subpass input must be below 256"};
        if (v.index >= known.size()) {
          known.resize(v.index + 1);
          file_.subpass_inputs.resize(v.index + 1);
        }
        SubpassInput& record = file_.subpass_inputs[v.index];
        if (known[v.index] && record.texel != *v.texel)
          return contradiction(
              path, "the texel type is " + std::string(id(record.texel)) + ", but " + std::string(id(*v.texel)) + " in the SPIR-V");
        record.texel = *v.texel;
        known[v.index] = true;
      }
    }
    if (const auto gap = std::find(known.begin(), known.end(), false); gap != known.end()) {
      return Error{ErrorCode::missing, 0, place("subpass_inputs", static_cast<std::size_t>(gap - known.begin())),
                   "no stage declares it, although one declares a higher index: it must be given"};
    }
    return {};
  }

  const PackOptions& options_;
  File file_;
  std::vector<StageFacts> facts_;
};

}  // namespace

PackOptions options_like(File file) {
  PackOptions options;
  options.tables = file.tables;
  options.inputs = std::move(file.inputs);
  options.outputs = std::move(file.outputs);
  options.bindings = std::move(file.bindings);
  if (file.uniform.size != 0) options.uniform = std::move(file.uniform);
  options.subpass_inputs = std::move(file.subpass_inputs);
  for (SubpassInput& input : options.subpass_inputs) input.image.reset();
  return options;
}

Result<File> pack(std::span<const View> modules, const PackOptions& options) { return Packer(options).run(modules); }

}  // namespace unshade::vbc
