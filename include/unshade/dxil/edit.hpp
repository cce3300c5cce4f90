// Edits of DXIL: a module taken apart into values, constants, metadata and records of instructions, changed, and written as dxc's writer
// would number and abbreviate it; and what is made of that, in all parts of a container together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/core/edit.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/edit.hpp>
#include <unshade/dxil/bitstream.hpp>
#include <unshade/dxil/enums.hpp>
#include <unshade/dxil/module.hpp>

namespace unshade::dxil {

namespace edit {
class Loader;
class Numbering;
class Writer;
}  // namespace edit

/// A module that can be changed. Numbers of values and metadata are given anew when it is written, in the order in which LLVM 3.7
/// enumerates them: what was not changed comes out bit for bit wherever the file was numbered that way. Borrows the bitcode.
///
/// What is written anew: the module's constants and metadata, constants and instructions of functions, symbol tables, names of structs.
/// Everything else is copied. Of orders of uses (USELIST) the values are numbered anew; if uses came or went, LLVM ignores what no
/// longer fits. src: DXC ValueEnumerator.cpp, BitcodeWriter.cpp
class ModuleEdit {
 public:
  /// A value, however it will be numbered: a global or constant of the module, by its id; a constant beyond these; or, with kLocal, a
  /// parameter or instruction of a function.
  using Handle = std::uint32_t;
  static constexpr Handle kLocal = 0x8000'0000;

  /// Errors: those of parse_bitstream and parse_module; unsupported for layouts that LLVM 3.7 does not write.
  static Result<ModuleEdit> open(View bitcode);
  /// The same of bitcode that was parsed already.
  static Result<ModuleEdit> open(Module module, Bitstream stream);

  /// As it was read. Of metadata, nodes are as they are now, and new ones follow the old.
  const Module& module() const { return module_; }
  /// Whether anything was changed.
  bool changed() const { return changed_; }

  // --- metadata: ids as in Module; kNone stands for null ---
  std::uint32_t text(std::string_view text);
  /// Of a constant.
  std::uint32_t metadata_value(Handle constant);
  /// A tuple.
  std::uint32_t node(std::span<const std::uint32_t> operands);
  std::uint32_t operand(std::uint32_t node, std::size_t i) const;
  /// Wherever the node is referred to.
  void set_operand(std::uint32_t node, std::size_t i, std::uint32_t id);
  /// A tuple like another but for one operand.
  std::uint32_t with_operand(std::uint32_t node, std::size_t i, std::uint32_t id);
  /// Of named metadata, by its place in Module::named_metadata.
  void remove_named(std::size_t list);
  /// Leaves of a list of that name what `nodes` has. If that changes it, it follows all others then.
  void set_nodes(std::size_t list, std::span<const std::uint32_t> nodes);

  // --- values ---
  /// The handle of a value id, as seen in a body, or in the module if that is kNone.
  Handle handle(std::uint32_t body, std::uint32_t value) const;
  /// The type id of an integer of that width, or kNone: types are not added.
  std::uint32_t integer_type(std::uint32_t width) const;
  Handle integer(std::uint32_t type, std::uint64_t value);
  Handle aggregate(std::uint32_t type, std::span<const Handle> members);
  /// Of a global or function: value ids of the module.
  void rename_value(std::uint32_t value, std::string_view name);
  /// Takes a global or a function without body out. Nothing may refer to it any more.
  void remove_global(std::uint32_t value);
  /// By value id: whether code, constants, metadata or initial values refer to a global or function.
  std::vector<bool> used_globals() const;
  /// Takes the names of blocks and instructions out; parameters keep theirs. False if there are none.
  bool remove_names();
  /// Types that nothing uses are not written; the others get the numbers that LLVM gives them.
  void prune_types() { prunes_types_ = true; }
  /// Of a struct with a name.
  void rename_type(std::uint32_t type, std::string_view name);

  // --- code: instructions as in Module::instructions ---
  /// Argument `i` of a call.
  void set_argument(std::uint32_t body, std::uint32_t instruction, std::size_t i, Handle value);
  /// The second value of an addition and its like.
  void set_second(std::uint32_t body, std::uint32_t instruction, Handle value);
  /// Puts an addition before an instruction.
  Handle insert_add(std::uint32_t body, std::uint32_t instruction, Handle value, Handle addend);
  /// Nothing may refer to it any more. False if that cannot be done: a location hangs on it.
  bool remove(std::uint32_t body, std::uint32_t instruction);
  /// Where instructions come from. False if nothing tells.
  bool remove_locations();

  /// The bitcode, a wrapper's header included. Errors: limit; bad_value for records that no bits can hold.
  Result<std::vector<std::byte>> write() const;

 private:
  friend class edit::Loader;
  friend class edit::Numbering;
  friend class edit::Writer;

  struct ConstantNode {
    std::uint32_t type = 0;
    std::uint32_t code = 0;
    Range operands{};  ///< in pool_; value ids are handles
  };
  enum class RefKind : std::uint8_t { relative, distance, absolute, metadata, metadata_or_null };
  struct Ref {
    std::uint32_t position = 0;  ///< among the record's operands, which hold a handle or metadata id there
    RefKind kind = RefKind::relative;
  };
  struct Record {
    std::uint32_t code = 0;
    std::uint32_t abbreviation = 0;
    Range operands{};              ///< in pool_
    Range refs{};                  ///< in refs_, in the order in which LLVM keeps operands in memory
    Range types{};                 ///< in type_positions_: operands that are types
    std::uint32_t result = kNone;  ///< handle
    bool instruction = false;
    bool removed = false;
  };
  struct Inserted {
    std::uint32_t before = 0;  ///< in records
    Record record;
  };
  struct Body {
    std::uint32_t parameters = 0;
    std::uint32_t locals = 0;  ///< how many local handles there are
    std::vector<Handle> constants;
    std::vector<Record> records;
    std::vector<std::uint32_t> instructions;  ///< in records
    std::vector<Inserted> inserted;
  };
  /// What is not copied, in the order of the file. `end`: the item after it.
  struct Piece {
    enum class Kind : std::uint8_t { global, constants, metadata, function, symbols, types, use_lists } kind = Kind::global;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t index = 0;  ///< function: in bodies_; global: value id
  };

  ModuleEdit() = default;
  static std::uint64_t hash(std::uint32_t type, std::uint32_t code, std::span<const std::uint64_t> operands);
  Handle intern(std::uint32_t type, std::uint32_t code, std::span<const std::uint64_t> operands);
  Record& record_of(std::uint32_t body, std::uint32_t instruction);
  const ConstantNode& constant(Handle handle) const { return constants_[handle - globals_]; }
  std::span<const std::uint64_t> pool(Range range) const { return {pool_.data() + range.first, range.count}; }

  Bitstream stream_;
  Module module_;
  bool changed_ = false;
  std::uint32_t globals_ = 0;          ///< value ids below are globals, functions and aliases
  std::uint32_t module_values_ = 0;    ///< as it was read
  std::uint32_t module_metadata_ = 0;  ///< as it was read: ids of functions' own begin here
  std::vector<std::uint64_t> pool_;
  std::vector<Ref> refs_;
  std::vector<std::uint32_t> type_positions_;
  std::vector<ConstantNode> constants_;  ///< handles from globals_ on
  std::unordered_multimap<std::uint64_t, Handle> interned_;
  std::vector<Body> bodies_;
  std::vector<Piece> pieces_;
  std::unordered_map<std::string, std::uint32_t> texts_;
  std::unordered_map<Handle, std::uint32_t> metadata_values_;
  std::vector<std::vector<AbbreviationOperand>> constant_abbreviations_, metadata_abbreviations_, symbol_abbreviations_,
      type_abbreviations_;
  bool keeps_uses_ = false;                ///< orders of uses are written: constants are in the order of their first use
  std::uint32_t binary_abbreviation_ = 0;  ///< of functions: [value, value, operation]; 0 if there is none
  /// Of a type: the items of its record and of its name's, 0 if there is none.
  struct TypeItems {
    std::uint32_t record = 0;
    std::uint32_t name = 0;
  };
  std::vector<TypeItems> type_items_;
  bool prunes_types_ = false;
  std::unordered_map<std::uint32_t, std::string> value_names_, type_names_;
  std::vector<bool> named_removed_;
  std::vector<bool> globals_removed_;  ///< by value id; empty: none
  bool names_removed_ = false;         ///< of blocks and instructions
};

// --- edits ------------------------------------------------------------------------------------------------------------------------------

using unshade::NameKind;
using unshade::Rename;

/// Moves a range of registers; its size stays.
struct BindingChange {
  ResourceClass resource_class = ResourceClass::srv;
  std::uint32_t from = 0;  ///< the first register
  std::uint32_t from_space = 0;
  std::uint32_t to = 0;
  std::uint32_t to_space = 0;
};

/// What came of an edit. `found[i]`: change i found something.
struct ModuleChanges {
  std::vector<bool> found;
  std::vector<std::string> notes;
};

/// In one module. Errors: bad_value if a name is taken or cannot be written; unsupported.
Result<ModuleChanges> rename(ModuleEdit& module, std::span<const Rename> changes);
/// In one module: its metadata, and the code that makes handles. Errors: bad_value if ranges would overlap or leave the registers;
/// unsupported if a handle is made in a way that does not tell its resource, with the instruction in the path.
Result<ModuleChanges> rebind(ModuleEdit& module, std::span<const BindingChange> changes);
/// What only reflection reads, as DXC's StripReflection takes it out: names of resources, annotations of types, names of blocks and
/// instructions, globals that nothing uses. False if nothing was there.
bool strip_reflection(ModuleEdit& module);
/// What only debuggers read, as LLVM's StripDebugInfo and DXC take it out: locations, variables, `llvm.dbg.`, sources, options. False if
/// nothing was there.
bool strip_debug(ModuleEdit& module);

/// The bytes of a bitcode without debug information or reflection, as `what` asks; the same bytes if there is nothing of it.
Result<std::vector<std::byte>> strip_module(View bitcode, Strip what);

using dxcontainer::EditedPart;
using dxcontainer::PartEdits;

/// In all parts of a container: DXIL, ILDB, STAT, PSV0, RDAT, signatures. Errors as above; missing if no part has what is named.
Result<PartEdits> rename(const dxcontainer::Container& container, std::span<const Rename> changes);
Result<PartEdits> rebind(const dxcontainer::Container& container, std::span<const BindingChange> changes);
/// The DXIL part without it.
Result<PartEdits> strip(const dxcontainer::Container& container, Strip what);

}  // namespace unshade::dxil
