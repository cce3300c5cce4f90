#include <unshade/vbc/repair.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "vbc/code.hpp"
#include "vbc/file_layout.hpp"
#include "vbc/limits.hpp"
#include "vbc/stage_facts.hpp"

namespace unshade::vbc {

namespace {

std::string item(const char* table, std::size_t index) { return std::string(table) + '[' + std::to_string(index) + ']'; }

constexpr std::uint32_t kMostBytes = 0xffff;

class Repairer {
 public:
  explicit Repairer(const File& file) : repair_{file, {}}, file_(repair_.file) {
    for (std::size_t i = 0; i < kStages; ++i) {
      if (file_.stages[i].empty()) continue;
      if (const auto module = module_of(file_, i)) facts_.push_back(stage_facts(static_cast<Stage>(i), *module));
    }
    for (const StageFacts& f : facts_)
      for (const SlotUse& use : f.uses)
        if (slot_tables_[use.slot] == nullptr) slot_tables_[use.slot] = &f.tables[use.table];
  }

  Repair run() {
    if (file_.form.layout != Layout::current) upgrade();
    check_sizes();
    subpass();
    padding();
    if (!file_.trailing.empty()) {
      note("trailing", std::to_string(file_.trailing.size()) + " bytes after the last stage removed");
      file_.trailing.clear();
    }
    for (std::size_t i = 0; i < kStages; ++i)
      if (file_.stages[i].size() / kWordBytes > File::kStageWords)
        keep(kStageFields[i], std::to_string(file_.stages[i].size() / kWordBytes) + " words: the header allows at most 65535");
    return std::move(repair_);
  }

 private:
  void note(std::string path, std::string message) { repair_.notes.push_back({true, std::move(path), std::move(message)}); }
  void keep(std::string path, std::string message) { repair_.notes.push_back({false, std::move(path), std::move(message)}); }

  // --- older layouts -----------------------------------------------------------------------------------------------------------------
  void upgrade() {
    const LayoutTraits& t = traits(file_.form.layout);
    note("VBC", "written in the documented layout instead of `" + std::string(id(file_.form.layout)) + '`');
    if (!t.has_code) keep("VBC", "the file has no SPIR-V");
    if (t.old_numbers) {
      for (Variable& v : file_.inputs) one_column(v);
      for (Variable& v : file_.outputs) one_column(v);
      for (Member& m : file_.uniform.members) one_column(m);
      for (std::size_t i = 0; i < file_.bindings.size(); ++i) old_binding(file_.bindings[i], item("bindings", i));
    }
    if (!t.has_stage_masks) stage_masks();
    if (!t.typed_members) member_types();
    if (file_.uniform.size == 0) file_.uniform = {};
    file_.form.layout = Layout::current;
  }

  template <class Shape>
  static void one_column(Shape& s) {
    if (s.columns == 0) s.columns = 1;
  }

  /// The table that a slot indexes, in the first stage that does.
  const DescriptorTable* table_of_slot(unsigned slot) const { return slot < kSlots ? slot_tables_[slot] : nullptr; }

  /// Older writers left out constant fields of samplers and texels, the oldest one their type as well.
  void old_binding(Binding& b, std::string path) {
    if (b.type != BaseType::sampler && b.type != BaseType::ro_texels) return;
    if (b.component_bytes == 0) b.component_bytes = 4;
    if (b.components == 0) b.components = 4;
    if (b.type == BaseType::ro_texels) b.rank = Rank::buffer;
    if (!id(b.texel).empty()) return;
    const DescriptorTable* table = table_of_slot(b.slot);
    if (table != nullptr && table->shape && table->shape->type == b.type) {
      b.texel = table->shape->texel;
      note(std::move(path), "texel type taken from the SPIR-V");
    } else {
      b.texel = TexelType::real;
      keep(std::move(path), "texel type unknown: float assumed");
    }
  }

  void stage_masks() {
    for (std::size_t i = 0; i < file_.bindings.size(); ++i)
      for (const StageFacts& f : facts_)
        if (f.uses_slot(file_.bindings[i].slot))
          file_.bindings[i].stages = static_cast<std::uint16_t>(file_.bindings[i].stages | stage_bit(f.stage));
    for (const StageFacts& f : facts_)
      if (f.uniform_is_used) file_.uniform.stages = static_cast<std::uint16_t>(file_.uniform.stages | stage_bit(f.stage));
    note("VBC", "stage masks taken from the SPIR-V");
  }

  void member_types() {
    auto& members = file_.uniform.members;
    if (members.empty()) return;
    for (const StageFacts& f : facts_) {
      if (!f.uniform_shape || f.uniform_shape->members.size() != members.size()) continue;
      for (std::size_t i = 0; i < members.size(); ++i) {
        const Member& found = f.uniform_shape->members[i];
        members[i].type = found.type;
        members[i].components = found.components;
        members[i].columns = found.columns;
        members[i].array_size = found.array_size;
      }
      return note("uniform", "types of members taken from the SPIR-V");
    }
    keep("uniform", "the types of members are unknown");
  }

  // --- defects -----------------------------------------------------------------------------------------------------------------------
  /// Numbers that older layouts wrote in 32 bits.
  void check_sizes() {
    Uniform& u = file_.uniform;
    const bool is_wide =
        u.size > kMostBytes || std::any_of(u.members.begin(), u.members.end(), [](const Member& m) { return m.offset > kMostBytes; });
    if (is_wide) keep("uniform", "sizes and offsets above 65535 bytes are truncated");
    for (std::size_t i = 0; i < u.members.size(); ++i) {
      if (u.members[i].name.size() <= kMostNameBytes) continue;
      u.members[i].name.resize(kMostNameBytes);
      keep("uniform/" + item("members", i), "the name is truncated to 255 bytes");
    }
  }

  void subpass() {
    if (!file_.form.raw_subpass()) return;
    std::vector<bool> known(file_.subpass_inputs.size());
    for (const StageFacts& f : facts_)
      for (const SubpassVariable& v : f.subpass_inputs)
        if (v.index < known.size() && v.texel) known[v.index] = true;
    for (std::size_t i = 0; i < file_.subpass_inputs.size(); ++i) {
      SubpassInput& s = file_.subpass_inputs[i];
      const std::string name = s.image ? s.image->name() : std::string();
      const std::string what = "the copy of the compiler's memory replaced with a record" + (name.empty() ? "" : " (" + name + ")");
      if (known[i]) {
        note(item("subpass_inputs", i), what + ", texel type taken from the SPIR-V");
      } else {
        keep(item("subpass_inputs", i), what + "; texel type unknown");
      }
      s.image.reset();
      s.components = 4;
    }
    file_.form.subpass_bytes = Form::kSubpassBytes;
  }

  void padding() {
    bool is_set = false;
    const auto clear = [&](auto& bytes) {
      if (bytes == std::decay_t<decltype(bytes)>{}) return;
      bytes = {};
      is_set = true;
    };
    for (Variable& v : file_.inputs) clear(v.padding);
    for (Variable& v : file_.outputs) clear(v.padding);
    for (Binding& b : file_.bindings) clear(b.padding);
    for (SubpassInput& s : file_.subpass_inputs) clear(s.padding);
    if (is_set) note("VBC", "padding set to zero");
  }

  Repair repair_;
  File& file_;
  std::vector<StageFacts> facts_;
  std::array<const DescriptorTable*, kSlots> slot_tables_{};
};

}  // namespace

Repair repair(const File& file) { return Repairer(file).run(); }

}  // namespace unshade::vbc
