// Runs modules of the IR: waves of lanes in lockstep, in thread groups or alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/validated.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/vm/resources.hpp>

namespace unshade::vm {

/// Instruction sets that kernels are compiled for: x86's, or the vectors of any other. All give the same bits.
enum class Isa : std::uint8_t { portable, sse2, avx2, avx512 };
std::string_view id(Isa isa);  ///< `avx2`
/// Those that this machine and build have, the best last.
std::vector<Isa> available_isas();

struct Options {
  unsigned wave = 32;        ///< lanes of a wave: a power of 2 from 4 to 128, within what the module allows
  std::optional<Isa> isa{};  ///< nothing: the best
  unsigned function = 0;     ///< of the module: 1 for the patch constants of a hull shader
  /// How numbers of the PICA200 are rounded; nothing: as the module says.
  std::optional<ir::F24> f24{};
};

/// A module made ready to run. Immutable; threads may share it.
class Program {
 public:
  struct Data;
  explicit Program(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  const Data& data() const { return *data_; }
  const ir::Module& module() const;
  /// Lanes that run together: Options::wave, or 4 or 1 where results depend on the order of lanes (ir::find_together).
  unsigned wave() const;
  /// By instruction of the file (ir::Source): whether the interpreter executes an operation of it. Of instructions that only copy, and of
  /// most of control flow, it executes nothing. Those that are missing at the end have none.
  std::vector<bool> executed() const;

 private:
  std::shared_ptr<const Data> data_;
};

/// Errors: unsupported, by the name of an operation that the interpreter does not have; limit; bad_value for a size of waves.
Result<Program> prepare(const Validated<ir::Module>& module, const Options& options = {});

/// Bounds of a run.
struct Limits {
  /// That all waves of a run may execute together, each for all lanes; to begin a wave counts as 8, and as one for each 64 bytes of memory
  /// that is cleared.
  std::uint64_t operations = std::uint64_t{1} << 32;
  std::uint64_t memory = std::uint64_t{1} << 30;  ///< bytes of slots, private and group memory
  std::size_t emitted = std::size_t{1} << 20;     ///< vertices of geometry shaders
  std::size_t messages = 0;                       ///< in Report::messages; 0: messages are not even counted
};

/// A message that a lane printed.
struct Printed {
  std::uint32_t message = 0;             ///< of ir::Module::messages
  ir::Source source;                     ///< that of `print`
  std::array<std::uint32_t, 3> group{};  ///< of dispatch()
  std::uint32_t lane = 0;                ///< of the group, or of the lanes
  std::vector<std::uint64_t> values{};   ///< bits, narrow ones zero-extended
};
/// Its text.
std::string text_of(const ir::Module& module, const Printed& printed);

enum class Stop : std::uint8_t {
  finished,
  budget,      ///< more than Limits::operations: Report::fault says where
  fault,       ///< the program stopped itself: Report::fault
  breakpoint,  ///< Observer::trace or Observer::hit asked for it
};
std::string_view id(Stop stop);

struct Report {
  Stop stop = Stop::finished;
  std::string fault;               ///< what happened, of Stop::fault and Stop::budget
  std::uint64_t operations = 0;    ///< executed, each for all lanes of a wave
  bool divergent_barrier = false;  ///< lanes of a group waited at different barriers
  /// By group, lane, and the order in which the lane printed them: the first of all, whatever the waves and threads. Limits::messages at
  /// most, and 4 MiB.
  std::vector<Printed> messages{};
  std::uint64_t more_messages = 0;  ///< after those
};

/// Counts of executions by instruction of the file (ir::Source): what a profile shows.
struct Profile {
  std::vector<std::uint64_t> waves;  ///< executions by waves
  std::vector<std::uint64_t> lanes;  ///< executions by active lanes
  std::vector<std::uint64_t> bytes;  ///< of resources and variables that were loaded, stored or changed; of samples none
  /// Ranges of bytes that lie behind each other, in the order of the lanes: one of each wave if its lanes lie side by side, one of each
  /// lane if they are scattered.
  std::vector<std::uint64_t> ranges;
  std::vector<bool> counted;  ///< instructions that are counted: Program::executed()
  struct Branch {
    std::uint32_t instruction = 0;
    std::vector<std::uint64_t> waves;  ///< in which a lane went each way: if true, if false; of a switch the default, then the cases
  };
  std::map<ir::Id, Branch> branches;  ///< by their instruction of the IR

  /// Adds the counts of another run of the same program.
  void add(const Profile& other);
};

/// Called after each operation that has a source, with the values it wrote in the wave's lanes (bits, narrow ones zero-extended).
struct TraceStep {
  ir::Id inst;
  ir::Source source;
  std::array<std::uint32_t, 3> group;   ///< of dispatch()
  std::uint32_t wave;                   ///< in its group, or of the lanes
  unsigned results;                     ///< values that it made
  const std::uint64_t* values;          ///< [result * kStride + lane]; null if there is none
  std::array<std::uint64_t, 2> active;  ///< bit i: lane i
  bool completes;                       ///< no operation of the same instruction of the file follows in its block
  std::uint32_t first_lane = 0;         ///< of the wave: in its group, or of the lanes
  std::span<const Printed> printed{};   ///< by the wave's lanes, of a `print`

  static constexpr unsigned kStride = 128;
};

/// Mistakes of a program that its results may not show.
enum class Misuse : std::uint8_t {
  undefined,      ///< a value that was never set decides a branch or an address, or is written
  out_of_bounds,  ///< an access beyond its variable or resource, or to one that is not bound
};
std::string_view id(Misuse misuse);
struct MisuseStep {
  Misuse what;
  ir::Id inst;
  ir::Source source;
  std::array<std::uint32_t, 3> group;
  std::uint32_t wave;
  std::array<std::uint64_t, 2> lanes;
};

/// The level of detail at which a lane that is no helper sampled, within the levels of the texture.
struct SampleStep {
  std::uint32_t wave;
  unsigned lane;
  float level;
};

/// What watches a run. The loop is compiled once more for it, and the program prepared once more, with each operation of the IR by itself:
/// a run that nobody watches pays nothing.
struct Observer {
  Profile* profile = nullptr;
  void* self = nullptr;
  bool (*trace)(void* self, const TraceStep& step) = nullptr;  ///< false: stop here
  /// Breakpoints: like `trace`, but called after operations of these instructions of the file alone (ir::Source::instruction).
  bool (*hit)(void* self, const TraceStep& step) = nullptr;
  std::vector<bool> breakpoints;
  void (*misuse)(void* self, const MisuseStep& step) = nullptr;
  void (*sampled)(void* self, const SampleStep& step) = nullptr;
  /// After operations that read or write: whether one of the lanes, helpers apart, was within its variable or resource.
  void (*accessed)(void* self, ir::Id inst, bool is_found) = nullptr;
};
constexpr bool is_watched(const Observer& observer) {
  return observer.profile != nullptr || observer.trace != nullptr || observer.hit != nullptr || observer.misuse != nullptr ||
         observer.sampled != nullptr || observer.accessed != nullptr;
}

/// What the thread groups of a mesh or amplification shader are given, and make.
struct Groups {
  std::vector<std::byte> payload;  ///< that those of a mesh shader read; what is missing is 0
  struct Group {
    std::array<std::uint32_t, 3> id{};
    // of a mesh shader
    std::uint32_t vertices = 0, primitives = 0;
    std::vector<std::uint64_t> outputs;  ///< [vertex * output components + component]
    std::vector<std::uint64_t> patch;    ///< [primitive * patch components + component]: what primitives have
    std::vector<std::uint32_t> indices;  ///< [primitive * ir::corners_of() + corner]
    // of an amplification shader
    std::array<std::uint32_t, 3> dispatched{};  ///< groups of its mesh shader
    std::vector<std::byte> payload;
  };
  std::vector<Group> made;  ///< in the order of the grid
};

/// Whether a stage runs over a grid of thread groups, and not in lanes alone.
constexpr bool runs_in_groups(Stage stage) { return stage == Stage::compute || stage == Stage::mesh || stage == Stage::amplification; }

/// How a run is spread over threads. Results are those of one thread, to the bit. Programs of which a group (or lane) could see what
/// another writes, or whose atomic operations and counters give values that are used, run on one thread, and so does what is watched.
struct Schedule {
  unsigned threads = 1;
  void* self = nullptr;
  /// Called now and then, on the calling thread, with thread groups (or 128 lanes each) that are done.
  void (*progress)(void* self, std::uint64_t done, std::uint64_t of) = nullptr;
};

/// Runs a compute, mesh or amplification shader over a grid of thread groups. `made`: what the latter make; if it is null that is dropped.
/// Errors: limit.
Result<Report> dispatch(const Program& program, Resources& resources, std::array<std::uint32_t, 3> groups, const Limits& limits = {},
                        const Observer& observer = {}, const Schedule& schedule = {}, Groups* made = nullptr);

/// Inputs of pixel shaders that say themselves where they are evaluated. Without one, the four lanes of a quad have them at the centres of
/// their pixels, and floats that are not constant elsewhere are on the plane through these; all samples are covered.
struct Interpolator {
  const void* self = nullptr;
  /// The bits of a component of the inputs of a lane at a place: the centre, the centroid, sample `x`, or `x` and `y` 1/256 of a pixel from
  /// the centre.
  std::uint64_t (*at)(const void* self, std::uint32_t lane, std::uint32_t component, ir::ElementExtra::Place place, std::int32_t x,
                      std::int32_t y) = nullptr;
  /// What a vertex of its primitive has.
  std::uint64_t (*of_vertex)(const void* self, std::uint32_t lane, std::uint32_t component, std::uint32_t vertex) = nullptr;
};

/// Inputs and outputs of lanes that run on their own: vertices, pixels in quads (lanes 4n to 4n + 3: top left, top right, bottom left,
/// bottom right), and any other stage with what it is given.
struct Lanes {
  std::uint32_t count = 0;
  std::uint32_t vertices = 1;         ///< control points or vertices that each lane has as inputs
  std::vector<std::uint64_t> inputs;  ///< [(vertex * input components + component) * count + lane], bits of the element's type
  std::uint32_t samples = 1;          ///< of the targets of a pixel shader
  Interpolator interpolator{};        ///< of one
  std::uint32_t points = 1;           ///< lanes in a row that a patch has, of a hull shader: they read each other's outputs
  /// [(point * output components + component) * count + lane]: what the control point phase of a hull shader gave, for its patch constants.
  std::vector<std::uint64_t> control_points;
  std::vector<std::uint64_t> patch;    ///< [component * count + lane]: patch constants that are inputs, or of a hull shader outputs
  std::vector<std::uint64_t> outputs;  ///< [component * count + lane]
  std::vector<bool> discarded;         ///< lanes that ended as helpers
  std::vector<bool> helper;            ///< lanes that begin as helpers; empty: none
  std::vector<std::vector<std::uint64_t>>
      builtins;  ///< by ir::Builtin: [component * count + lane]; empty: what the interpreter knows, or 0
  struct Vertex {
    std::uint32_t lane;
    std::uint32_t stream;
    bool cut;                            ///< no vertex: the strip ends
    std::vector<std::uint64_t> outputs;  ///< by component
  };
  std::vector<Vertex> emitted;  ///< by a geometry shader: lanes ascending, of each in the order in which it emits
};

/// Components of a signature, rows and columns of all elements: elements stand one after the other.
std::uint32_t components_of(const std::vector<ir::Element>& elements);
/// The first component of an element.
std::uint32_t component_of(const std::vector<ir::Element>& elements, std::size_t element);

struct Engine;

/// A program with its resources, and the memory that its waves take: made once for any number of runs. The resources must outlive it.
class Runner {
 public:
  Runner(Program program, Resources& resources, const Limits& limits = {}, const Observer& observer = {});
  Runner(Runner&&) noexcept;
  ~Runner();

  /// Must be called after descriptors or the bytes of constant buffers changed: what depends on these alone is computed once.
  void bind();
  /// As the function dispatch().
  Result<Report> dispatch(std::array<std::uint32_t, 3> groups, const Schedule& schedule = {}, Groups* made = nullptr);
  /// As run_lanes().
  Result<Report> run(Lanes& lanes, const Schedule& schedule = {});

 private:
  Result<void> make_room(std::uint64_t waves);
  void begin();

  Program program_;
  std::optional<Error> refused_;  ///< why nobody can watch the program
  std::unique_ptr<Engine> engine_;
};

/// Runs lanes alone. `outputs`, `patch` and `discarded` are made. Errors: limit; bad_value if arrays have other sizes than stated.
Result<Report> run_lanes(const Program& program, Resources& resources, Lanes& lanes, const Limits& limits = {},
                         const Observer& observer = {}, const Schedule& schedule = {});

}  // namespace unshade::vm
