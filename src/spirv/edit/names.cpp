#include <unshade/spirv/edit_names.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <unshade/core/text/lowered.hpp>
#include <unshade/core/text/new_names.hpp>
#include <unshade/core/text/semantic_name.hpp>
#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/word_writer.hpp>

#include "spirv/grammar/instruction_words.hpp"

namespace unshade::spirv {

namespace {

// Words of instructions that edits change.
constexpr std::uint32_t kEntryModel = 1;
constexpr std::uint32_t kEntryName = 3;
constexpr std::uint32_t kMember = 2;
constexpr std::uint32_t kName = 2;
constexpr std::uint32_t kMemberName = 3;
constexpr std::uint32_t kDecoration = 2;  // one later for members
constexpr std::uint32_t kDecorationValue = 3;

// --- words -----------------------------------------------------------------------------------------------------------------------------

class Words : public WordWriter {
 public:
  using WordWriter::WordWriter;

  /// The instruction with another text at a word. False if it would be too long.
  bool put_with_text(const Instruction& i, std::uint32_t word, std::size_t old_size, std::string_view text) {
    const std::size_t old_words = old_size / 4 + 1;
    const std::size_t count = i.word_count() - old_words + text_words(text);
    if (count > grammar::kMostWords) return false;
    put(static_cast<std::uint32_t>(count) << 16 | static_cast<std::uint32_t>(i.opcode()));
    for (std::uint32_t k = 1; k < word; ++k) put(i.word(k));
    put_text(text);
    for (std::uint32_t k = word + static_cast<std::uint32_t>(old_words); k < i.word_count(); ++k) put(i.word(k));
    return true;
  }
  /// The instruction with another word.
  void put_with_word(const Instruction& i, std::uint32_t word, std::uint32_t value) {
    for (std::uint32_t k = 0; k < i.word_count(); ++k) put(k == word ? value : i.word(k));
  }
};

// --- names -----------------------------------------------------------------------------------------------------------------------------

/// A thing that has a name: an id, or a member of a struct.
struct Thing {
  std::uint32_t id = 0;
  std::uint32_t member = grammar::kNoMember;
  friend auto operator<=>(const Thing&, const Thing&) = default;
};

/// The name of a thing, and its new OpName.
struct Change {
  std::string from;  ///< empty: it had none
  std::string to;
};

class Renamer {
 public:
  explicit Renamer(const Module& module) : module_(module), interface_(interface_of(module)) {}

  Result<Edited> run(std::span<const Rename> renames, std::vector<bool>* all_found) {
    if (all_found != nullptr) all_found->assign(renames.size(), false);
    for (const Rename& rename : renames)
      if (rename.what == NameKind::node) return no_nodes(module_.bytes().file_offset());
    for (const Rename& rename : renames) {
      if (auto good = check_name(rename); !good) return std::move(good).error();
      rename_ = &rename;
      auto found = rename.what == NameKind::entry      ? entry()
                   : rename.what == NameKind::resource ? resource()
                   : rename.what == NameKind::variable ? variable()
                                                       : element();
      if (!found) return std::move(found).error();
      if (all_found != nullptr) {
        (*all_found)[static_cast<std::size_t>(&rename - renames.data())] = *found;
      } else if (!*found) {
        return Error{ErrorCode::missing, module_.bytes().file_offset(), "module", "no name " + quoted(rename.from)};
      }
    }
    if (auto free = check_taken(); !free) return std::move(free).error();
    return write();
  }

 private:
  Error refused(std::string message) const { return {ErrorCode::bad_value, module_.bytes().file_offset(), "module", std::move(message)}; }

  static std::string shown(const std::string& name, std::uint32_t id) { return name.empty() ? '_' + std::to_string(id) : name; }

  /// Whether a thing may have the name in a language that it may come from; what it is called already it may.
  Result<void> check_name(const Rename& rename) const {
    const std::string_view to = rename.to;
    if (to.empty() || to.find('\0') != std::string_view::npos) return refused("a name must not be empty or contain a zero");
    if (to == rename.from) return {};
    const bool is_element = rename.what == NameKind::input || rename.what == NameKind::output || rename.what == NameKind::patch;
    if (is_element && same_letters(to.substr(0, 3), "sv_"))
      return refused(quoted(to) + " is the name of a system value, which nothing can become");
    // glslang's own names begin so: `@entryPointOutput`
    const std::string_view plain = to.substr(to.starts_with('@') ? 1 : 0);
    // of a variable, variable() asks it: there may be the block in front
    if (rename.what == NameKind::entry ? !is_qualified_name(to) : rename.what != NameKind::variable && !is_dotted_name(plain))
      return refused(quoted(to) + " is not a valid name in HLSL");
    return {};
  }
  /// `main`, `lighting::main`
  static bool is_qualified_name(std::string_view text) {
    for (std::size_t end = text.find("::"); end != std::string_view::npos; end = text.find("::")) {
      if (!is_identifier(text.substr(0, end))) return false;
      text.remove_prefix(end + 2);
    }
    return is_identifier(text);
  }

  /// Notes a change, unless there is another one of the same.
  Result<bool> change(std::map<Thing, Change>& changes, Thing thing, const std::string& from, std::string_view to) const {
    const auto [at, is_new] = changes.try_emplace(thing, Change{from, std::string(to)});
    if (!is_new && at->second.to != to) return refused(renamed_twice(shown(from, thing.id), at->second.to, to));
    return true;
  }
  Result<bool> change(Thing thing, const std::string& from, std::string_view to) { return change(changes_, thing, from, to); }

  // --- entry points

  Result<bool> entry() {
    bool found = false;
    for (const EntryPoint& e : interface_.entry_points) {
      if (rename_->from.empty() ? interface_.entry_points.size() != 1 : e.name != rename_->from) continue;
      found = true;
      const auto [at, is_new] = entries_.try_emplace({static_cast<std::uint32_t>(e.model), e.name}, rename_->to);
      if (!is_new && at->second != rename_->to) return refused(renamed_twice(e.name, at->second, rename_->to));
      functions_.emplace(e.function, Change{e.name, std::string(rename_->to)});
    }
    if (!found && rename_->from.empty()) return refused("the module does not have exactly one entry point: give its name");
    return found;
  }

  // --- variables

  bool is_on_side(const Variable& variable, bool is_patch) const {
    const bool is_input = variable.storage == StorageClass::input;
    if (!is_input && variable.storage != StorageClass::output) return false;
    if (rename_->what == NameKind::patch) return is_patch;
    return is_input == (rename_->what == NameKind::input);
  }

  /// The struct that a type is, or an array of which.
  const Type* struct_of(std::uint32_t place) const {
    const Type* type = interface_.type(place);
    while (type != nullptr && (type->kind == TypeKind::array || type->kind == TypeKind::runtime_array))
      type = interface_.type(type->element);
    return type != nullptr && type->kind == TypeKind::structure ? type : nullptr;
  }

  /// A name between a prefix and `name` that the compiler put together: `in.var.TEXCOORD0` of dxc.
  static bool is_made_of(std::string_view made, std::string_view name) {
    return made.size() > name.size() && made.ends_with(name) && made[made.size() - name.size() - 1] == '.';
  }
  static std::string made_of(std::string_view made, std::string_view old, std::string_view name) {
    return std::string(made.substr(0, made.size() - old.size())) + std::string(name);
  }

  Result<bool> element() {
    bool found = false;
    for (const Variable& v : interface_.variables) {
      const Decorations& d = interface_.of(v);
      const Type* const block = struct_of(v.type);
      const std::string block_name = v.name.empty() && block != nullptr ? shown(block->name, v.id) : shown(v.name, v.id);
      if (is_on_side(v, d.patch)) {
        auto one = located({v.id, grammar::kNoMember}, v.name, shown(v.name, v.id), {}, d);
        if (!one) return one;
        found |= *one;
      }
      if (block == nullptr) continue;
      std::uint32_t number = 0;
      for (const StructMember& member : interface_.members_of(*block)) {
        const std::uint32_t at = number++;
        const Decorations& of_member = interface_.of(member);
        if (!is_on_side(v, d.patch || of_member.patch)) continue;
        const std::string name = member.name.empty() ? "_m" + std::to_string(at) : member.name;
        auto one = located({block->id, at}, member.name, block_name + '.' + name, block_name, of_member);
        if (!one) return one;
        found |= *one;
      }
    }
    return found;
  }

  /// A variable or member with a location, if it is the one that is meant. `full`: with its block in front.
  Result<bool> located(Thing thing, const std::string& name, const std::string& full, std::string_view block, const Decorations& d) {
    const std::string_view from = rename_->from;
    const SemanticName old = split_semantic(d.semantic);
    const bool is_semantic =
        !d.semantic.empty() && (same_letters(d.semantic, from) || means_semantic(from, old.name, old.index.value_or(0)));
    const bool is_member = thing.member != grammar::kNoMember;
    const bool is_named = full == from || (is_member && name == from && !name.empty());
    if (!is_semantic && !is_named) return false;
    std::string_view to = rename_->to;
    if (is_member && to.size() > block.size() && to.starts_with(block) && to[block.size()] == '.') to.remove_prefix(block.size() + 1);
    if (d.builtin && to != name) return refused(quoted(full) + " is a built-in and cannot be renamed");
    if (is_semantic) {
      if (lower(from[0]) == 's' && same_letters(from.substr(0, 3), "sv_") && to != d.semantic)
        return refused(quoted(from) + " is a system value and cannot be renamed");
      const SemanticName wanted = split_semantic(to);
      if (wanted.is_beyond) return refused("the index of " + quoted(to) + " exceeds 4294967295");
      // without an index of its own the new name keeps the old one's, as it is written
      std::string semantic(to);
      if (!wanted.index) semantic += d.semantic.substr(old.name.size());
      if (auto done = change(semantics_, thing, d.semantic, semantic); !done) return done;
      if (is_made_of(name, d.semantic)) return change(thing, name, made_of(name, d.semantic, semantic));
      if (name != d.semantic) return true;
      return change(thing, name, semantic);
    }
    return change(thing, name, to);
  }

  static bool is_resource(const Variable& v) {
    switch (v.storage) {
      case StorageClass::uniform_constant:
      case StorageClass::uniform:
      case StorageClass::storage_buffer:
      case StorageClass::push_constant:
      case StorageClass::image:
      case StorageClass::atomic_counter:
      case StorageClass::shader_record_buffer_khr: return true;
      default: return false;
    }
  }

  Result<bool> resource() {
    bool found = false;
    for (const Variable& v : interface_.variables) {
      if (!is_resource(v)) continue;
      const Type* const block = struct_of(v.type);
      const bool is_by_block = v.name.empty() && block != nullptr && !block->name.empty();
      const std::string name = is_by_block ? block->name : shown(v.name, v.id);
      if (name != rename_->from) continue;
      found = true;
      if (is_by_block) {
        if (auto done = change({block->id, grammar::kNoMember}, block->name, rename_->to); !done) return done;
        continue;
      }
      if (auto done = change({v.id, grammar::kNoMember}, v.name, rename_->to); !done) return done;
      if (block == nullptr || v.name.empty() || !is_made_of(block->name, v.name)) continue;
      if (auto done = change({block->id, grammar::kNoMember}, block->name, made_of(block->name, v.name, rename_->to)); !done) return done;
    }
    return found;
  }

  /// Members that a request may mean, each once.
  struct Met {
    std::set<Thing> things;
    Thing last;
    std::string old;  ///< name of the last
  };

  void look_into(const Type& block, std::string_view variable_name, Met& met) const {
    const std::string_view from = rename_->from;
    std::uint32_t number = 0;
    for (const StructMember& member : interface_.members_of(block)) {
      const std::uint32_t at = number++;
      const std::string name = member.name.empty() ? "_m" + std::to_string(at) : member.name;
      const auto is_in = [&](std::string_view of) {
        return !of.empty() && from.size() == of.size() + 1 + name.size() && from.starts_with(of) && from[of.size()] == '.' &&
               from.ends_with(name);
      };
      if (name != from && !is_in(variable_name) && !is_in(block.name)) continue;
      if (met.things.insert({block.id, at}).second) met.last = {block.id, at}, met.old = member.name;
    }
  }

  Result<bool> variable() {
    Met met;
    std::vector<const Type*> blocks;
    for (const Variable& v : interface_.variables) {
      const Type* const block = is_resource(v) ? struct_of(v.type) : nullptr;
      if (block == nullptr) continue;
      look_into(*block, v.name, met);
      blocks.push_back(block);
    }
    std::set<const Type*> seen(blocks.begin(), blocks.end());
    while (met.things.empty() && !blocks.empty()) {
      const Type* const block = blocks.back();
      blocks.pop_back();
      for (const StructMember& member : interface_.members_of(*block)) {
        const Type* const inner = struct_of(member.type);
        if (inner == nullptr || !seen.insert(inner).second) continue;
        look_into(*inner, {}, met);
        blocks.push_back(inner);
      }
    }
    for (const Constant& constant : interface_.constants) {
      if (!constant.is_spec || shown(constant.name, constant.id) != rename_->from) continue;
      if (met.things.insert({constant.id, grammar::kNoMember}).second)
        met.last = {constant.id, grammar::kNoMember}, met.old = constant.name;
    }
    if (met.things.size() > 1) return refused("several blocks have a variable " + quoted(rename_->from) + ": give it as block.member");
    if (met.things.empty()) return false;
    // both names may have the block in front
    std::string_view to = rename_->to;
    const auto dot = rename_->from.rfind('.');
    if (dot != std::string_view::npos && rename_->from != met.old && to.starts_with(rename_->from.substr(0, dot + 1)) &&
        to.size() > dot + 1)
      to.remove_prefix(dot + 1);
    if (to != met.old && !is_identifier(to.substr(to.starts_with('@') ? 1 : 0)))
      return refused(quoted(to) + " is not a valid name in HLSL");
    return change(met.last, met.old, to);
  }

  // --- the whole

  /// The same for semantics that HLSL does not tell apart: `texcoord` and `TEXCOORD0`.
  static std::string semantic_key(std::string_view semantic) {
    const SemanticName split = split_semantic(semantic);
    return lowered(split.name) + (split.is_beyond ? "" : std::to_string(split.index.value_or(0)));
  }

  /// Names that two things of one kind would have, and did not before.
  Result<void> check_taken() const {
    const auto new_name = [&](const Thing& thing, const std::string& name) -> const std::string& {
      const auto found = changes_.find(thing);
      return found != changes_.end() ? found->second.to : name;
    };
    // resources with specialization constants, inputs and outputs: these do not meet. Two things without a name have not the same one.
    enum class Kind : std::uint8_t { global, input, output, input_semantic, output_semantic, patch_semantic };
    std::map<std::pair<Kind, std::string>, std::string> old_names;  // by the new one
    const auto is_free_name = [&](Kind kind, const std::string& old, const std::string& name) -> Result<void> {
      if (name.empty()) return {};
      const auto [at, is_new] = old_names.try_emplace({kind, name}, old);
      if (!is_new && (at->second != old || old.empty())) return refused(quoted(name) + " is already in use");
      return {};
    };
    const auto is_free = [&](Kind kind, const Thing& thing, const std::string& old) {
      return is_free_name(kind, old, new_name(thing, old));
    };
    for (const Variable& v : interface_.variables) {
      const bool is_input = v.storage == StorageClass::input;
      if (!is_resource(v) && !is_input && v.storage != StorageClass::output) continue;
      const Kind kind = is_resource(v) ? Kind::global : is_input ? Kind::input : Kind::output;
      const Type* const block = struct_of(v.type);
      const bool is_by_block = is_resource(v) && v.name.empty() && block != nullptr && !block->name.empty();
      if (auto free =
              is_by_block ? is_free(kind, {block->id, grammar::kNoMember}, block->name) : is_free(kind, {v.id, grammar::kNoMember}, v.name);
          !free)
        return free;
      const Decorations& d = interface_.of(v);
      if (is_resource(v) || d.semantic.empty()) continue;
      const auto semantic = semantics_.find({v.id, grammar::kNoMember});
      if (auto free = is_free_name(d.patch    ? Kind::patch_semantic
                                   : is_input ? Kind::input_semantic
                                              : Kind::output_semantic,
                                   semantic_key(d.semantic), semantic_key(semantic != semantics_.end() ? semantic->second.to : d.semantic));
          !free)
        return free;
    }
    for (const Constant& constant : interface_.constants) {
      if (!constant.is_spec) continue;
      if (auto free = is_free(Kind::global, {constant.id, grammar::kNoMember}, constant.name); !free) return free;
    }
    for (const Type& type : interface_.types) {
      if (type.kind != TypeKind::structure) continue;
      const auto first = changes_.lower_bound({type.id, 0});
      if (first == changes_.end() || first->first.id != type.id || first->first.member == grammar::kNoMember) continue;
      std::map<std::string, std::string> names;
      std::uint32_t number = 0;
      for (const StructMember& member : interface_.members_of(type)) {
        const std::string& name = new_name({type.id, number++}, member.name);
        if (name.empty()) continue;
        const auto [at, is_new] = names.try_emplace(name, member.name);
        if (!is_new && (at->second != member.name || member.name.empty())) return refused(quoted(name) + " is already in use");
      }
    }
    std::map<std::pair<std::uint32_t, std::string>, std::string> entries;
    for (const EntryPoint& e : interface_.entry_points) {
      const auto model = static_cast<std::uint32_t>(e.model);
      const auto found = entries_.find({model, e.name});
      const std::string& name = found != entries_.end() ? found->second : e.name;
      const auto [at, is_new] = entries.try_emplace({model, name}, e.name);
      if (!is_new && at->second != e.name) return refused("an entry point " + quoted(name) + " already exists");
    }
    return {};
  }

  /// The name that an instruction is to have, and the word where it is; nothing if it stays.
  struct NewText {
    std::uint32_t word = 0;
    const std::string* text = nullptr;
  };
  NewText new_text(const Instruction& i, const std::string& old) const {
    switch (i.opcode()) {
      case Opcode::entry_point: {
        const auto found = entries_.find({i.word(kEntryModel), old});
        return found != entries_.end() ? NewText{kEntryName, &found->second} : NewText{};
      }
      case Opcode::name: {
        const auto found = changes_.find({i.word(grammar::kTargetWord), grammar::kNoMember});
        if (found != changes_.end()) return found->second.from == old ? NewText{kName, &found->second.to} : NewText{};
        const auto function = functions_.find(i.word(grammar::kTargetWord));
        return function != functions_.end() && function->second.from == old ? NewText{kName, &function->second.to} : NewText{};
      }
      case Opcode::member_name: {
        const auto found = changes_.find({i.word(grammar::kTargetWord), i.word(kMember)});
        return found != changes_.end() && found->second.from == old ? NewText{kMemberName, &found->second.to} : NewText{};
      }
      case Opcode::decorate_string:
      case Opcode::member_decorate_string: {
        const bool is_member = i.opcode() == Opcode::member_decorate_string;
        if (static_cast<Decoration>(i.word(is_member ? kDecoration + 1 : kDecoration)) != Decoration::user_semantic) return {};
        const auto found = semantics_.find({i.word(grammar::kTargetWord), is_member ? i.word(kMember) : grammar::kNoMember});
        if (found == semantics_.end() || found->second.from != old) return {};
        return {is_member ? kDecorationValue + 1 : kDecorationValue, &found->second.to};
      }
      default: return {};
    }
  }
  static std::uint32_t text_word(const Instruction& i) {
    switch (i.opcode()) {
      case Opcode::entry_point: return kEntryName;
      case Opcode::name: return kName;
      case Opcode::member_name: return kMemberName;
      case Opcode::decorate_string: return kDecorationValue;
      case Opcode::member_decorate_string: return kDecorationValue + 1;
      default: return 0;
    }
  }

  Result<Edited> write() {
    Words out(module_);
    Edited edit;
    bool has_debug = false;
    bool names_ended = false;
    std::string buffer;
    const Error too_long{ErrorCode::limit, module_.bytes().file_offset(), "module", "a name exceeds the length of an instruction"};
    for (const Instruction i : module_) {
      if (!names_ended && i.is_behind(Section::names)) {
        names_ended = true;
        if (!add_names(out, edit.changed)) return too_long;
      }
      if (i.opcode() == Opcode::ext_inst_import) {
        const ExtendedSet set = find_set(literal_string(i, kName, buffer));
        has_debug |= set == ExtendedSet::DebugInfo || set == ExtendedSet::OpenClDebugInfo100 || set == ExtendedSet::ShaderDebugInfo100;
      }
      const std::uint32_t word = text_word(i);
      if (word == 0 || word >= i.word_count()) {
        out.copy(i);
        continue;
      }
      const std::string old = literal_string(i, word);
      const NewText made = new_text(i, old);
      if (made.text == nullptr || *made.text == old) {
        out.copy(i);
        continue;
      }
      edit.changed = true;
      const std::size_t room = std::size_t{4} * (i.word_count() - word);
      if (!out.put_with_text(i, word, std::min(old.size(), room - 1), *made.text)) return too_long;
    }
    edit.bytes = out.take();
    if (edit.changed && has_debug) edit.notes.emplace_back("debug information keeps the old names, which are those of the source");
    return edit;
  }

  /// OpName of things that have none.
  bool add_names(Words& out, bool& changed) {
    for (const auto& [thing, change] : changes_) {
      if (!change.from.empty()) continue;
      changed = true;
      const bool is_member = thing.member != grammar::kNoMember;
      const std::size_t count = (is_member ? 3U : 2U) + Words::text_words(change.to);
      if (count > grammar::kMostWords) return false;
      out.put(static_cast<std::uint32_t>(count) << 16 | static_cast<std::uint32_t>(is_member ? Opcode::member_name : Opcode::name));
      out.put(thing.id);
      if (is_member) out.put(thing.member);
      out.put_text(change.to);
    }
    return true;
  }

  const Module& module_;
  Interface interface_;
  const Rename* rename_ = nullptr;
  std::map<Thing, Change> changes_;
  std::map<Thing, Change> semantics_;
  std::map<std::pair<std::uint32_t, std::string>, std::string> entries_;  // by model and old name
  std::map<std::uint32_t, Change> functions_;
};

// --- bindings --------------------------------------------------------------------------------------------------------------------------

struct Bound {
  std::uint32_t set = 0;
  std::uint32_t binding = 0;
  friend auto operator<=>(const Bound&, const Bound&) = default;
};

std::string place_text(Bound bound) { return "binding " + std::to_string(bound.binding) + " of set " + std::to_string(bound.set); }

}  // namespace

Result<Edited> rename(const Module& module, std::span<const Rename> renames, std::vector<bool>* found) {
  return Renamer(module).run(renames, found);
}

Result<Edited> rebind(const Module& module, std::span<const Rebind> rebinds) {
  for (const Rebind& rebind : rebinds)
    if (rebind.kind != 0)
      return Error{ErrorCode::bad_value, module.bytes().file_offset(), "rebind", "expected a binding number and set without a letter"};
  const Interface interface = interface_of(module);
  const auto refused = [&](ErrorCode code, std::string message) {
    return Error{code, module.bytes().file_offset(), "module", std::move(message)};
  };
  struct Move {
    Bound to;
    bool has_set = false;
    bool has_binding_here = false;  // a decoration of its own, not of a group
    bool has_set_here = false;
  };
  // The target of each, by its present place.
  std::map<Bound, Bound> places;
  for (const Variable& v : interface.variables) {
    const Decorations& d = interface.of(v);
    if (!d.binding) continue;
    const Bound at{d.set.value_or(0), *d.binding};
    places.emplace(at, at);
  }
  std::set<Bound> met;
  for (const Rebind& rebind : rebinds) {
    const Bound from{rebind.from_space, rebind.from};
    const auto found = places.find(from);
    if (found == places.end()) return refused(ErrorCode::missing, "nothing is bound to " + place_text(from));
    if (!met.insert(from).second) return refused(ErrorCode::bad_value, place_text(from) + " is rebound twice");
    found->second = {rebind.to_space.value_or(rebind.from_space), rebind.to};
  }
  std::map<Bound, Bound> taken;
  for (const auto& [from, to] : places)
    if (const auto [at, is_new] = taken.try_emplace(to, from); !is_new)
      return refused(ErrorCode::bad_value, place_text(at->second) + " and " + place_text(from) + " would both be " + place_text(to));

  std::map<std::uint32_t, Move> moves;  // by id
  for (const Variable& v : interface.variables) {
    const Decorations& d = interface.of(v);
    if (!d.binding) continue;
    const Bound at{d.set.value_or(0), *d.binding};
    const Bound to = places.find(at)->second;
    if (to != at) moves[v.id] = {to, d.set.has_value(), false, false};
  }
  const auto decoration_of = [](const Instruction& i) {
    return i.opcode() == Opcode::decorate && i.word_count() > kDecorationValue ? static_cast<Decoration>(i.word(kDecoration))
                                                                               : Decoration::relaxed_precision;
  };
  for (const Instruction i : module) {
    const auto found = i.opcode() == Opcode::decorate ? moves.find(i.word(grammar::kTargetWord)) : moves.end();
    if (found == moves.end()) continue;
    found->second.has_binding_here |= decoration_of(i) == Decoration::binding;
    found->second.has_set_here |= decoration_of(i) == Decoration::descriptor_set;
  }
  for (const auto& [id, move] : moves)
    if (!move.has_binding_here || (move.has_set && !move.has_set_here))
      return refused(ErrorCode::unsupported, "%" + std::to_string(id) + " is bound by a decoration group");

  Words out(module);
  for (const Instruction i : module) {
    const auto found = i.opcode() == Opcode::decorate ? moves.find(i.word(grammar::kTargetWord)) : moves.end();
    const Decoration decoration = found != moves.end() ? decoration_of(i) : Decoration::relaxed_precision;
    if (decoration == Decoration::binding) {
      out.put_with_word(i, kDecorationValue, found->second.to.binding);
      if (!found->second.has_set && found->second.to.set != 0) {
        constexpr std::uint32_t kWords = 4;
        out.put(kWords << 16 | static_cast<std::uint32_t>(Opcode::decorate));
        out.put(i.word(grammar::kTargetWord));
        out.put(static_cast<std::uint32_t>(Decoration::descriptor_set));
        out.put(found->second.to.set);
      }
    } else if (decoration == Decoration::descriptor_set) {
      out.put_with_word(i, kDecorationValue, found->second.to.set);
    } else {
      out.copy(i);
    }
  }
  return Edited{out.take(), !moves.empty(), {}};
}

}  // namespace unshade::spirv
