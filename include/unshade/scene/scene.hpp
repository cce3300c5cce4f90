// Scenes: passes that draw or dispatch, and the targets that they leave. docs/reference/scenes.md has the fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/draw/pipeline.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/run/session.hpp>

namespace unshade::scene {

struct SceneOptions {
  unsigned optimize = 2;                              ///< level of ir::optimize()
  unsigned wave = 0;                                  ///< lanes of a wave; 0: the scene's own choice
  std::optional<ir::F24> f24{};                       ///< of shaders of the PICA200; nothing: the scene's own choice
  std::uint64_t operations = std::uint64_t{1} << 28;  ///< that a draw or dispatch may execute
  std::uint64_t memory = std::uint64_t{1} << 30;      ///< bytes that all resources together may take
  unsigned threads = 1;                               ///< for fragments of draws; results are the same for any number
  /// Reads a file that the scene names; null: it cannot name files.
  Result<std::vector<std::byte>> (*read_file)(void* self, std::string_view path) = nullptr;
  /// Reads a picture that is no DDS file; null: there are no others.
  Result<picture::Picture> (*read_picture)(void* self, std::span<const std::byte> file) = nullptr;
  /// Reads the text of a document, such as a glTF file, by the ending of its name; null: there are none. Errors: at offsets of the text.
  Result<Value> (*read_document)(std::string_view name, std::string_view text) = nullptr;
  void* self = nullptr;
};

/// The same for a run: its bounds and what reads files, not `wave` and `f24`.
run::RunOptions run_options(const SceneOptions& options);

/// Passes of a scene, and vertices of a draw times its instances.
inline constexpr std::size_t kMostPasses = 4096;
inline constexpr std::uint64_t kMostVertices = std::uint64_t{1} << 24;

/// What a scene left.
struct Drawn {
  struct Target {
    std::string name;
    std::string format;         ///< as the scene has it
    std::uint32_t samples = 1;  ///< that the target had; `picture` has their mean, of whole numbers and depth the first
    bool is_depth = false;      ///< and stencil: `picture` has the depth
    picture::Picture picture;
    std::optional<draw::Heat> heat;  ///< of the passes that draw into it first, if one was asked for
  };
  struct Resource {
    std::string name;
    std::vector<std::byte> bytes;
    std::uint32_t counter = 0;
    std::optional<std::uint64_t> filled;  ///< bytes up to where stream output filled it
  };
  struct Pass {
    std::string name;
    draw::Statistics statistics;
    std::uint64_t operations = 0;
    bool is_skipped = false;                  ///< by predication
    std::optional<std::size_t> target;        ///< its first one, of `targets`
    std::vector<std::size_t> colors;          ///< all of its targets of colors, in the order of the pass
    std::optional<std::size_t> depth;         ///< its depth target
    std::vector<draw::HistoryEvent> history;  ///< of the pixel that was asked for, whatever the target
    bool history_is_cut = false;              ///< there were more events
    bool has_pixel_shader = false;
    std::vector<ir::Element> pixel_inputs;  ///< what HistoryEvent::inputs are, if there is a history
    std::optional<draw::HeatSum> heat;      ///< of this pass alone, if one was asked for
    struct NotGiven {
      std::string stage;               ///< `vertex`
      std::vector<std::string> names;  ///< of constants that its shader uses and the scene does not give: they are zeros
    };
    std::vector<NotGiven> not_given;
    std::vector<std::string> mismatches;         ///< of stages of Direct3D: for these it refuses the pipeline; drawing links by semantics
    std::vector<std::string> vulkan_mismatches;  ///< of stages of SPIR-V: for these the pipeline is not valid in Vulkan
    std::vector<std::string> format_mismatches;  ///< resources of integers that a shader declares as floats, or the reverse
    /// Whether it draws into a target.
    bool has_target(std::size_t number) const;
  };
  std::vector<Target> targets;      ///< in the order of the scene
  std::vector<Resource> resources;  ///< of the scene, as its passes left them
  std::size_t shown = 0;            ///< the target to look at: the first of the last pass that draws into one
  std::vector<Pass> passes;
  Value queries;  ///< by name: numbers, true or false, or maps of counts in Direct3D's words

  /// A wave of a pixel shader, to be stepped through.
  struct Stepped {
    run::Session session;         ///< follows the lane of the pixel
    std::vector<std::byte> file;  ///< of the shader, whose listing has the session's lines
  };
  std::optional<Stepped> stepped;  ///< if it was asked for
};

/// A pixel whose history passes tell, and perhaps an invocation of a pixel shader there that is watched.
struct Followed {
  draw::PixelPlace place;
  std::optional<std::size_t> pass;  ///< whose event is watched
  std::size_t event = 0;
  void* self = nullptr;
  /// Called with each instruction that the invocation executes, as run::RunOptions::trace is.
  void (*trace)(void* self, const Value& step) = nullptr;
  /// Instead of a call for each: the whole wave is recorded, for Drawn::stepped. SessionOptions::run has no effect.
  std::optional<run::SessionOptions> recorded;
};

/// What passes tell beside what they leave.
struct Wanted {
  std::optional<Followed> followed;
  std::optional<draw::HeatKind> heat;
};

/// The number of a target by its name; an empty name: Drawn::shown. Errors: missing.
Result<std::size_t> find_target(const Drawn& drawn, std::string_view name);
/// Errors: missing, if the target does not have the pixel or the sample.
Result<void> check_place(const Drawn::Target& target, const draw::PixelPlace& place);
/// An event of the history of a target, which all passes that draw into it have: its pass, and its number there.
struct EventPlace {
  std::size_t pass = 0, event = 0;
};
/// By its number in the history, from 1, of which a pixel shader ran. Errors: missing.
Result<EventPlace> find_event(const Drawn& drawn, std::size_t target, std::size_t number);

/// Names of files that a scene has, each once, in its order; not those that files name.
std::vector<std::string> files_of(const Value& scene);

/// What a scene says of its frames.
struct Animation {
  std::uint32_t frames = 1;
  std::uint32_t fps = 10;   ///< frames in a second
  std::uint32_t plays = 0;  ///< 0: without end
};
/// Errors: missing if the scene has none; bad_value.
Result<Animation> animation_of(const Value& scene);
/// The scene with the values that its animation has at a frame, from 0 on. Errors: those of animation_of(), and missing for fields that the
/// scene does not have.
Result<Value> scene_at(const Value& scene, std::uint32_t frame);

/// Draws a scene. `progress` is called before each pass with its number and their count, and after the last.
/// Errors: bad_value, missing and limit for what the scene says wrong, with the place in its text as offset and the field as path; those
/// of the shaders, and of draws and dispatches, at the place of the shader or pass.
Result<Drawn> draw_scene(const Value& scene, const SceneOptions& options,
                         const std::function<void(std::size_t done, std::size_t total)>& progress = {}, const Wanted& wanted = {});

}  // namespace unshade::scene
