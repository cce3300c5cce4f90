// Renames in modules: entry points, elements, resources, members and nodes of work graphs.
#include "dxil/edit/names.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include <unshade/core/text/new_names.hpp>
#include <unshade/core/text/semantic_name.hpp>
#include <unshade/dxil/metadata.hpp>

#include "dxil/module/metadata_tuple.hpp"

namespace unshade::dxil::edit {

namespace {

// Positions in the lists of metadata. src: DXC DxilMetadataHelper.h
constexpr std::size_t kEntryFunction = 0, kEntryName = 1, kEntrySignatures = 2;
constexpr std::size_t kElementName = 1, kElementSemantic = 3, kElementIndexes = 4;
constexpr std::size_t kResourceName = 2;
constexpr std::size_t kResourceClasses = 4, kSignatures = 3;
constexpr std::uint64_t kStructAnnotations = 0, kFieldNameTag = 6;
constexpr std::uint64_t kNodeId = 15, kNodeSharesInputOf = 17, kNodeInputs = 20, kNodeOutputs = 21, kNodeOutputId = 0;

class Renamer {
 public:
  Renamer(ModuleEdit& edit, std::span<const Rename> changes)
      : edit_(edit), m_(edit.module()), changes_(changes), metadata_(read_program_metadata(m_)) {
    out_.found.assign(changes.size(), false);
  }

  Result<ModuleChanges> run() {
    for (const Rename& change : changes_)
      if (auto good = check(change); !good) return std::move(good).error();
    // what still looks at texts of the metadata comes first
    if (!variables() || !node_ids() || !entries() || !resources() || !symbols()) return *std::move(error_);
    types();
    return std::move(out_);
  }

 private:
  bool fail(ErrorCode code, std::string path, std::string message) {
    error_ = Error{code, 0, std::move(path), std::move(message)};
    return false;
  }

  std::string_view text_of(std::uint32_t id) const {
    if (id >= m_.metadata.size() || m_.metadata[id].kind != MetadataKind::string) return {};
    return m_.string_of(m_.metadata[id]);
  }
  std::size_t size_of(std::uint32_t id) const {
    return id < m_.metadata.size() && m_.metadata[id].kind == MetadataKind::node ? m_.metadata[id].operands.count : 0;
  }
  std::uint32_t value_of(std::uint32_t id) const {
    return id < m_.metadata.size() && m_.metadata[id].kind == MetadataKind::value ? m_.metadata[id].value : kNone;
  }
  /// Of a list by its name; their order does not change.
  std::vector<std::uint32_t> nodes(std::string_view name) const {
    std::vector<std::uint32_t> result;
    if (const NamedMetadata* list = module::find_named_metadata(m_, name))
      for (const std::uint64_t id : m_.metadata_operands_of(list->nodes)) result.push_back(static_cast<std::uint32_t>(id));
    return result;
  }

  /// Gives a global or function another name, if the old one is part of its own.
  void rename_symbol(std::uint32_t value, std::string_view from, std::string_view to) {
    if (value >= m_.values.size()) return;
    const Value& symbol = m_.values[value];
    if (symbol.kind == ValueKind::constant || symbol.name.empty()) return;
    if (auto name = renamed(m_.text(symbol.name), from, to)) symbols_[value] = *std::move(name);
  }
  /// All at once: two may change names.
  bool symbols() {
    if (symbols_.empty()) return true;
    std::unordered_map<std::string_view, std::uint32_t> names;
    for (std::uint32_t i = 0; i < m_.values.size(); ++i)
      if (!m_.values[i].name.empty() && !symbols_.contains(i)) names.emplace(m_.text(m_.values[i].name), i);
    for (const auto& [value, name] : symbols_)
      if (!names.emplace(name, value).second) return fail(ErrorCode::bad_value, "symbols", "the name " + name + " is already in use");
    for (const auto& [value, name] : symbols_) edit_.rename_value(value, name);
    return true;
  }

  // --- entry points and elements ---

  bool entries() {
    const auto list = nodes("dx.entryPoints");
    std::size_t named = 0;
    for (const std::uint32_t entry : list) named += text_of(edit_.operand(entry, kEntryName)).empty() ? 0U : 1U;
    std::vector<std::pair<std::uint32_t, std::string>> renamed_entries;
    for (const std::uint32_t entry : list) {
      const std::string name(text_of(edit_.operand(entry, kEntryName)));
      std::optional<std::string> new_name;
      for (std::size_t i = 0; i < changes_.size(); ++i) {
        if (changes_[i].what != NameKind::entry || name.empty()) continue;
        if (changes_[i].from.empty() && named != 1)
          return fail(ErrorCode::bad_value, "dx.entryPoints", "the module has more than one entry point: give its name");
        const std::string_view from = changes_[i].from.empty() ? plain_name(name) : std::string_view(changes_[i].from);
        const auto now = renamed(name, from, changes_[i].to);
        if (!now) continue;
        out_.found[i] = true;
        if (new_name && *new_name != *now)
          return fail(ErrorCode::bad_value, "dx.entryPoints", renamed_twice(plain_name(name), *new_name, *now));
        if (new_name) continue;
        new_name = now;
        renamed_entries.emplace_back(entry, *now);
        rename_symbol(value_of(edit_.operand(entry, kEntryFunction)), from, changes_[i].to);
      }
      if (!signatures(entry)) return false;
    }
    std::unordered_set<std::string> names;
    for (const std::uint32_t entry : list)
      if (std::ranges::find(renamed_entries, entry, [](const auto& one) { return one.first; }) == renamed_entries.end())
        names.emplace(text_of(edit_.operand(entry, kEntryName)));
    for (const auto& [entry, name] : renamed_entries)
      if (!names.insert(name).second) return fail(ErrorCode::bad_value, "dx.entryPoints", "the name " + name + " is already in use");
    for (const auto& [entry, name] : renamed_entries) edit_.set_operand(entry, kEntryName, edit_.text(name));
    return true;
  }

  bool signatures(std::uint32_t entry) {
    constexpr NameKind kKinds[kSignatures] = {NameKind::input, NameKind::output, NameKind::patch};
    for (std::size_t s = 0; s < kSignatures; ++s) {
      const std::uint32_t all = edit_.operand(entry, kEntrySignatures);
      const std::uint32_t list = edit_.operand(all, s);
      std::uint32_t now = list;
      // The name and first index of each, to find doubles.
      std::vector<std::tuple<std::string, std::uint32_t, std::uint32_t, bool>> rows;
      for (std::size_t k = 0; k < size_of(list); ++k) {
        const std::uint32_t element = edit_.operand(list, k);
        const std::string name(text_of(edit_.operand(element, kElementName)));
        const module::MetadataTuple tuple = module::MetadataTuple::of(m_, element < m_.metadata.size() ? &m_.metadata[element] : nullptr);
        const module::MetadataTuple indexes = tuple.tuple(kElementIndexes);
        const std::uint64_t semantic = tuple.integer(kElementSemantic).value_or(0);
        std::vector<std::uint32_t> numbers;
        for (std::size_t row = 0; row < indexes.size(); ++row) numbers.push_back(indexes.u32(row));
        std::string new_name = name;
        std::uint32_t shift = 0;
        bool changed = false;
        const Rename* by = nullptr;
        for (std::size_t i = 0; i < changes_.size(); ++i) {
          if (changes_[i].what != kKinds[s]) continue;
          for (const std::uint32_t number : numbers) {
            if (!means_semantic(changes_[i].from, name, number)) continue;
            const bool position = same_letters(split_semantic(changes_[i].to).name, "sv_position");
            if (position && metadata_.kind != ShaderKind::vertex)
              return fail(ErrorCode::bad_value, "dx.entryPoints", "SV_Position is a system value in this signature");
            if (semantic != 0) return fail(ErrorCode::unsupported, "dx.entryPoints", name + " is a system value and cannot be renamed");
            const auto result = new_semantic(changes_[i].to, number, numbers);
            if (!result) {
              error_ = result.error();
              return false;
            }
            out_.found[i] = changed = true;
            if (by != nullptr && new_name == result->name && shift == result->shift) break;
            if (by != nullptr)
              return fail(ErrorCode::bad_value, "dx.entryPoints", renamed_twice(name + std::to_string(number), by->to, changes_[i].to));
            by = &changes_[i];
            new_name = result->name;
            shift = result->shift;
            if (numbers.size() > 1)
              out_.notes.push_back(name + std::to_string(numbers[0]) + " has " + std::to_string(numbers.size()) +
                                   " rows, which are renamed together");
            break;
          }
        }
        for (const std::uint32_t number : numbers) rows.emplace_back(new_name, number + shift, metadata_stream(tuple), changed);
        if (!changed) continue;
        std::uint32_t copy = edit_.with_operand(element, kElementName, edit_.text(new_name));
        if (shift != 0) copy = edit_.with_operand(copy, kElementIndexes, shifted(edit_.operand(element, kElementIndexes), numbers, shift));
        now = edit_.with_operand(now, k, copy);
      }
      std::sort(rows.begin(), rows.end());
      for (std::size_t i = 1; i < rows.size(); ++i) {
        const auto& [name, index, stream, changed] = rows[i];
        const auto& [name_before, index_before, stream_before, changed_before] = rows[i - 1];
        if (same_letters(name, name_before) && index == index_before && stream == stream_before && (changed || changed_before))
          return fail(ErrorCode::bad_value, "dx.entryPoints", "duplicate semantic " + name + std::to_string(index));
      }
      if (now != list) edit_.set_operand(entry, kEntrySignatures, edit_.with_operand(all, s, now));
    }
    return true;
  }
  static std::uint32_t metadata_stream(const module::MetadataTuple& element) {
    constexpr std::size_t kProperties = 10;
    const module::MetadataTuple properties = element.tuple(kProperties);
    for (std::size_t i = 0; i + 1 < properties.size(); i += 2)
      if (properties.integer(i) == std::uint64_t{0}) return properties.u32(i + 1);
    return 0;
  }
  std::uint32_t shifted(std::uint32_t tuple, std::span<const std::uint32_t> numbers, std::uint32_t shift) {
    for (std::size_t row = 0; row < numbers.size(); ++row) {
      const std::uint32_t type = m_.metadata[edit_.operand(tuple, row)].type;
      tuple = edit_.with_operand(tuple, row, edit_.metadata_value(edit_.integer(type, numbers[row] + shift)));
    }
    return tuple;
  }

  // --- resources ---

  bool resources() {
    const std::vector<ProgramResource>* const lists[kResourceClasses] = {&metadata_.shader_resources, &metadata_.unordered_access,
                                                                         &metadata_.constant_buffers, &metadata_.samplers};
    std::vector<std::pair<std::uint32_t, std::string>> edits;
    std::vector<std::string> names;
    std::vector<std::string> changed;
    const auto roots = nodes("dx.resources");
    if (roots.empty()) return true;
    for (std::size_t c = 0; c < kResourceClasses; ++c) {
      const std::uint32_t list = edit_.operand(roots[0], c);
      for (std::size_t k = 0; k < size_of(list); ++k) {
        const std::uint32_t resource = edit_.operand(list, k);
        const std::string name(text_of(edit_.operand(resource, kResourceName)));
        const auto is_of_this = [&](const Rename& n) { return n.what == NameKind::resource && n.from == name && !name.empty(); };
        const auto change = std::find_if(changes_.begin(), changes_.end(), is_of_this);
        if (change == changes_.end()) {
          names.push_back(name);
          continue;
        }
        for (auto same = change; same != changes_.end(); same = std::find_if(same + 1, changes_.end(), is_of_this)) {
          out_.found[static_cast<std::size_t>(same - changes_.begin())] = true;
          if (same->to != change->to) return fail(ErrorCode::bad_value, "dx.resources", renamed_twice(name, change->to, same->to));
        }
        names.push_back(change->to);
        changed.push_back(change->to);
        edits.emplace_back(resource, change->to);
        if (k >= lists[c]->size()) continue;
        const ProgramResource& r = (*lists[c])[k];
        rename_symbol(r.symbol, name, change->to);
        if (r.resource_class == ResourceClass::cbuffer) rename_types(r.type, name, change->to);
      }
    }
    for (const std::string& name : changed)
      if (std::count(names.begin(), names.end(), name) > 1)
        return fail(ErrorCode::bad_value, "dx.resources", "the name " + name + " is already in use");
    for (const auto& [resource, name] : edits) edit_.set_operand(resource, kResourceName, edit_.text(name));
    return true;
  }

  std::uint32_t struct_of(std::uint32_t type) const {
    while (type < m_.types.size() && (m_.types[type].kind == TypeKind::pointer || m_.types[type].kind == TypeKind::array))
      type = m_.element_of(type);
    return type < m_.types.size() && m_.types[type].kind == TypeKind::structure ? type : kNone;
  }

  /// A buffer that was declared with its members has a type of its own name. Copies of it for layout have a prefix.
  void rename_types(std::uint32_t type, std::string_view from, std::string_view to) {
    const std::uint32_t own = struct_of(type);
    if (own == kNone) return;
    constexpr std::string_view kPrefixes[] = {"", "hostlayout.", "dx.alignment.legacy."};
    const auto is_own = [&](std::string_view name) {
      return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return name == std::string(prefix) + std::string(from); });
    };
    if (!is_own(m_.text(m_.types[own].name))) return;
    for (std::uint32_t i = 0; i < m_.file_types; ++i) {
      const std::string_view name = m_.text(m_.types[i].name);
      if (m_.types[i].kind != TypeKind::structure || name.empty() || !is_own(name)) continue;
      types_[i] = std::string(name.substr(0, name.size() - from.size())) + std::string(to);
    }
  }
  /// All at once; a type stays as it is called if another one keeps that name.
  void types() {
    std::unordered_set<std::string_view> kept;
    for (std::uint32_t i = 0; i < m_.types.size(); ++i)
      if (!m_.types[i].name.empty() && !types_.contains(i)) kept.insert(m_.text(m_.types[i].name));
    // One that stays may be in the way of the next.
    for (bool again = true; again;) {
      again = false;
      for (auto type = types_.begin(); type != types_.end();) {
        if (!kept.contains(type->second)) {
          ++type;
          continue;
        }
        kept.insert(m_.text(m_.types[type->first].name));
        type = types_.erase(type);
        again = true;
      }
    }
    for (const auto& [type, name] : types_) edit_.rename_type(type, name);
  }

  // --- members of buffers and their structures ---

  /// A structure whose members have names.
  struct Annotated {
    std::uint32_t list = kNone;        ///< of annotations
    std::size_t place = 0;             ///< in it
    std::string structure;             ///< as HLSL calls it; types that LLVM told apart have one
    std::vector<std::string> buffers;  ///< whose contents it is
  };

  /// `Light` of `hostlayout.struct.Light.0`: what LLVM and dxc put around a name tells of layout.
  static std::string structure_name(std::string_view name) {
    for (const std::string_view prefix : {"dx.alignment.legacy.", "hostlayout.", "struct.", "class."})
      if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
    const std::size_t digits = name.find_last_not_of("0123456789");
    if (digits != name.npos && digits + 1 < name.size() && digits > 0 && name[digits] == '.') name = name.substr(0, digits);
    return std::string(name);
  }

  std::vector<Annotated> annotated_structures() const {
    std::vector<Annotated> result;
    // What buffers hold: of structured ones the only member of the type that is the buffer.
    std::unordered_multimap<std::uint32_t, std::string_view> contents;
    std::unordered_set<std::uint32_t> objects;
    for (const ProgramResource& r : metadata_.constant_buffers)
      if (const std::uint32_t type = struct_of(r.type); type != kNone) contents.emplace(type, r.name);
    for (const auto* list : {&metadata_.shader_resources, &metadata_.unordered_access, &metadata_.samplers}) {
      for (const ProgramResource& r : *list) {
        const std::uint32_t type = struct_of(r.type);
        if (type == kNone) continue;
        objects.insert(type);
        if (r.kind != ResourceKind::structured_buffer || m_.types[type].parts.count != 1) continue;
        if (const std::uint32_t element = struct_of(m_.element_of(type)); element != kNone) contents.emplace(element, r.name);
      }
    }
    for (const std::uint32_t list : nodes("dx.typeAnnotations")) {
      if (list >= m_.metadata.size() || module::MetadataTuple::of(m_, &m_.metadata[list]).integer(0) != kStructAnnotations) continue;
      for (std::size_t i = 1; i + 1 < size_of(list); i += 2) {
        const std::uint32_t value = value_of(edit_.operand(list, i));
        if (value >= m_.values.size()) continue;
        const std::uint32_t type = m_.values[value].type;
        if (type >= m_.types.size() || objects.contains(type)) continue;
        Annotated& one = result.emplace_back(Annotated{list, i + 1, structure_name(m_.text(m_.types[type].name)), {}});
        const auto [first, last] = contents.equal_range(type);
        for (auto buffer = first; buffer != last; ++buffer) one.buffers.emplace_back(buffer->second);
      }
    }
    return result;
  }

  /// Calls `visit` with each member's place in the annotation, the place of its name in the member's list, and the name.
  template <class Visit>
  void for_each_member(std::uint32_t annotation, Visit&& visit) const {
    for (std::size_t k = 1; k < size_of(annotation); ++k) {
      const std::uint32_t field = edit_.operand(annotation, k);
      for (std::size_t t = 0; t + 1 < size_of(field); t += 2)
        if (module::MetadataTuple::of(m_, &m_.metadata[field]).integer(t) == kFieldNameTag)
          visit(k, t + 1, text_of(edit_.operand(field, t + 1)));
    }
  }

  bool variables() {
    if (std::ranges::none_of(changes_, [](const Rename& change) { return change.what == NameKind::variable; })) return true;
    const std::vector<Annotated> all = annotated_structures();
    // Which changes are for which structure: by a buffer's name, else by the structure's, else by the member's alone.
    std::vector<std::vector<std::size_t>> wanted(all.size());
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      if (changes_[i].what != NameKind::variable) continue;
      const std::string_view from = changes_[i].from;
      constexpr unsigned kNoRank = 3;
      unsigned best = kNoRank;
      std::vector<std::size_t> found;
      for (std::size_t k = 0; k < all.size(); ++k) {
        unsigned rank = kNoRank;
        for_each_member(edit_.operand(all[k].list, all[k].place), [&](std::size_t, std::size_t, std::string_view name) {
          if (name.empty() || !from.ends_with(name)) return;
          const std::string_view in_front = from.substr(0, from.size() - name.size());
          const auto is_of = [&](std::string_view owner) {
            return in_front.size() == owner.size() + 1 && in_front.ends_with('.') && in_front.starts_with(owner);
          };
          if (std::ranges::any_of(all[k].buffers, is_of))
            rank = 0;
          else if (is_of(all[k].structure))
            rank = std::min(rank, 1U);
          else if (in_front.empty())
            rank = std::min(rank, 2U);
        });
        if (rank == kNoRank || rank > best) continue;
        if (rank < best) found.clear();
        best = rank;
        found.push_back(k);
      }
      for (const std::size_t k : found) {
        if (all[k].structure != all[found[0]].structure)
          return fail(ErrorCode::bad_value, "dx.typeAnnotations",
                      all[k].structure + " and " + all[found[0]].structure + " have a member " + changes_[i].from +
                          ": give it as BUFFER.NAME or STRUCTURE.NAME");
        wanted[k].push_back(i);
      }
      if (!found.empty()) out_.found[i] = true;
    }
    for (std::size_t k = 0; k < all.size(); ++k)
      if (!wanted[k].empty() && !members(all[k], wanted[k])) return false;
    return true;
  }

  bool members(const Annotated& structure, std::span<const std::size_t> wanted) {
    const std::uint32_t tuple = edit_.operand(structure.list, structure.place);
    std::uint32_t now = tuple;
    std::vector<std::string> names;
    std::vector<std::string> changed;
    struct Edit {
      std::size_t member, place;
      std::string_view name;
    };
    std::vector<Edit> edits;
    std::string contradiction;
    for_each_member(tuple, [&](std::size_t member, std::size_t place, std::string_view name) {
      const auto is_of = [&](std::size_t i) {
        const std::string_view from = changes_[i].from;
        return !name.empty() && (from == name || (from.ends_with(name) && from[from.size() - name.size() - 1] == '.'));
      };
      const auto change = std::ranges::find_if(wanted, is_of);
      if (change == wanted.end()) return names.emplace_back(name), void();
      const std::string_view to = member_name(changes_[*change].to);
      for (auto other = change + 1; other != wanted.end(); ++other)
        if (is_of(*other) && member_name(changes_[*other].to) != to)
          contradiction = renamed_twice(name, changes_[*change].to, changes_[*other].to);
      names.emplace_back(to);
      changed.emplace_back(to);
      edits.push_back({member, place, to});
    });
    if (!contradiction.empty()) return fail(ErrorCode::bad_value, "dx.typeAnnotations", std::move(contradiction));
    for (const std::string& name : changed)
      if (std::count(names.begin(), names.end(), name) > 1)
        return fail(ErrorCode::bad_value, "dx.typeAnnotations", "the name " + name + " is already in use");
    for (const Edit& edit : edits)
      now = edit_.with_operand(now, edit.member, edit_.with_operand(edit_.operand(tuple, edit.member), edit.place, edit_.text(edit.name)));
    if (now != tuple) edit_.set_operand(structure.list, structure.place, now);
    if (!edits.empty() && structure.buffers.size() > 1)
      out_.notes.push_back("several buffers have the type " + structure.structure + ": its members are renamed in all of them");
    return true;
  }
  /// Both names may have an owner in front.
  static std::string_view member_name(std::string_view to) { return to.substr(to.rfind('.') == to.npos ? 0 : to.rfind('.') + 1); }

  // --- nodes of work graphs ---

  /// Calls `visit` with each id of a node that entries have or refer to: a list of a name and an index. Each list is looked at once.
  template <class Visit>
  void for_each_node_id(Visit&& visit) const {
    std::unordered_set<std::uint32_t> seen;
    const auto tagged = [&](std::uint32_t list, auto&& each) {
      if (!seen.insert(list).second) return;
      for (std::size_t i = 0; i + 1 < size_of(list); i += 2)
        each(module::MetadataTuple::of(m_, &m_.metadata[list]).integer(i).value_or(~std::uint64_t{0}), edit_.operand(list, i + 1));
    };
    const auto of_entry = [&](std::uint64_t tag, std::uint32_t value) {
      if (tag == kNodeId || tag == kNodeSharesInputOf) visit(value);
      if ((tag != kNodeOutputs && tag != kNodeInputs) || !seen.insert(value).second) return;
      for (std::size_t k = 0; k < size_of(value); ++k)
        tagged(edit_.operand(value, k), [&](std::uint64_t io_tag, std::uint32_t id) {
          if (io_tag == kNodeOutputId) visit(id);
        });
    };
    for (const EntryPoint& entry : metadata_.entries) tagged(entry.properties, of_entry);
  }

  static std::string text_of(const EditedNode& node) { return node.name + '[' + std::to_string(node.index) + ']'; }

  bool node_ids() {
    if (std::ranges::none_of(changes_, [](const Rename& change) { return change.what == NameKind::node; })) return true;
    std::vector<std::uint32_t> ids;
    for_each_node_id([&](std::uint32_t id) { ids.push_back(id); });
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    struct Edit {
      std::uint32_t node;
      EditedNode to;
    };
    std::vector<Edit> edits;
    std::map<EditedNode, EditedNode> came_from;
    for (const std::uint32_t id : ids) {
      const module::MetadataTuple tuple = module::MetadataTuple::of(m_, id < m_.metadata.size() ? &m_.metadata[id] : nullptr);
      const EditedNode was{std::string(tuple.text(0)), tuple.u32(1)};
      std::optional<EditedNode> now;
      for (std::size_t i = 0; i < changes_.size(); ++i) {
        if (changes_[i].what != NameKind::node) continue;
        const auto to = renamed_node(was, changes_[i]);
        if (!to) continue;
        out_.found[i] = true;
        if (now && *now != *to)
          return fail(ErrorCode::bad_value, "dx.entryPoints", renamed_twice(text_of(was), text_of(*now), text_of(*to)));
        if (now) continue;
        now = to;
        edits.push_back({id, *to});
      }
      const EditedNode is = now.value_or(was);
      const auto [other, is_new] = came_from.try_emplace(is, was);
      if (!is_new && other->second != was) return fail(ErrorCode::bad_value, "dx.entryPoints", "duplicate node " + text_of(is));
    }
    for (const Edit& edit : edits) {
      edit_.set_operand(edit.node, 0, edit_.text(edit.to.name));
      const std::uint32_t index = edit_.operand(edit.node, 1);
      if (index != kNone && m_.metadata[index].kind == MetadataKind::value)
        edit_.set_operand(edit.node, 1, edit_.metadata_value(edit_.integer(m_.metadata[index].type, edit.to.index)));
    }
    return true;
  }

  ModuleEdit& edit_;
  const Module& m_;
  std::span<const Rename> changes_;
  ProgramMetadata metadata_;                              // its texts are good until the first edit
  std::map<std::uint32_t, std::string> symbols_, types_;  // new names, by value and by type
  ModuleChanges out_;
  std::optional<Error> error_;
};

}  // namespace

}  // namespace unshade::dxil::edit

namespace unshade::dxil {

Result<ModuleChanges> rename(ModuleEdit& module, std::span<const Rename> changes) { return edit::Renamer(module, changes).run(); }

}  // namespace unshade::dxil
