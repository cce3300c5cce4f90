// Scripts of Amber: shaders, buffers, pipelines, and commands that run them and look at what they gave. docs/reference/amber.md has the
// language as it is read here. src: google/amber:docs/amber_script.md
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/stage.hpp>
#include <unshade/draw/pipeline.hpp>
#include <unshade/draw/state.hpp>
#include <unshade/suite/test.hpp>
#include <unshade/texel/formats.hpp>
#include <unshade/texel/sampler.hpp>

namespace unshade::amber {

/// No shader, buffer, sampler or pipeline.
inline constexpr std::uint32_t kNone = 0xffff'ffff;

struct ScriptShader {
  enum class Format : std::uint8_t { passthrough, assembly, hexadecimal, binary, source };
  std::string name;
  Stage stage = Stage::none;  ///< none: a module of several
  Format format = Format::source;
  std::string language;  ///< of sources: `GLSL`, `HLSL` or `OPENCL-C`
  std::string text;
  std::string path;                      ///< of the file that has it; empty: the script itself
  std::optional<std::uint32_t> version;  ///< of the module, as TARGET_ENV says: 0x00010300 is 1.3
  suite::Place place;                    ///< of the command
  std::uint32_t first_line = 0;          ///< of the text
};

/// A number in memory.
struct DataScalar {
  enum class Kind : std::uint8_t { sint, uint, real };
  Kind kind = Kind::uint;
  std::uint8_t bytes = 4;
  std::uint32_t offset = 0;  ///< in its element
};

/// What a buffer is made of.
struct DataType {
  std::vector<DataScalar> scalars;  ///< of an element, in the order in which values are written
  std::uint32_t stride = 0;         ///< bytes from an element to the next
  std::string name;                 ///< as the script has it
  texel::Format format;             ///< as texels; without components if there is none such
};

/// A number as a script has it: what it means depends on what it is written to or compared with.
struct ScriptNumber {
  double real = 0;
  std::uint64_t bits = 0;  ///< of whole numbers, two's complement
  bool is_whole = false;
};

struct ScriptBuffer {
  enum class From : std::uint8_t { nothing, data, fill, series, text_file, binary_file, png_file };
  std::string name;
  DataType type;
  std::uint64_t count = 0;  ///< elements; 0: as many as the data has, or as the framebuffer that it is attached to has pixels
  From from = From::nothing;
  std::vector<ScriptNumber> values;  ///< data; of fill one, of a series the first and the step
  std::string path;                  ///< of a file
  bool is_image = false;
  std::uint32_t width = 0;  ///< of images
  std::uint32_t height = 1;
  std::uint32_t depth = 1;
  std::uint32_t levels = 1;
  std::uint32_t samples = 1;
  std::optional<draw::DepthStencilTarget> depth_stencil;  ///< of such formats, without memory
  suite::Place place;
};

struct ScriptSampler {
  std::string name;
  texel::Sampler state;
};

struct ScriptPipeline {
  struct Specialization {
    std::uint32_t id = 0;
    std::uint32_t bits = 0;
  };
  struct Attached {
    std::uint32_t shader = kNone;
    Stage stage = Stage::none;
    std::string entry = "main";
    std::vector<Specialization> specializations;
    std::uint32_t subgroup = 0;  ///< lanes of a wave; 0: any
    suite::Place place;
  };
  struct Binding {
    enum class Use : std::uint8_t { color, depth_stencil, resolve, push_constant, uniform, storage, image, texel_buffer, sampler };
    Use use = Use::storage;
    std::uint32_t set = 0;
    std::uint32_t number = 0;             ///< or location
    std::uint32_t level = 0;              ///< of an image, that is its first
    std::vector<std::uint32_t> buffers;   ///< several: an array
    std::vector<std::uint32_t> samplers;  ///< likewise; of combined image samplers beside the buffers
    std::vector<std::uint64_t> offsets;   ///< bytes, of each buffer; may be fewer
    std::vector<std::uint64_t> ranges;    ///< likewise; 0: to its end
    suite::Place place;
  };
  struct VertexData {
    std::uint32_t buffer = kNone;
    std::uint32_t location = 0;
    bool per_instance = false;
    std::optional<texel::Format> format;  ///< else that of the buffer
    std::uint32_t offset = 0;
    std::uint32_t stride = 0;  ///< 0: that of the buffer
  };

  struct StencilValues {
    std::uint8_t read_mask = 0xff, write_mask = 0xff, reference = 0;
    bool operator==(const StencilValues&) const = default;
  };

  std::string name;
  bool is_compute = false;
  std::vector<Attached> attached;
  std::vector<Binding> bindings;
  std::vector<VertexData> vertices;
  std::uint32_t indices = kNone;
  std::uint32_t width = 250;  ///< of the framebuffer
  std::uint32_t height = 250;
  std::uint32_t patch_points = 3;
  std::optional<std::array<float, 4>> viewport;  ///< x, y, width, height
  std::array<float, 2> depth_range{0, 1};        ///< of the viewport
  draw::RasterizerState rasterizer{.cull = draw::Cull::none, .front_counter_clockwise = true, .scissor = true};
  draw::DepthStencilState depth_stencil{.depth = false, .depth_write = false, .comparison = texel::Comparison::always};
  StencilValues stencil_front, stencil_back;
  std::array<float, 2> depth_bounds{0, 0};
  draw::TargetBlend blend;  ///< of all targets
  std::string needs;        ///< what no stage here gives: `multisampled targets`
  suite::Place place;
};

// Commands, with indices into Script: pipelines, shaders and buffers, or kNone.
struct Dispatch {
  std::uint32_t pipeline = kNone;
  std::array<std::uint32_t, 3> groups{1, 1, 1};
};
/// A rectangle, of cells that are two triangles each.
struct DrawRect {
  std::uint32_t pipeline = kNone;
  std::array<float, 4> area{};  ///< x, y, width, height in pixels
  std::uint32_t columns = 1;
  std::uint32_t rows = 1;
  bool is_grid = false;
};
struct DrawArray {
  std::uint32_t pipeline = kNone;
  draw::Topology topology = draw::Topology::triangle_list;
  bool indexed = false;
  std::uint32_t first = 0;
  std::optional<std::uint32_t> count;
  std::uint32_t first_instance = 0;
  std::uint32_t instances = 1;
};
struct Clear {
  std::uint32_t pipeline = kNone;
};
struct ClearColor {
  std::uint32_t pipeline = kNone;
  std::array<float, 4> color{};  ///< 0 to 1
};
struct ClearDepthStencil {
  std::uint32_t pipeline = kNone;
  std::optional<float> depth;  ///< one of the two
  std::optional<std::uint8_t> stencil;
};
struct CopyBuffer {
  std::uint32_t from = kNone;
  std::uint32_t to = kNone;
};
struct Expect {
  enum class How : std::uint8_t { eq, ne, lt, le, gt, ge, color, buffer, rmse, histogram };
  struct Tolerance {
    double value = 0;
    bool is_percent = false;
  };
  std::uint32_t buffer = kNone;
  How how = How::eq;
  std::uint32_t other = kNone;          ///< the buffer that it is compared with
  std::uint64_t offset = 0;             ///< bytes, of values
  std::array<std::uint32_t, 4> area{};  ///< x, y, width, height, of colors
  std::vector<ScriptNumber> values;     ///< of a color 0 to 255
  std::vector<Tolerance> tolerances;
};
struct Repeat {
  std::uint32_t count = 1;
  std::uint32_t commands = 0;  ///< that follow
};

struct ScriptCommand {
  suite::Place place;
  std::variant<Dispatch, DrawRect, DrawArray, Clear, ClearColor, ClearDepthStencil, CopyBuffer, Expect, Repeat> what;
};

struct Script {
  std::vector<ScriptShader> shaders;
  std::vector<ScriptBuffer> buffers;
  std::vector<ScriptSampler> samplers;
  std::vector<ScriptPipeline> pipelines;
  std::vector<ScriptCommand> commands;
  std::vector<suite::NamedText> files;    ///< VIRTUAL_FILE
  std::vector<std::string> requirements;  ///< DEVICE_FEATURE and the like, their words
  std::string needs;                      ///< what is known and not read: `ray tracing`; then nothing after it is
  suite::Place needs_place;
};

/// Reads a script. Errors: `offset` is the byte of the text, `path` its `LINE:COLUMN`, both from 1.
Result<Script> read_script(std::string_view text);

/// Whether a text begins as scripts do.
bool is_script(std::string_view text);

/// Runs a script, which is called `name` in the outcome. What the interpreter does not do is skipped, by name; errors of shaders and files
/// are failures with the place of their command.
suite::Outcome run_script(const Script& script, std::string_view name, const suite::TestOptions& options = {});

}  // namespace unshade::amber
