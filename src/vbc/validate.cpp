#include <unshade/vbc/validate.hpp>

#include <algorithm>
#include <array>
#include <bitset>
#include <string>
#include <utility>

#include <unshade/core/text.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/vbc/file.hpp>

#include "vbc/checker.hpp"
#include "vbc/limits.hpp"

namespace unshade::vbc {

namespace {

constexpr const Rule* kRules[] = {
#define UNSHADE_RULE(name, id, severity, summary) &rules::name,
#include <unshade/vbc/rules.def>
#undef UNSHADE_RULE
};

constexpr std::size_t kSubpassRecordBytes = 4;

/// Type, components, columns and array size of a value or member.
template <class Shape>
void check_shape(const Shape& s, std::uint64_t offset, const std::string& path, Findings& findings) {
  if (s.type == BaseType::boolean) {
    findings.add(rules::kBoolean, offset, path, "type boolean");
  } else if (s.type < BaseType::boolean || s.type > BaseType::real) {
    findings.add(rules::kValueType, offset, path, "type " + std::to_string(static_cast<unsigned>(s.type)));
  }
  const bool is_matrix = s.columns != 1;
  if (s.components < 1 || s.components > 4 || s.columns < 1 || s.columns > 4 ||
      (is_matrix && (s.type != BaseType::real || s.components < 2)))
    findings.add(rules::kDimensions, offset, path, std::to_string(s.components) + " components, " + std::to_string(s.columns) + " columns");
  if (s.array_size < 1 || s.array_size > kArrayElements)
    findings.add(rules::kArraySize, offset, path, std::to_string(s.array_size) + " elements");
}

class TableChecker {
 public:
  TableChecker(const File& file, Findings& findings) : file_(file), findings_(findings), present_(file.stage_mask()) {}

  void run() {
    check_form();
    check_variables(file_.inputs, "inputs", file_.places.inputs, kInputLocations);
    check_variables(file_.outputs, "outputs", file_.places.outputs, kOutputLocations);
    check_outputs();
    check_bindings();
    check_uniform();
    check_subpass_inputs();
  }

 private:
  void check_form() {
    const Places& p = file_.places;
    if (file_.form.layout != Layout::current) {
      findings_.add(
          rules::kLayout, 0, "VBC",
          "the layout `" + std::string(id(file_.form.layout)) + "`, used by the writer since " + std::string(since(file_.form.layout)));
    }
    if (!file_.subpass_inputs.empty() && file_.form.raw_subpass()) {
      std::string message = std::to_string(file_.form.subpass_bytes) + " bytes each";
      for (const SubpassInput& s : file_.subpass_inputs)
        if (s.image && !s.image->name().empty()) message += ", " + s.image->name();
      findings_.add(rules::kSubpassImage, p.subpass_inputs, "subpass_inputs", std::move(message));
    }
    for (std::size_t i = 0; i < kStages; ++i) {
      const std::size_t words = file_.stages[i].size() / kWordBytes;
      if (words > File::kStageWords)
        findings_.add(rules::kWordCount, p.word_counts + 2 * i, std::string("word_counts/") + kStageFields[i],
                      std::to_string(words) + " words");
    }
    if (!file_.trailing.empty()) findings_.add(rules::kTrailing, p.trailing, "trailing", std::to_string(file_.trailing.size()) + " bytes");
    if (file_.tables != TableSizes{}) {
      std::string sizes;
      for (const TableInfo& info : kTableInfos) (sizes += sizes.empty() ? "" : ", ") += std::to_string(file_.tables.*info.size);
      findings_.add(rules::kTableSizes, p.table_sizes, "table_sizes", "found " + sizes + ", expected 8192, 128, 512, 128, 128");
    }
    constexpr std::uint16_t kWanted = stage_bit(Stage::vertex) | stage_bit(Stage::fragment);
    if (present_ != kWanted) {
      Text text;
      print_stages(text, present_);
      findings_.add(rules::kReaderStages, p.word_counts, "word_counts", "stages: " + text.str());
    }
  }

  void check_variables(const std::vector<Variable>& variables, const char* table, std::uint32_t place, unsigned locations) {
    unsigned next = 0;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const Variable& v = variables[i];
      const std::uint64_t at = record_offset(place, i, kVariableBytes);
      const std::string path = item(table, i);
      check_shape(v, at, path, findings_);
      if (v.padding != decltype(v.padding){}) findings_.add(rules::kPadding, at + 5, path, "not zero");
      if (v.location < next)
        findings_.add(rules::kLocationOrder, at, path, "location " + std::to_string(v.location) + " after " + std::to_string(next - 1));
      next = std::max<unsigned>(next, v.location + std::max(1U, unsigned{v.columns} * v.array_size));
    }
    if (next > locations) findings_.add(rules::kLocationLimit, place, table, std::to_string(next) + " locations");
  }

  void check_outputs() {
    for (std::size_t i = 0; i < file_.outputs.size(); ++i) {
      const Variable& v = file_.outputs[i];
      if (v.columns != 1 || v.array_size != 1 || v.components == 3)
        findings_.add(rules::kOutputShape, record_offset(file_.places.outputs, i, kVariableBytes), item("outputs", i),
                      std::to_string(v.components) + " components, " + std::to_string(v.columns) + " columns, " +
                          std::to_string(v.array_size) + " elements");
    }
  }

  void check_mask(std::uint16_t mask, std::uint64_t offset, const std::string& path) {
    const auto absent = static_cast<std::uint16_t>(mask & ~present_);
    if (absent == 0 || !traits(file_.form.layout).has_code) return;
    Text text;
    print_stages(text, absent);
    findings_.add(rules::kStageMask, offset, path, "not in the file: " + text.str());
  }

  void check_bindings() {
    if (file_.bindings.size() > kBindings)
      findings_.add(rules::kBindingLimit, file_.places.bindings, "bindings", std::to_string(file_.bindings.size()) + " bindings");
    std::bitset<256> taken;
    for (std::size_t i = 0; i < file_.bindings.size(); ++i) {
      const Binding& b = file_.bindings[i];
      const std::uint64_t at = record_offset(file_.places.bindings, i, kBindingBytes);
      const std::string path = item("bindings", i);
      if (b.slot >= kSlots) findings_.add(rules::kSlotRange, at, path, "slot " + std::to_string(b.slot));
      if (taken[b.slot]) findings_.add(rules::kSlotTwice, at, path, "slot " + std::to_string(b.slot));
      taken[b.slot] = true;
      check_mask(b.stages, at + 2, path);
      if (b.padding != decltype(b.padding){}) findings_.add(rules::kPadding, at, path, "not zero");
      if (table_of(b.type) == kTables) {
        findings_.add(rules::kBindingType, at + 1, path, "type " + std::to_string(static_cast<unsigned>(b.type)));
      } else if (is_buffer(b.type)) {
        check_struct_size(b.struct_bytes, at + 4, path);
      } else {
        check_texel(b, at + 4, path);
      }
    }
  }

  void check_struct_size(std::uint32_t bytes, std::uint64_t offset, const std::string& path) {
    if (bytes == 0 || bytes > kStructBytes || bytes % kWordBytes != 0)
      findings_.add(rules::kStructSize, offset, path, std::to_string(bytes) + " bytes");
  }

  void check_texel(const Binding& b, std::uint64_t offset, const std::string& path) {
    if (id(b.rank).empty() || (b.rank == Rank::buffer) != is_texel_buffer(b.type) || (b.type == BaseType::image && b.rank == Rank::cube)) {
      Text text;
      print_enumerator(text, static_cast<std::uint32_t>(b.rank), rank_names());
      findings_.add(rules::kRank, offset, path, std::string(id(b.type)) + " of rank " + text.str());
    }
    const bool is_normalized = b.texel == TexelType::unorm || b.texel == TexelType::snorm;
    bool is_right = !id(b.texel).empty();
    if (b.type == BaseType::sampler || b.type == BaseType::ro_texels) {
      is_right = is_right && !is_normalized && b.component_bytes == 4 && b.components == 4;
    } else {
      is_right = is_right && b.component_bytes == (is_normalized ? 1 : 4) && (b.components == 1 || b.components == 2 || b.components == 4);
    }
    if (is_right) return;
    Text text;
    print_enumerator(text, static_cast<std::uint32_t>(b.texel), texel_type_names());
    findings_.add(rules::kTexelFormat, offset + 1, path,
                  text.str() + ", " + std::to_string(b.components) + " components of " + std::to_string(b.component_bytes) + " bytes");
  }

  void check_uniform() {
    const Uniform& u = file_.uniform;
    if (u.size == 0 && u.members.empty()) return;
    const LayoutTraits& t = traits(file_.form.layout);
    check_struct_size(u.size, file_.places.uniform, "uniform");
    check_mask(u.stages, file_.places.uniform + (t.wide_uniform ? 4U : 2U), "uniform");
    std::uint64_t at = file_.places.members;
    std::uint32_t end = 0;
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < u.members.size(); ++i) {
      const Member& m = u.members[i];
      const std::string path = "uniform/" + item("members", i);
      if (t.typed_members) {
        check_shape(m, at, path, findings_);
        if (m.offset != end)
          findings_.add(rules::kMemberLayout, at, path, "offset " + std::to_string(m.offset) + ", expected " + std::to_string(end));
        end = m.offset + m.size();
      }
      check_name(m.name, at, path);
      names.push_back(m.name);
      at += member_bytes(t) + m.name.size();
    }
    if (t.typed_members && end != u.size)
      findings_.add(rules::kMemberLayout, file_.places.uniform, "uniform",
                    "the members end at " + std::to_string(end) + " of " + std::to_string(u.size) + " bytes");
    std::sort(names.begin(), names.end());
    if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end() && !twice->empty())
      findings_.add(rules::kMemberName, file_.places.uniform, "uniform", '`' + std::string(twice->substr(0, kNameBytes)) + "` twice");
  }

  void check_name(const std::string& name, std::uint64_t offset, const std::string& path) {
    const auto is_letter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const bool is_right = !name.empty() && name.size() <= kNameBytes && is_letter(name[0]) &&
                          std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
    if (is_right) return;
    Text text;
    print_quoted(text, std::string_view(name).substr(0, kNameBytes));
    findings_.add(rules::kMemberName, offset, path, text.str() + ", " + std::to_string(name.size()) + " characters");
  }

  void check_subpass_inputs() {
    const std::uint32_t place = file_.places.subpass_inputs;
    if (file_.subpass_inputs.size() > kSubpassInputs)
      findings_.add(rules::kSubpassLimit, place, "subpass_inputs", std::to_string(file_.subpass_inputs.size()) + " inputs");
    for (std::size_t i = 0; i < file_.subpass_inputs.size(); ++i) {
      const SubpassInput& s = file_.subpass_inputs[i];
      if (s.image) continue;
      const std::uint64_t at = record_offset(place, i, kSubpassRecordBytes);
      const std::string path = item("subpass_inputs", i);
      if (s.padding != decltype(s.padding){}) findings_.add(rules::kPadding, at + 2, path, "not zero");
      if (s.texel > TexelType::real || s.components != 4) {
        Text text;
        print_enumerator(text, static_cast<std::uint32_t>(s.texel), texel_type_names());
        findings_.add(rules::kSubpassFormat, at, path, text.str() + ", " + std::to_string(s.components) + " components");
      }
    }
  }

  const File& file_;
  Findings& findings_;
  std::uint16_t present_;
};

}  // namespace

void check_tables(const File& file, Findings& findings) { TableChecker(file, findings).run(); }

std::span<const Rule* const> validation_rules() { return kRules; }

std::vector<Diagnostic> check_file(View view) {
  const auto file = parse(view);
  if (!file) return {{&rules::kUnreadable, file.error().offset, file.error().path, file.error().message}};
  Findings findings(view.size(), view.file_offset());
  check_tables(*file, findings);
  std::vector<StageFacts> facts;
  for (std::size_t i = 0; i < kStages; ++i) {
    const auto& code = file->stages[i];
    if (code.empty()) continue;
    // offsets of findings count from the start of the file
    const std::uint32_t place = file->places.stages[i];
    const auto module = spirv::parse(View({code.data(), code.size()}, place));
    if (!module) {
      findings.add(rules::kModule, module.error().offset, kStageFields[i], module.error().path + ": " + module.error().message);
      continue;
    }
    facts.push_back(stage_facts(static_cast<Stage>(i), *module));
  }
  check_stages(*file, facts, findings);
  return findings.take();
}

}  // namespace unshade::vbc
