#include <unshade/pica/edit_names.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text/new_names.hpp>
#include <unshade/pica/instruction.hpp>

#include "pica/characters.hpp"

namespace unshade::pica {

namespace {

Error refused(ErrorCode code, const char* path, std::string message) { return {code, 0, path, std::move(message)}; }

/// What the assembler takes for a name, and `.`, which picasso writes for its `$`.
bool can_be_name(std::string_view text) {
  std::string spelled(text);
  std::replace(spelled.begin(), spelled.end(), '.', '$');
  return characters::is_name(spelled);
}

/// Tables with their code, and the address where they are entered; objects have none.
struct Unit {
  Tables* tables;
  const std::uint32_t* entry;
};

std::vector<Unit> units_of(Shbin& shbin) {
  std::vector<Unit> units;
  for (Executable& e : shbin.executables) units.push_back({&e, &e.entry_words});
  return units;
}
std::vector<Unit> units_of(Object& object) { return {{&object, nullptr}}; }

// --- names -----------------------------------------------------------------------------------------------------------------------------

/// Which texts of a table share their bytes with no other.
class Alone {
 public:
  explicit Alone(const Tables& tables) : size_(tables.symbols.size()) {
    const auto add = [&](const auto& record) { extents_.emplace_back(record.symbol.offset, end_of(record.symbol)); };
    std::for_each(tables.uniforms.begin(), tables.uniforms.end(), add);
    std::for_each(tables.labels.begin(), tables.labels.end(), add);
    std::sort(extents_.begin(), extents_.end());
    std::uint64_t end = 0;
    for (const auto& [from, to] : extents_) ends_before_.push_back(std::exchange(end, std::max(end, to)));
  }

  bool has(const Symbol& symbol) const {
    const std::uint64_t to = end_of(symbol);
    if (to > size_) return false;
    const auto at = std::lower_bound(extents_.begin(), extents_.end(), std::pair<std::uint64_t, std::uint64_t>(symbol.offset, 0));
    if (at == extents_.end() || ends_before_[static_cast<std::size_t>(at - extents_.begin())] > symbol.offset) return false;
    return at + 1 == extents_.end() || (at + 1)->first >= to;
  }

 private:
  static std::uint64_t end_of(const Symbol& symbol) { return std::uint64_t{symbol.offset} + symbol.text.size() + 1; }
  std::size_t size_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> extents_;
  std::vector<std::uint64_t> ends_before_;  ///< of each extent: where those before it end
};

class Renamer {
 public:
  Renamer(std::vector<Unit> units, std::span<const Rename> renames, bool keeps_table)
      : units_(std::move(units)), renames_(renames), keeps_table_(keeps_table) {}

  Result<bool> run() {
    for (const Rename& rename : renames_) {
      if (rename.what == NameKind::node) return no_nodes(0);
      if (rename.what == NameKind::output || rename.what == NameKind::patch)
        return refused(ErrorCode::unsupported, "outputs", "outputs have no names: the rasterizer uses them by type");
    }
    std::vector<bool> found(renames_.size(), false);
    for (Unit& unit : units_) {
      if (auto done = rename(unit, found); !done) return std::move(done).error();
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i]) continue;
      if (renames_[i].from.empty()) return no_entry_label();
      return refused(ErrorCode::missing, "symbols", "no symbol " + quoted(renames_[i].from));
    }
    // Nothing is changed before all is known to be right.
    std::optional<Alone> alone;
    const Tables* of = nullptr;
    for (const Change& change : changes_) {
      Symbol& symbol = *change.symbol;
      Tables& tables = *change.tables;
      if (std::exchange(of, &tables) != &tables) alone.emplace(tables);
      // same length: the extents stay as they are
      const bool fits = !keeps_table_ && symbol.text.size() == change.to.size() && alone->has(symbol);
      if (fits) std::memcpy(tables.symbols.items.data() + symbol.offset, change.to.data(), change.to.size());
      symbol.text = change.to;
    }
    return !changes_.empty();
  }

 private:
  struct Change {
    Tables* tables;
    Symbol* symbol;
    std::string_view to;
  };

  static bool is_input(const Uniform& uniform) { return uniform.first < kUniformConstants; }

  /// By its name, or as inputs are shown: with the number of one of its registers, from 0.
  static bool is_called(const Uniform& uniform, std::string_view name) {
    const std::string_view text = uniform.symbol.text;
    if (name == text) return true;
    if (!is_input(uniform) || text.empty() || !name.starts_with(text)) return false;
    for (unsigned i = 0; i <= static_cast<unsigned>(uniform.last) - uniform.first && i < kInputs && uniform.first <= uniform.last; ++i)
      if (name.substr(text.size()) == std::to_string(i)) return true;
    return false;
  }

  bool is_meant(const Rename& rename, const Unit& unit, const Label& label) const {
    if (rename.what != NameKind::entry) return false;
    if (!rename.from.empty()) return label.symbol.text == rename.from;
    return units_.size() == 1 && unit.entry != nullptr && label.address_words == *unit.entry && !label.symbol.text.empty();
  }

  Result<void> rename(Unit& unit, std::vector<bool>& found) {
    Tables& tables = *unit.tables;
    if (auto done = rename_all(tables, tables.uniforms, found,
                               [&](const Rename& r, const Uniform& u) {
                                 return r.what != NameKind::entry && is_input(u) == (r.what == NameKind::input) && is_called(u, r.from);
                               });
        !done)
      return done;
    return rename_all(tables, tables.labels, found, [&](const Rename& r, const Label& label) { return is_meant(r, unit, label); });
  }

  template <class Record, class IsMeant>
  Result<void> rename_all(Tables& tables, Table<Record>& records, std::vector<bool>& found, IsMeant&& is_meant) {
    std::map<std::string_view, std::string_view> old_names;  // by the new one
    for (Record& record : records) {
      std::string_view name = record.symbol.text;
      const Rename* done_by = nullptr;
      for (std::size_t i = 0; i < renames_.size(); ++i) {
        if (!is_meant(renames_[i], record)) continue;
        found[i] = true;
        name = renames_[i].to;
        if (done_by == nullptr) {
          if (auto done = change(tables, record.symbol, name); !done) return done;
        } else if (done_by->to != name) {
          return refused(ErrorCode::bad_value, "symbols", renamed_twice(record.symbol.text, done_by->to, name));
        }
        done_by = &renames_[i];
      }
      const auto [at, is_new] = old_names.try_emplace(name, record.symbol.text);
      if (!is_new && at->second != record.symbol.text) return taken(name);
    }
    return {};
  }

  Error no_entry_label() const {
    if (units_.size() != 1)
      return refused(ErrorCode::missing, "labels",
                     "expected the name of a label: the file has " + std::to_string(units_.size()) + " executables");
    return refused(ErrorCode::missing, "labels",
                   units_.front().entry == nullptr ? "expected the name of a label: objects have no entry point"
                                                   : "no label has the address of the entry point");
  }

  static Error taken(std::string_view name) { return refused(ErrorCode::bad_value, "symbols", quoted(name) + " is already in use"); }

  Result<void> change(Tables& tables, Symbol& symbol, std::string_view to) {
    if (!can_be_name(to))
      return refused(ErrorCode::bad_value, "symbols",
                     "a name must consist of letters, digits, _, $ and ., and must not begin with a digit, found " + quoted(to));
    if (symbol.text != to) changes_.push_back({&tables, &symbol, to});
    return {};
  }

  std::vector<Unit> units_;
  std::span<const Rename> renames_;
  bool keeps_table_;
  std::vector<Change> changes_;
};

// --- registers ---------------------------------------------------------------------------------------------------------------------------

/// A class of uniform registers.
struct RegisterClass {
  char letter;
  std::uint16_t first;  ///< in the space of uniform records
  std::uint8_t count;
  ConstantType constants;
};
constexpr RegisterClass kClasses[] = {
    {'c', kUniformConstants, kFloatConstants, ConstantType::real},
    {'i', kUniformIntegers, kIntConstants, ConstantType::integer},
    {'b', kUniformBooleans, kBoolConstants, ConstantType::boolean},
};
constexpr std::size_t kClassCount = std::size(kClasses);

std::optional<std::size_t> class_of(char letter) {
  for (std::size_t i = 0; i < kClassCount; ++i)
    if (kClasses[i].letter == letter) return i;
  return std::nullopt;
}

/// The uniform register that an instruction names besides its sources, if any.
std::optional<std::size_t> tested_class(const Instruction& i) {
  for (const char c : info(i.opcode).shape) {
    if (c == 'b' || c == 'n') return 2;
    if (c == 'i') return 1;
  }
  return std::nullopt;
}

class Mover {
 public:
  Mover(std::vector<Tables*> tables, std::vector<std::uint32_t>& code, std::vector<std::string>& notes)
      : tables_(std::move(tables)), code_(code), notes_(notes) {
    for (std::size_t c = 0; c < kClassCount; ++c)
      for (std::size_t i = 0; i < kMostRegisters; ++i) map_[c][i] = static_cast<std::uint8_t>(i);
    collect();
  }

  /// What the hardware writes for an executable before it runs, if that is a geometry shader: vertices in float constants, and b15.
  /// src: GPU/Internal Registers of 3dbrew (GPUREG_GSH_MISC0 and 1); picasso's manual (.gsh)
  void add_fed(const Executable& e, std::size_t number) {
    if (e.stage != Stage::geometry) return;
    const std::string whose = "executables[" + std::to_string(number) + ']';
    feed({kBooleanClass, kBoolConstants - 1, kBoolConstants, false, whose});
    if (e.geometry_mode == GeometryMode::variable) {
      // c0 is the number of vertices
      feed({0, 0, end_of_fed(e, 0, 1U + e.variable_count, kFloatConstants), false, whose});
    } else if (e.geometry_mode == GeometryMode::fixed && e.fixed_start < kFloatConstants) {
      const std::uint32_t least = std::max<std::uint32_t>(e.fixed_count, 1);
      feed({0, e.fixed_start, end_of_fed(e, e.fixed_start, least, kInputs * least), true, whose});
    }
  }

  Result<bool> run(std::span<const Rebind> rebinds) {
    std::set<std::pair<std::size_t, std::uint32_t>> met;
    for (const Rebind& rebind : rebinds)
      if (rebind.from_space != 0 || rebind.to_space.value_or(0) != 0)
        return refused(ErrorCode::bad_value, "rebind", "PICA200 has no register spaces");
    for (const Rebind& rebind : rebinds) {
      const auto c = class_of(rebind.kind);
      if (!c) return refused(ErrorCode::bad_value, "rebind", "expected a c, i or b register");
      const std::string name = rebind.kind + std::to_string(rebind.from);
      const std::uint32_t count = kClasses[*c].count;
      if (rebind.from >= count || !used_[*c][rebind.from]) return refused(ErrorCode::missing, "rebind", name + " is not used");
      std::uint32_t last = rebind.from;
      while (last + 1 < count && joined_[*c][last + 1]) ++last;
      const std::string why = why_fed(*c, rebind.from, last);
      if (rebind.from != 0 && joined_[*c][rebind.from])
        return refused(ErrorCode::missing, "rebind", name + " is not the first register of its uniform" + why);
      if (!met.insert({*c, rebind.from}).second) return refused(ErrorCode::bad_value, "rebind", name + " is moved twice");
      if (rebind.to != rebind.from && is_fixed(*c, rebind.from, last))
        return refused(ErrorCode::unsupported, "rebind", name + " cannot move" + why);
      if (rebind.to >= count || last - rebind.from > count - 1 - rebind.to)
        return refused(ErrorCode::bad_value, "rebind", name + " would exceed the last register" + why);
      for (std::uint32_t i = rebind.from; i <= last; ++i) map_[*c][i] = static_cast<std::uint8_t>(rebind.to + (i - rebind.from));
    }
    for (std::size_t c = 0; c < kClassCount; ++c) {
      std::array<std::optional<std::uint32_t>, kMostRegisters> taken;  // by which
      for (std::uint32_t i = 0; i < kClasses[c].count; ++i) {
        if (!used_[c][i]) continue;
        const std::uint32_t to = map_[c][i];
        const auto by = std::exchange(taken[to], i);
        if (!by) continue;
        const std::string why = why_fed(c, *by, *by);
        return refused(ErrorCode::bad_value, "rebind",
                       std::string("two uniforms would overlap at ") + kClasses[c].letter + std::to_string(to) +
                           (why.empty() ? why_fed(c, i, i) : why));
      }
    }
    return apply();
  }

  /// Where a float constant goes.
  std::uint8_t constant(std::uint8_t number) const { return number < kFloatConstants ? map_[0][number] : number; }

 private:
  static constexpr std::size_t kMostRegisters = kFloatConstants;
  static constexpr std::size_t kBooleanClass = 2;

  /// Registers that the hardware writes.
  struct Fed {
    std::size_t c;
    std::uint32_t first;
    std::uint32_t end;
    bool moves;  ///< all of them, by a field of the executable
    std::string whose;
  };

  void feed(Fed fed) {
    for (std::uint32_t i = fed.first; i < fed.end; ++i) {
      used_[fed.c][i] = true;
      if (i != fed.first) joined_[fed.c][i] = true;
    }
    fed_.push_back(std::move(fed));
  }

  /// No file says how many registers a vertex has: vertices may reach to the next register with a name or a value.
  static std::uint32_t end_of_fed(const Tables& tables, std::uint32_t first, std::uint32_t least, std::uint32_t most) {
    std::uint32_t end = std::min<std::uint32_t>(kFloatConstants, first + most);
    const auto stop_at = [&](std::uint32_t number) {
      if (number >= first + least) end = std::min(end, number);
    };
    for (const Uniform& u : tables.uniforms)
      if (const auto span = span_of(u); span && span->c == 0) stop_at(span->first);
    for (const Constant& constant : tables.constants)
      if (constant.type == ConstantType::real) stop_at(constant.register_index);
    return end;
  }

  bool is_fixed(std::size_t c, std::uint32_t first, std::uint32_t last) const {
    return std::any_of(fed_.begin(), fed_.end(), [&](const Fed& f) { return f.c == c && !f.moves && f.first <= last && first < f.end; });
  }

  /// The end of a message about some registers: those among them that the hardware writes.
  std::string why_fed(std::size_t c, std::uint32_t first, std::uint32_t last) const {
    for (const Fed& f : fed_)
      if (f.c == c && f.first <= last && first < f.end) return ": the hardware writes " + text_of(f);
    return {};
  }

  /// `b15 of the geometry shader executables[0]`
  static std::string text_of(const Fed& f) {
    const auto name = [&](std::uint32_t number) { return kClasses[f.c].letter + std::to_string(number); };
    if (f.c != 0) return name(f.first) + " of the geometry shader " + f.whose;
    return "vertices of the geometry shader " + f.whose + " from " + name(f.first) + " on, possibly up to " + name(f.end - 1);
  }

  /// The registers of a record, if they are of one class: place of the class, first and last number in it.
  struct Span {
    std::size_t c = 0;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  static std::optional<Span> span_of(const Uniform& u) {
    for (std::size_t c = 0; c < kClassCount; ++c) {
      const RegisterClass& k = kClasses[c];
      if (u.first < k.first || u.first >= k.first + k.count || u.last < u.first || u.last >= k.first + k.count) continue;
      return Span{c, u.first - std::uint32_t{k.first}, u.last - std::uint32_t{k.first}};
    }
    return std::nullopt;
  }

  void collect() {
    for (const Tables* t : tables_) {
      for (const Uniform& u : t->uniforms) {
        const auto span = span_of(u);
        if (!span) continue;
        for (std::uint32_t i = span->first; i <= span->last; ++i) {
          used_[span->c][i] = true;
          if (i != span->first) joined_[span->c][i] = true;
        }
      }
      for (const Constant& constant : t->constants)
        for (std::size_t c = 0; c < kClassCount; ++c)
          if (constant.type == kClasses[c].constants && constant.register_index < kClasses[c].count)
            used_[c][constant.register_index] = true;
    }
    for (const std::uint32_t word : code_) {
      const Instruction i = decode(word);
      const int wide = wide_source(format_of(i.opcode));
      if (wide >= 0 && i.source[static_cast<unsigned>(wide)] >= kSourceConstants) {
        const std::uint32_t number = i.source[static_cast<unsigned>(wide)] - std::uint32_t{kSourceConstants};
        used_[0][number] = true;
        if (i.index != Index::none) indexed_[number] = true;
      }
      if (const auto c = tested_class(i); c && i.uniform < kClasses[*c].count) used_[*c][i.uniform] = true;
    }
  }

  bool apply() {
    bool changed = false;
    const auto move = [&](std::size_t c, auto& number) {
      using Number = std::remove_reference_t<decltype(number)>;
      const auto to = static_cast<Number>(map_[c][number]);
      changed |= to != number;
      number = to;
    };
    for (Tables* const t : tables_) {
      for (Uniform& u : t->uniforms) {
        const auto span = span_of(u);
        if (!span) continue;
        const std::uint32_t to = map_[span->c][span->first];
        changed |= to != span->first;
        u.first = static_cast<std::uint16_t>(kClasses[span->c].first + to);
        u.last = static_cast<std::uint16_t>(kClasses[span->c].first + to + (span->last - span->first));
      }
      for (Constant& constant : t->constants)
        for (std::size_t c = 0; c < kClassCount; ++c)
          if (constant.type == kClasses[c].constants && constant.register_index < kClasses[c].count) move(c, constant.register_index);
    }
    for (std::uint32_t& word : code_) {
      Instruction i = decode(word);
      const Instruction before = i;
      const int wide = wide_source(format_of(i.opcode));
      if (wide >= 0 && i.source[static_cast<unsigned>(wide)] >= kSourceConstants) {
        std::uint8_t& source = i.source[static_cast<unsigned>(wide)];
        source = static_cast<std::uint8_t>(kSourceConstants + map_[0][source - kSourceConstants]);
      }
      if (const auto c = tested_class(i); c && i.uniform < kClasses[*c].count) i.uniform = map_[*c][i.uniform];
      if (i == before) continue;
      word = encode(i);
      changed = true;
    }
    if (changed) {
      note_indexes();
      note_fed();
    }
    return changed;
  }

  void note_fed() {
    for (const Fed& f : fed_)
      if (f.c == 0 && map_[0][f.first] != f.first) notes_.push_back("moved as one range: " + text_of(f));
  }

  void note_indexes() {
    for (std::uint32_t i = 0; i < kFloatConstants; ++i) {
      const bool is_alone = !joined_[0][i] && (i + 1 == kFloatConstants || !joined_[0][i + 1]);
      if (indexed_[i] && is_alone)
        notes_.push_back("the code indexes c" + std::to_string(i) +
                         ", whose array size is unknown: other registers that it reaches are not moved");
    }
  }

  std::vector<Tables*> tables_;
  std::vector<std::uint32_t>& code_;
  std::vector<std::string>& notes_;
  std::array<std::array<bool, kMostRegisters>, kClassCount> used_{};
  std::array<std::array<bool, kMostRegisters>, kClassCount> joined_{};  ///< to the register before: one name has both
  std::array<bool, kMostRegisters> indexed_{};
  std::vector<Fed> fed_;
  std::array<std::array<std::uint8_t, kMostRegisters>, kClassCount> map_{};
};

}  // namespace

Result<bool> rename(Shbin& shbin, std::span<const Rename> renames) { return Renamer(units_of(shbin), renames, false).run(); }

// Lines of an object point into the table of texts too.
Result<bool> rename(Object& object, std::span<const Rename> renames) {
  return Renamer(units_of(object), renames, !object.lines.empty()).run();
}

Result<bool> rebind(Shbin& shbin, std::span<const Rebind> rebinds, std::vector<std::string>& notes) {
  std::vector<Tables*> tables;
  for (Executable& e : shbin.executables) tables.push_back(&e);
  Mover mover(std::move(tables), shbin.program.code.items, notes);
  for (std::size_t i = 0; i < shbin.executables.size(); ++i) mover.add_fed(shbin.executables[i], i);
  auto changed = mover.run(rebinds);
  if (!changed) return changed;
  for (Executable& e : shbin.executables) {
    if (e.stage != Stage::geometry || e.geometry_mode != GeometryMode::fixed) continue;
    const std::uint8_t to = mover.constant(e.fixed_start);
    *changed = *changed || to != e.fixed_start;
    e.fixed_start = to;
  }
  return changed;
}

Result<bool> rebind(Object& object, std::span<const Rebind> rebinds, std::vector<std::string>& notes) {
  if (object.stage == Stage::geometry) {
    const auto may_be_fed = [](const Rebind& r) {
      return r.kind == 'c' || (r.kind == 'b' && (r.from == kBoolConstants - 1 || r.to == kBoolConstants - 1));
    };
    if (std::any_of(rebinds.begin(), rebinds.end(), may_be_fed))
      return refused(ErrorCode::unsupported, "rebind",
                     "c registers and b15 of a geometry shader's object cannot move: objects do not state which the hardware writes");
  }
  return Mover({&object}, object.code.items, notes).run(rebinds);
}

}  // namespace unshade::pica
