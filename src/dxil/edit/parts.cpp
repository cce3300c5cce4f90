// Edits in all parts of a container together.
#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <unshade/core/text/semantic_name.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/psv.hpp>
#include <unshade/dxil/rdat.hpp>

#include "dxil/edit/bindings.hpp"
#include "dxil/edit/library.hpp"
#include "dxil/edit/names.hpp"
#include "dxil/edit/signatures.hpp"
#include "dxil/edit/strip.hpp"
#include "dxil/parts/text_table.hpp"

namespace unshade::dxil::edit {

namespace {

using dxcontainer::Container;
using dxcontainer::fourcc;
using dxcontainer::Part;
using Bytes = std::vector<std::byte>;

bool same(const Bytes& bytes, View data) { return std::ranges::equal(bytes, data.bytes()); }

/// A row of an element that has another semantic.
struct RowChange {
  NameKind kind = NameKind::input;
  std::string name;
  std::uint32_t index = 0;
  std::string new_name;
  std::uint32_t new_index = 0;
};

NameKind signature_kind(std::uint32_t code) {
  switch (dxcontainer::role_of(code)) {
    case dxcontainer::PartRole::input: return NameKind::input;
    case dxcontainer::PartRole::output: return NameKind::output;
    default: return NameKind::patch;
  }
}

/// What the edits of both kinds have in common.
class PartEditor {
 public:
  PartEditor(const Container& container, std::size_t changes) : container_(container), found_(changes, false) {}

 protected:
  /// Edits the module of a program part.
  template <class Edit>
  Result<void> edit_program(std::size_t index, Edit&& edit) {
    const Part& part = container_.parts[index];
    auto program = parse_program(part);
    if (!program) return std::move(program).error();
    auto module = ModuleEdit::open(program->bitcode);
    if (!module) return std::move(module).error().within(part.name());
    auto changes = edit(*module);
    if (!changes) {
      Error error = std::move(changes).error();
      if (error.offset == 0) error.offset = part.data.file_offset();
      return std::move(error).within(part.name());
    }
    for (std::size_t i = 0; i < found_.size(); ++i) found_[i] = found_[i] || changes->found[i];
    for (std::string& note : changes->notes)
      if (std::ranges::find(out_.notes, note) == out_.notes.end()) out_.notes.push_back(std::move(note));
    if (!module->changed()) return {};
    auto bitcode = module->write();
    if (!bitcode) return std::move(bitcode).error().within(part.name());
    Program made = *program;
    made.bitcode = View(*bitcode);
    made.size_dwords = 0;
    put(index, write_program(made));
    return {};
  }

  void put(std::size_t index, Bytes data) {
    if (!same(data, container_.parts[index].data)) out_.parts.push_back({index, std::move(data)});
  }
  template <class Name>
  Result<PartEdits> finish(Name&& name_of) {
    for (std::size_t i = 0; i < found_.size(); ++i)
      if (!found_[i]) return Error{ErrorCode::missing, container_.file.file_offset(), "file", name_of(i)};
    return std::move(out_);
  }

  const Container& container_;
  std::vector<bool> found_;
  PartEdits out_;
};

// --- names -----------------------------------------------------------------------------------------------------------------------------

class PartRenamer : PartEditor {
 public:
  PartRenamer(const Container& container, std::span<const Rename> changes)
      : PartEditor(container, changes.size()), changes_(changes.begin(), changes.end()) {}

  Result<PartEdits> run() {
    for (const Rename& change : changes_)
      if (auto good = check(change); !good) return std::move(good).error();
    if (auto done = find_rows(); !done) return std::move(done).error();
    bool debug = false;
    for (std::size_t i = 0; i < container_.parts.size(); ++i) {
      const Part& part = container_.parts[i];
      Result<void> done;
      if (is_program(part.fourcc))
        done = edit_program(i, [&](ModuleEdit& module) { return rename(module, changes_); });
      else if (part.fourcc == fourcc("PSV0"))
        done = edit_psv(i);
      else if (part.fourcc == fourcc("RDAT"))
        done = edit_rdat(i);
      else if (dxcontainer::is_signature(part.fourcc))
        done = edit_signature(i);
      if (!done) return std::move(done).error();
      debug = debug || part.fourcc == fourcc("ILDB");
    }
    if (debug) out_.notes.push_back("sources and debug information keep the old names");
    return finish([&](std::size_t i) {
      // Reflection gives members names of its own if the file has none.
      const bool member = changes_[i].what == NameKind::variable;
      return "no name " + changes_[i].from + (member ? ": generated names of reflection are not in the file" : "");
    });
  }

 private:
  /// What rows of signatures become. A module tells which rows are one element; PSV0 if there is none.
  Result<void> find_rows() {
    const Part* const part = container_.find_any({fourcc("DXIL"), fourcc("STAT"), fourcc("ILDB")});
    const auto add = [&](NameKind kind, std::string_view name, std::span<const std::uint32_t> indexes) -> Result<RenamedElement> {
      RenamedElement element{std::string(name), std::string(name), {indexes.begin(), indexes.end()}};
      for (const Rename& change : changes_) {
        if (change.what != kind || indexes.empty()) continue;
        const auto row = std::ranges::find_if(indexes, [&](std::uint32_t index) { return means_semantic(change.from, name, index); });
        if (row == indexes.end()) continue;
        const auto made = new_semantic(change.to, *row, indexes);
        if (!made) return made.error();
        element.new_name = made->name;
        element.shift = made->shift;
        for (const std::uint32_t index : indexes) rows_.push_back({kind, std::string(name), index, made->name, index + made->shift});
        break;
      }
      return element;
    };
    if (part != nullptr) {
      const auto program = parse_program(*part);
      if (!program) return program.error();
      const auto module = parse_module(program->bitcode);
      if (!module) return Error(module.error()).within(part->name());
      const ProgramMetadata metadata = read_program_metadata(*module);
      constexpr std::uint32_t kSharingMinor = 7;
      // 0.0, which STAT has, means the newest.
      since_1_7_ = metadata.has_validator_version && (metadata.validator_major != 1 || metadata.validator_minor >= kSharingMinor);
      for (const EntryPoint& entry : metadata.entries) {
        const std::pair<NameKind, const std::vector<MetadataElement>*> lists[] = {
            {NameKind::input, &entry.inputs}, {NameKind::output, &entry.outputs}, {NameKind::patch, &entry.patch_or_primitives}};
        for (const auto& [kind, elements] : lists)
          for (const MetadataElement& element : *elements) {
            auto added = add(kind, element.name, element.semantic_indexes);
            if (!added) return std::move(added).error();
            if (metadata.entries.size() != 1) continue;
            added->semantic = element.semantic;
            added->stream = element.stream;
            added->start_row = element.start_row;
            elements_[kind].push_back(*std::move(added));
          }
      }
      // An entry without a name in the change is the only one; the one that describes a whole library has none.
      const auto named = [](const EntryPoint& entry) { return !entry.name.empty(); };
      const auto only = std::ranges::find_if(metadata.entries, named);
      if (only == metadata.entries.end() || std::ranges::count_if(metadata.entries, named) != 1) return {};
      for (Rename& change : changes_)
        if (change.what == NameKind::entry && change.from.empty()) change.from = plain_name(only->name);
      return {};
    }
    const auto place = std::ranges::find(container_.parts, fourcc("PSV0"), &Part::fourcc);
    if (place == container_.parts.end()) return {};
    const auto psv = parse_psv(*place, program_kind(container_));
    if (!psv) return psv.error();
    const std::pair<NameKind, const std::vector<PsvSignatureElement>*> lists[] = {
        {NameKind::input, &psv->inputs}, {NameKind::output, &psv->outputs}, {NameKind::patch, &psv->patch_or_primitives}};
    for (const auto& [kind, elements] : lists)
      for (const PsvSignatureElement& element : *elements)
        if (auto added = add(kind, element.semantic_name.text, psv->indexes_of(element)); !added) return std::move(added).error();
    return {};
  }

  const RowChange* find_row(NameKind kind, std::string_view name, std::uint32_t index) {
    const auto row = std::ranges::find_if(rows_, [&](const RowChange& r) { return r.kind == kind && r.name == name && r.index == index; });
    if (row == rows_.end()) return nullptr;
    for (std::size_t i = 0; i < changes_.size(); ++i)
      if (changes_[i].what == kind && means_semantic(changes_[i].from, name, index)) found_[i] = true;
    return &*row;
  }

  Result<void> edit_signature(std::size_t index) {
    const Part& part = container_.parts[index];
    auto signature = dxcontainer::parse_signature(part);
    if (!signature) return std::move(signature).error();
    bool changed = false;
    std::size_t texts_at = part.data.size();
    std::vector<String*> texts;
    for (auto& element : signature->elements.items) {
      texts_at = std::min<std::size_t>(texts_at, element.semantic.offset);
      texts.push_back(&element.semantic);
      const RowChange* const row = find_row(signature_kind(part.fourcc), element.semantic.text, element.semantic_index);
      if (row == nullptr) continue;
      changed = true;
      element.semantic_index = row->new_index;
      element.semantic.text = row->new_name;
    }
    if (!changed) return {};
    auto as_read = dxcontainer::parse_signature(part);
    if (as_read && rename_in_signature(*as_read, part.data, elements_[signature_kind(part.fourcc)], since_1_7_.value_or(false))) {
      put(index, dxcontainer::write_signature(*as_read));
      return {};
    }
    // A part that is not laid out as dxc does: rows and texts keep their offsets.
    if (texts_at < signature->elements.offset + signature->elements.size() * signature->layout.stride())
      return Error{ErrorCode::unsupported, part.data.file_offset(), part.name(), "strings before the elements"};
    // src: DXC DxilContainerAssembler.cpp: from validator version 1.7 on texts are shared, and the part is a multiple of 4 bytes
    const bool since_1_7 = since_1_7_.value_or(part.data.size() % 4 == 0);
    for (String* text : texts) text->offset -= static_cast<std::uint32_t>(texts_at);
    const Bytes table =
        parts::place_texts(part.data.clamped(texts_at, part.data.size()), texts, since_1_7 ? parts::Sharing::always : parts::Sharing::never,
                           since_1_7 ? parts::Padding::words : parts::Padding::none);
    for (String* text : texts) text->offset += static_cast<std::uint32_t>(texts_at);
    signature->size = static_cast<std::uint32_t>(texts_at + table.size());
    signature->fill = std::byte{0};
    Bytes data = dxcontainer::write_signature(*signature);
    data.resize(signature->size);
    put(index, std::move(data));
    return {};
  }

  Result<void> edit_psv(std::size_t index) {
    const Part& part = container_.parts[index];
    auto psv = parse_psv(part, program_kind(container_));
    if (!psv) return std::move(psv).error();
    const std::pair<NameKind, std::vector<PsvSignatureElement>*> lists[] = {
        {NameKind::input, &psv->inputs}, {NameKind::output, &psv->outputs}, {NameKind::patch, &psv->patch_or_primitives}};
    std::vector<std::vector<std::uint32_t>> indexes;
    std::vector<String*> texts;
    bool changed = false;
    bool moved = false;
    for (const auto& [kind, elements] : lists)
      for (PsvSignatureElement& element : *elements) {
        const auto from = psv->indexes_of(element);
        auto& own = indexes.emplace_back(from.begin(), from.end());
        if (!element.semantic_name.text.empty()) texts.push_back(&element.semantic_name);
        if (element.semantic_kind != SemanticKind::arbitrary || own.empty()) continue;
        const RowChange* const row = find_row(kind, element.semantic_name.text, own[0]);
        if (row == nullptr) continue;
        changed = true;
        element.semantic_name.text = row->new_name;
        const std::uint32_t shift = row->new_index - row->index;
        moved = moved || shift != 0;
        for (std::uint32_t& number : own) number += shift;
      }
    constexpr unsigned kNameVersion = 3;
    if (psv->info.version() >= kNameVersion && !psv->info.entry_name.text.empty()) {
      texts.push_back(&psv->info.entry_name);
      for (std::size_t i = 0; i < changes_.size(); ++i) {
        if (changes_[i].what != NameKind::entry || changes_[i].from != psv->info.entry_name.text) continue;
        psv->info.entry_name.text = changes_[i].to;
        changed = found_[i] = true;
        break;
      }
    }
    if (!changed) return {};
    const Bytes table = parts::place_texts(psv->strings, texts, parts::Sharing::never, parts::Padding::words);
    psv->strings = View(table);
    if (moved) place_indexes(*psv, indexes);
    put(index, write_psv(*psv));
    return {};
  }

  /// src: DXC DxilContainerAssembler.cpp, SetPSVSigElement: numbers that stand in the table already are not written again.
  static void place_indexes(Psv& psv, const std::vector<std::vector<std::uint32_t>>& indexes) {
    std::vector<std::uint32_t> table;
    std::size_t i = 0;
    for (auto* elements : {&psv.inputs, &psv.outputs, &psv.patch_or_primitives})
      for (PsvSignatureElement& element : *elements) {
        const auto& own = indexes[i++];
        const auto found = std::ranges::search(table, own);
        element.semantic_indexes = static_cast<std::uint32_t>(found.begin() - table.begin());
        if (found.empty()) {
          element.semantic_indexes = static_cast<std::uint32_t>(table.size());
          table.insert(table.end(), own.begin(), own.end());
        }
      }
    psv.semantic_indexes = std::move(table);
  }

  // --- library ---

  Result<void> edit_rdat(std::size_t index) {
    const Part& part = container_.parts[index];
    auto rdat = parse_rdat(part);
    if (!rdat) return std::move(rdat).error();
    auto texts = RdatTexts::of(*rdat);
    if (!texts) return std::move(texts).error();
    bool changed = false;
    const auto change = [&](String& text, NameKind kind) {
      if (text.text.empty()) return;
      for (std::size_t i = 0; i < changes_.size(); ++i) {
        if (changes_[i].what != kind || changes_[i].from.empty()) continue;
        auto now = renamed(text.text, changes_[i].from, changes_[i].to);
        if (!now) continue;
        text.text = kept_.emplace_back(*std::move(now));
        changed = found_[i] = true;
        return;
      }
    };
    for (auto& row : rdat->resources.rows) change(row.name, NameKind::resource);
    for (auto& row : rdat->functions.rows) {
      const bool follows = row.unmangled_name.text == plain_name(row.name.text);
      change(row.name, NameKind::entry);
      if (follows)
        row.unmangled_name.text = plain_name(row.name.text);
      else
        change(row.unmangled_name, NameKind::entry);
    }
    for (RdatWord& word : texts->words) change(word.text, NameKind::entry);
    for (auto& row : rdat->subobjects.rows)
      if (row.kind == SubobjectKind::hit_group)
        for (String* name : {&row.any_hit, &row.closest_hit, &row.intersection}) change(*name, NameKind::entry);
    for (auto& row : rdat->node_ids.rows) {
      for (std::size_t i = 0; i < changes_.size(); ++i) {
        if (changes_[i].what != NameKind::node) continue;
        const auto now = renamed_node({std::string(row.name.text), row.index}, changes_[i]);
        if (!now) continue;
        row.name.text = kept_.emplace_back(now->name);
        row.index = now->index;
        changed = found_[i] = true;
        break;
      }
    }
    if (!changed) return {};
    Bytes arrays;
    const Bytes table = texts->place(*rdat, arrays);
    rdat->strings = View(table);
    rdat->index_arrays = View(arrays);
    put(index, write_rdat(*rdat));
    return {};
  }

  std::vector<Rename> changes_;
  std::vector<RowChange> rows_;
  std::map<NameKind, std::vector<RenamedElement>> elements_;  // of the module's only entry
  std::deque<std::string> kept_;
  std::optional<bool> since_1_7_;  // the validator version of the program
};

// --- registers -------------------------------------------------------------------------------------------------------------------------

ResourceClass class_of(PsvResourceType type) {
  switch (type) {
    case PsvResourceType::sampler: return ResourceClass::sampler;
    case PsvResourceType::cbv: return ResourceClass::cbuffer;
    case PsvResourceType::srv_typed:
    case PsvResourceType::srv_raw:
    case PsvResourceType::srv_structured: return ResourceClass::srv;
    case PsvResourceType::invalid: return ResourceClass::invalid;
    default: return ResourceClass::uav;
  }
}

class PartRebinder : PartEditor {
 public:
  PartRebinder(const Container& container, std::span<const BindingChange> changes)
      : PartEditor(container, changes.size()), changes_(changes) {}

  Result<PartEdits> run() {
    bool root_signature = false;
    for (std::size_t i = 0; i < container_.parts.size(); ++i) {
      const Part& part = container_.parts[i];
      Result<void> done;
      if (is_program(part.fourcc))
        done = edit_program(i, [&](ModuleEdit& module) { return rebind(module, changes_); });
      else if (part.fourcc == fourcc("PSV0"))
        done = edit_psv(i);
      else if (part.fourcc == fourcc("RDAT"))
        done = edit_rdat(i);
      if (!done) return std::move(done).error();
      root_signature = root_signature || part.fourcc == fourcc("RTS0");
    }
    if (root_signature) out_.notes.push_back("the root signature in RTS0 is kept: it still binds the old registers");
    return finish([&](std::size_t i) {
      constexpr std::string_view kLetters = "tubs";  // in the order of the classes
      const auto of_class = static_cast<std::size_t>(changes_[i].resource_class);
      return "no resource begins at " + std::string(of_class < kLetters.size() ? kLetters.substr(of_class, 1) : "register ") +
             std::to_string(changes_[i].from) + " in space " + std::to_string(changes_[i].from_space);
    });
  }

 private:
  template <class Rows, class ClassOf>
  Result<bool> move_rows(Rows& rows, const char* part, ClassOf&& class_of_row) {
    std::vector<PlacedRange> ranges;
    bool changed = false;
    for (auto& row : rows) {
      PlacedRange range{class_of_row(row), row.space, row.lower_bound, row.upper_bound, false};
      if (const std::size_t i = find_change(changes_, range); i != changes_.size()) {
        if (!move(range, changes_[i])) return beyond_registers().within(part);
        found_[i] = changed = true;
        row.space = range.space;
        row.lower_bound = range.lower;
        row.upper_bound = range.upper;
      }
      ranges.push_back(range);
    }
    if (auto clash = find_overlap(std::move(ranges))) return std::move(*clash).within(part);
    return changed;
  }

  Result<void> edit_psv(std::size_t index) {
    auto psv = parse_psv(container_.parts[index], program_kind(container_));
    if (!psv) return std::move(psv).error();
    const auto changed = move_rows(psv->resources, "PSV0", [](const PsvResource& row) { return class_of(row.type); });
    if (!changed) return changed.error();
    if (*changed) put(index, write_psv(*psv));
    return {};
  }

  Result<void> edit_rdat(std::size_t index) {
    auto rdat = parse_rdat(container_.parts[index]);
    if (!rdat) return std::move(rdat).error();
    const auto changed = move_rows(rdat->resources.rows, "RDAT", [](const RdatResource& row) { return row.resource_class; });
    if (!changed) return changed.error();
    if (*changed) put(index, write_rdat(*rdat));
    return {};
  }

  std::span<const BindingChange> changes_;
};

class PartStripper : PartEditor {
 public:
  PartStripper(const Container& container, Strip what) : PartEditor(container, 0), what_(what) {}

  Result<PartEdits> run() {
    for (std::size_t i = 0; i < container_.parts.size(); ++i) {
      if (container_.parts[i].fourcc != fourcc("DXIL")) continue;
      if (!what_.reflection && !has_debug_in(container_.parts[i])) continue;
      const auto done = edit_program(i, [&](ModuleEdit& module) -> Result<ModuleChanges> {
        strip(module, what_);
        return ModuleChanges{};
      });
      if (!done) return done.error();
    }
    return std::move(out_);
  }

 private:
  /// Few have: dxc puts debug information into ILDB. What cannot be read has nothing that could be taken out.
  static bool has_debug_in(const Part& part) {
    const auto program = parse_program(part);
    if (!program) return false;
    const auto module = parse_module(program->bitcode);
    return module && has_debug(*module);
  }

  Strip what_;
};

}  // namespace

}  // namespace unshade::dxil::edit

namespace unshade::dxil {

Result<PartEdits> rename(const edit::Container& container, std::span<const Rename> changes) {
  return edit::PartRenamer(container, changes).run();
}

Result<PartEdits> rebind(const edit::Container& container, std::span<const BindingChange> changes) {
  return edit::PartRebinder(container, changes).run();
}

Result<PartEdits> strip(const edit::Container& container, Strip what) { return edit::PartStripper(container, what).run(); }

}  // namespace unshade::dxil
