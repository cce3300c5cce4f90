// The fixed parts of a pipeline: depth, stencil and blending. src: google/amber:docs/amber_script.md, "Pipeline Content"
#include <cmath>

#include "amber/read/reader.hpp"
#include "amber/words.hpp"

namespace unshade::amber::reader {
namespace {

// Operations of VK_EXT_blend_operation_advanced.
constexpr std::string_view kAdvancedOps[] = {
    "zero",
    "src",
    "dst",
    "src_over",
    "dst_over",
    "src_in",
    "dst_in",
    "src_out",
    "dst_out",
    "src_atop",
    "dst_atop",
    "xor",
    "multiply",
    "screen",
    "overlay",
    "darken",
    "lighten",
    "color_dodge",
    "color_burn",
    "hard_light",
    "soft_light",
    "difference",
    "exclusion",
    "invert",
    "invert_rgb",
    "linear_dodge",
    "linear_burn",
    "vivid_light",
    "linear_light",
    "pin_light",
    "hard_mix",
    "hsl_hue",
    "hsl_saturation",
    "hsl_color",
    "hsl_luminosity",
    "plus",
    "plus_clamped",
    "plus_clamped_alpha",
    "plus_darker",
    "minus",
    "minus_clamped",
    "contrast",
    "invert_org",
    "red",
    "green",
    "blue",
};

}  // namespace

bool Reader::on_or_off() { return choice("on or off", {"on", "off"}) == 0; }

// The next option of a block, whose lines may be empty; kNone after its END.
std::uint32_t Reader::block_option(std::string_view block, std::initializer_list<std::string_view> options) {
  const Token start{{}, lexer_.offset()};
  while (!error_ && !lexer_.peek()) {
    if (!lexer_.next_line()) fail(start, std::string(block) + " has no END", ErrorCode::truncated);
  }
  if (error_ || take("END")) return kNone;
  return choice("an option of " + std::string(block), options);
}

float Reader::named_real(std::string_view name) {
  if (!take(name)) fail(lexer_.peek(), "expected " + std::string(name));
  return static_cast<float>(real("a number"));
}

void Reader::depth(ScriptPipeline& pipeline) {
  draw::DepthStencilState& state = pipeline.depth_stencil;
  end_line();
  for (;;) {
    switch (block_option("DEPTH", {"TEST", "WRITE", "COMPARE_OP", "CLAMP", "BOUNDS", "BIAS"})) {
      case 0: state.depth = on_or_off(); break;
      case 1: state.depth_write = on_or_off(); break;
      case 2: chosen("a comparison", kCompareOps, state.comparison); break;
      case 3: pipeline.rasterizer.depth_clip = !on_or_off(); break;
      case 4:
        state.depth_bounds = true;
        pipeline.depth_bounds[0] = named_real("min");
        pipeline.depth_bounds[1] = named_real("max");
        break;
      case 5: {
        const float constant = named_real("constant");
        // units of the depth buffer, which Direct3D counts in whole numbers
        if (!error_ && (constant != std::floor(constant) || std::abs(constant) > 1e9F))
          return needs(lexer_.peek(), "a depth bias of a fraction");
        pipeline.rasterizer.depth_bias = error_ ? 0 : static_cast<std::int32_t>(constant);
        pipeline.rasterizer.depth_bias_clamp = named_real("clamp");
        pipeline.rasterizer.slope_scaled_depth_bias = named_real("slope");
        break;
      }
      default: return;
    }
    if (error_) return;
  }
}

void Reader::stencil(ScriptPipeline& pipeline) {
  const std::uint32_t faces = choice("a face", {"front", "back", "front_and_back"});
  end_line();
  draw::StencilFace state = faces == 1 ? pipeline.depth_stencil.back : pipeline.depth_stencil.front;
  ScriptPipeline::StencilValues values = faces == 1 ? pipeline.stencil_back : pipeline.stencil_front;
  const auto byte = [&](std::uint8_t& to) {
    const Token token = lexer_.peek();
    const std::uint32_t number = whole("a number from 0 to 255");
    if (number > 0xff) fail(token, "expected a number from 0 to 255, found `" + std::string(token.text) + '`');
    to = static_cast<std::uint8_t>(number);
  };
  for (bool more = true; more && !error_;) {
    switch (
        block_option("STENCIL", {"TEST", "FAIL_OP", "PASS_OP", "DEPTH_FAIL_OP", "COMPARE_OP", "COMPARE_MASK", "WRITE_MASK", "REFERENCE"})) {
      case 0: pipeline.depth_stencil.stencil = on_or_off(); break;
      case 1: chosen("a stencil operation", kStencilWords, state.fail); break;
      case 2: chosen("a stencil operation", kStencilWords, state.pass); break;
      case 3: chosen("a stencil operation", kStencilWords, state.depth_fail); break;
      case 4: chosen("a comparison", kCompareOps, state.comparison); break;
      case 5: byte(values.read_mask); break;
      case 6: byte(values.write_mask); break;
      case 7: byte(values.reference); break;
      default: more = false; break;
    }
  }
  if (faces != 1) {
    pipeline.depth_stencil.front = state;
    pipeline.stencil_front = values;
  }
  if (faces != 0) {
    pipeline.depth_stencil.back = state;
    pipeline.stencil_back = values;
  }
}

void Reader::blend(ScriptPipeline& pipeline) {
  draw::TargetBlend& state = pipeline.blend;
  state.blend = true;
  end_line();
  const auto operation = [&](draw::BlendOp& to) {
    const std::string_view name = lexer_.peek().text;
    if (std::ranges::find(kAdvancedOps, name) == std::end(kAdvancedOps)) return chosen("a blend operation", kOps, to);
    lexer_.next();
    if (pipeline.needs.empty()) pipeline.needs = "the blend operation " + std::string(name);
  };
  while (!error_) {
    switch (
        block_option("BLEND", {"SRC_COLOR_FACTOR", "DST_COLOR_FACTOR", "COLOR_OP", "SRC_ALPHA_FACTOR", "DST_ALPHA_FACTOR", "ALPHA_OP"})) {
      case 0: chosen("a blend factor", kFactors, state.src); break;
      case 1: chosen("a blend factor", kFactors, state.dest); break;
      case 2: operation(state.op); break;
      case 3: chosen("a blend factor", kFactors, state.src_alpha); break;
      case 4: chosen("a blend factor", kFactors, state.dest_alpha); break;
      case 5: operation(state.op_alpha); break;
      default: return;
    }
  }
}

}  // namespace unshade::amber::reader
