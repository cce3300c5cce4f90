// Runs a shader on the inputs of a case. docs/reference/cases.md describes cases and results.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/vm/machine.hpp>

namespace unshade::run {

/// Lists of a result: what lanes gave, the vertices that a geometry or mesh shader made, the primitives of the latter, and the groups of an
/// amplification shader.
struct ResultRows {
  std::string_view rows, row;
};
inline constexpr ResultRows kResultRows[] = {{"lanes", "lane"}, {"vertices", "vertex"}, {"primitives", "primitive"}, {"groups", "group"}};

/// Lanes of a wave that a trace shows.
inline constexpr std::size_t kTracedLanes = 4;

/// A result as it lies in memory, with how its bytes are numbers.
struct ResultArray {
  std::string name;  ///< of the resource, else its binding; of an output as the result has it
  std::string key;   ///< the binding; empty if it is no resource
  char kind = 'u';   ///< f floats, i signed and u unsigned integers
  unsigned item_bytes = 4;
  std::vector<std::uint64_t> shape;  ///< of items, the last dimension varies fastest. Bytes after them are not in it.
  std::vector<std::byte> bytes;
  // of a texture of one sample
  std::uint32_t format = 0;  ///< of DXGI_FORMAT; 0: it is no texture, or DXGI does not have the format
  std::uint32_t width = 0, height = 1, depth = 1, layers = 1, levels = 1;
};
/// A name for a file of each, without an ending and without characters that file systems or shells read otherwise: no two are the same,
/// even if letters of both cases are.
std::vector<std::string> file_names(std::span<const ResultArray> arrays);

/// Operations that all waves may execute together: of what a case says, and of generated inputs, by which a loop may never end.
inline constexpr std::uint64_t kMostOperations = std::uint64_t{1} << 32;
inline constexpr std::uint64_t kMostOfGenerated = std::uint64_t{1} << 24;

struct RunOptions {
  unsigned wave = 0;                               ///< 0: what the case says, else 32 or the nearest size that the program allows
  std::optional<std::uint64_t> operations{};       ///< that all waves may execute together; nothing: one of the two above
  std::uint64_t memory = std::uint64_t{1} << 30;   ///< bytes that resources may take, and as much again the interpreter
  std::optional<ir::F24> f24{};                    ///< of the PICA200; nothing: what the case says, else cut off as the hardware does
  unsigned optimize = 2;                           ///< level of ir::optimize(): the results are the same; 0 for runs that are watched
  const shader::Reflection* reflection = nullptr;  ///< names of variables in constant buffers; may be null
  const dxcontainer::RootSignature* root_signature = nullptr;  ///< its static samplers hold if the case says nothing; may be null
  unsigned threads = 1;                                        ///< at most; results are the same for any number. Watched runs have one.
  /// Called now and then with the work that is done: see vm::Schedule.
  void (*progress)(void* self, std::uint64_t done, std::uint64_t of) = nullptr;
  vm::Profile* profile = nullptr;
  /// Called with each instruction of the file that runs: a map of `instruction`, `text` (its line), `group`, `wave`, `active` (lanes),
  /// `lanes`, what each wrote, and, of one that prints, `messages`. Instructions that only copy run nothing. False: stop here.
  bool (*trace)(void* self, std::uint32_t instruction, const Value& step) = nullptr;
  std::array<std::uint64_t, 2>* traced_active = nullptr;  ///< gets the active lanes, bit i lane i, before each call of `trace`; may be null
  std::vector<std::uint32_t> breakpoints;                 ///< `trace` is called with these instructions of the file alone; empty: with all
  std::vector<std::uint32_t> trace_lanes;  ///< those to show, which waves must have; empty: the first kTracedLanes that are active
  bool trace_all_lanes = false;            ///< instead
  bool check = false;                      ///< look for undefined values and accesses out of bounds: `findings` of the result
  /// Gets each operation of the IR that accesses a resource: whether an access of it found memory. May be null.
  std::map<ir::Id, bool>* accesses = nullptr;
  const std::vector<std::string>* lines = nullptr;  ///< of instruction_lines(), for both; may be null
  /// Bytes of a resource up to which the result has its `values` too, if the reflection tells their types; they take 20 times the memory.
  std::uint64_t values = 0;
  bool read_only = false;                      ///< the result has buffers and textures that cannot be written, too
  std::size_t messages = 1000;                 ///< that the shader prints, in the result: those of the first lanes
  std::vector<ResultArray>* arrays = nullptr;  ///< gets each result: resources that can be written, outputs; may be null
  /// Reads a file that a case names; null: cases cannot name files.
  Result<std::vector<std::byte>> (*read_file)(void* self, std::string_view path) = nullptr;
  /// Reads a picture that is no DDS file; null: there are no others.
  Result<picture::Picture> (*read_picture)(void* self, std::span<const std::byte> file) = nullptr;
  void* self = nullptr;
};

/// `truncate`, `nearest` or `f32`: how numbers of the PICA200 are rounded. Nothing for another text.
std::optional<ir::F24> f24_of(std::string_view text);
/// Whether a module computes with such numbers.
bool uses_f24(const ir::Module& module);

/// A module made ready to run any number of cases. Copies share what it holds, and so may threads.
class Runnable {
 public:
  struct Data;
  explicit Runnable(std::shared_ptr<Data> data) : data_(std::move(data)) {}
  const ir::Module& module() const;
  /// The program for a size of waves and a function, which is made once. Errors: those of vm::prepare().
  Result<vm::Program> program(const vm::Options& options) const;
  /// Null, as the root signature, if it was not made of a shader, or the shader has none.
  const shader::Reflection* reflection() const;
  const dxcontainer::RootSignature* root_signature() const;
  /// The file that specialized() made; empty of others.
  View specialized_file() const;
  Data& data() const { return *data_; }

 private:
  std::shared_ptr<Data> data_;
};

/// Optimizes a module, at level 0 for runs that are watched.
Runnable prepare(Validated<ir::Module> module, unsigned optimize = 1);
/// Verifies it before. Errors: those of ir::verified().
Result<Runnable> prepare(ir::Module module, unsigned optimize = 1);
/// Lowers a shader, with the names of its variables and the static samplers of its root signature. Borrows nothing. Errors: those of
/// lower() too.
Result<Runnable> prepare(const shader::Shader& shader, const shader::LowerOptions& lowering = {}, unsigned optimize = 1);

/// The entry point for shader::LowerOptions: `chosen`, or if that is empty the one that a case names; empty if it names none.
std::string entry_of(const Value& given, std::string_view chosen = {});

/// The shader with the specialization constants that a map of constants sets, by name or constant_id; the same if it sets none. execute()
/// does it too: this is for what else depends on them. Errors: bad_value for numbers that do not fit; those of prepare().
Result<Runnable> specialized(const Runnable& shader, const Value& constants);

/// The shader with other modes. Errors: those of prepare().
Result<Runnable> with_modes(const Runnable& shader, const ir::Modes& modes);

/// What a shader's resources are called. Copies share what finding them needs, which is made once. May be used by several threads.
class ResourceNames {
 public:
  explicit ResourceNames(Runnable shader);
  /// The resource of a result of the shader that a text means: its name or that of its block, or where it is bound. Errors: missing, if the
  /// result has none; bad_value, if several may be meant.
  Result<const Value::Member*> find(const Value& result, std::string_view name) const;

 private:
  struct Data;
  std::shared_ptr<Data> data_;
};
/// The same of a single resource.
Result<const Value::Member*> find_resource(const Runnable& shader, const Value& result, std::string_view name);
/// The same by what the result alone tells: its keys in any spelling, and names. Null if there is none.
const Value::Member* find_resource(const Value& result, std::string_view name);
/// What is said of a name that no resource of a result has, with the names that there are.
std::string no_resource(const Value& result, std::string_view name);

/// Runs a lowered module: a compute shader over the case's grid, any other stage over the case's lanes. With an empty map as the
/// case, inputs are generated: matrices in constant buffers are identities and other constants their defaults or zeros; buffers, textures
/// and inputs of lanes count up. Such a run, and one on a case that states neither inputs nor a grid, is limited to kMostOfGenerated
/// operations if the options state no number. The result is a map: `stop`, `operations`, `resources` by binding with what they hold after
/// the run, and `lanes` with their outputs; if the shader printed something `messages`, and `more_messages` if they are more than
/// RunOptions::messages. Errors: bad_value and missing for what the case says wrong, with the place in its text as offset and the field as
/// path; those of vm::prepare().
Result<Value> execute(Validated<ir::Module> module, const Value& given, const RunOptions& options = {});
/// Verifies it before. Errors: those of ir::verified() too.
Result<Value> execute(ir::Module module, const Value& given, const RunOptions& options = {});
/// The same; RunOptions::optimize has no effect.
Result<Value> execute(const Runnable& shader, const Value& given, const RunOptions& options = {});

/// One of the `findings` of a result in a sentence: the instruction, what is wrong with it, how often, and where first.
std::string finding_message(const Value& finding);

/// Bytes as a NumPy array (.npy, version 1) of one dimension: items of 32 bits, floats for kind `f`, unsigned integers for `u`. What is
/// left of an item at the end is not in it.
std::vector<std::byte> npy_of(char kind, std::span<const std::byte> bytes);
/// A result as a NumPy array of its shape.
std::vector<std::byte> npy_of(const ResultArray& array);
/// The texture that a result is, for writers of pictures. Errors: bad_value if it is none of a format of DXGI.
Result<picture::Picture> picture_of(const ResultArray& array);

}  // namespace unshade::run
