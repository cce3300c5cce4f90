// Structures, buffers and images, and what they are filled with.
#include <unshade/core/limits.hpp>

#include "amber/read/reader.hpp"
#include "amber/words.hpp"

namespace unshade::amber::reader {
namespace {

/// Numbers that the types of a script's buffers may have together: they are written out.
constexpr std::size_t kMostScalars = std::size_t{1} << 14;

}  // namespace

void Reader::structure() {
  Structure made;
  made.name = new_name(structures_, "structure");
  if (take("STRIDE")) made.stride = whole("the stride in bytes");
  end_line();
  const Token start{{}, lexer_.offset()};
  while (!error_) {
    if (!lexer_.next_line()) return fail(start, "the structure has no END", ErrorCode::truncated);
    const Token word = lexer_.next();
    if (!word) continue;
    if (word.text == "END") break;
    const auto type = type_named(word.text);
    if (!type || type->format || type->is_tight) return fail(word, "`" + std::string(word.text) + "` is not a type of members");
    TypeShape::Member member{*type, {}, 0, 0};
    expect("the member's name");
    while (!error_ && lexer_.peek()) {
      const Token what = lexer_.peek();
      switch (choice("a member option", {"OFFSET", "ARRAY_STRIDE", "MATRIX_STRIDE"})) {
        case 0: member.offset = whole("the offset in bytes"); break;
        case 1: member.array_stride = whole("the stride in bytes"); break;
        case 2: member.matrix_stride = whole("the stride in bytes"); break;
        default: return fail(what, "expected OFFSET, ARRAY_STRIDE or MATRIX_STRIDE");
      }
    }
    made.members.push_back(std::move(member));
  }
  if (error_) return;
  if (made.members.empty()) return fail(start, "a structure must have members");
  for (const auto& member : made.members) {
    if (member.type.structure != kNone) made.depth = std::max(made.depth, structures_[member.type.structure].depth + 1);
  }
  if (made.depth > limits::kNesting) return fail(start, "structures are nested too deeply", ErrorCode::limit);
  structures_.push_back(std::move(made));
  TypeShape whole_type;
  whole_type.structure = static_cast<std::uint32_t>(structures_.size() - 1);
  if (!lay_out(whole_type, Layout::std430, structures_, kMostScalars)) fail(start, "the structure has too many parts", ErrorCode::limit);
}

// `DATA_TYPE type [STD140|STD430]` or `FORMAT format`.
void Reader::type_and_layout(ScriptBuffer& buffer) {
  const std::uint32_t how = choice("DATA_TYPE or FORMAT", {"DATA_TYPE", "FORMAT"});
  const Token word = expect("a type");
  if (error_) return;
  const auto type = type_named(word.text);
  if (how == 1) {
    if ((buffer.depth_stencil = parse_depth_stencil(word.text))) {
      buffer.type = type_of(buffer.depth_stencil->texture.format, word.text);
      if (buffer.type.scalars.empty()) buffer.type.scalars = {{DataScalar::Kind::uint, 1, 0}};  // of stencil alone
      return;
    }
    if (const auto wide = parse_wide_format(word.text)) {
      buffer.type = *lay_out(*wide, Layout::std430, structures_, kMostScalars);
      return;
    }
    const auto format = parse_format(word.text);
    if (!format) return fail(word, "the format `" + std::string(word.text) + "` is not known", ErrorCode::unsupported);
    buffer.type = type_of(*format, word.text);
    return;
  }
  if (!type) return fail(word, "`" + std::string(word.text) + "` is not a type");
  Layout layout = Layout::std430;
  if (take("STD140"))
    layout = Layout::std140;
  else
    take("STD430");
  auto laid = lay_out(*type, layout, structures_, kMostScalars - scalars_);
  if (!laid) return fail(word, "the types of the script's buffers have too many parts", ErrorCode::limit);
  scalars_ += laid->scalars.size();
  buffer.type = std::move(*laid);
}

void Reader::check_fits(const Token& at, const ScriptNumber& number, const DataScalar& scalar) {
  if (error_ || can_hold(scalar, number)) return;
  fail(at, "expected " + numbers_of(scalar) + ", found `" + std::string(at.text) + '`');
}

void Reader::values_until_end(ScriptBuffer& buffer) {
  const Token start{{}, lexer_.offset()};
  const std::vector<DataScalar>& scalars = buffer.type.scalars;
  while (!error_) {
    const Token word = lexer_.next_of_any_line();
    if (!word) return fail(start, "the data has no END", ErrorCode::truncated);
    if (word.text == "END") return;
    const auto number = number_of(word.text);
    if (!number) return fail(word, "expected a number or END, found `" + std::string(word.text) + '`');
    if (!scalars.empty()) check_fits(word, *number, scalars[buffer.values.size() % scalars.size()]);
    buffer.values.push_back(*number);
  }
}

void Reader::initializer(ScriptBuffer& buffer) {
  const Token word = lexer_.peek();
  switch (choice("DATA, FILL, SERIES_FROM or FILE", {"DATA", "FILL", "SERIES_FROM", "FILE"})) {
    case 0: buffer.from = ScriptBuffer::From::data; return values_until_end(buffer);
    case 1:
      buffer.from = ScriptBuffer::From::fill;
      buffer.values.resize(1);
      break;
    case 2:
      buffer.from = ScriptBuffer::From::series;
      buffer.values.resize(2);
      break;
    case 3: {
      const std::uint32_t kind = choice("BINARY, TEXT or PNG", {"TEXT", "BINARY", "PNG"});
      using From = ScriptBuffer::From;
      buffer.from = kind == 0 ? From::text_file : kind == 1 ? From::binary_file : From::png_file;
      if (kind == 2 && (buffer.type.format.bytes() == 0 || buffer.depth_stencil))
        return fail(word, "a picture must have a FORMAT of colors");
      buffer.path = expect("the file's name").text;
      return;
    }
    default: return;
  }
  for (std::size_t at = 0; at < buffer.values.size() && !error_; ++at) {
    if (at == 1 && !take("INC_BY")) return fail(lexer_.peek(), "expected INC_BY");
    const Token token = expect("a number");
    const auto number = number_of(token.text);
    if (token && !number) return fail(token, "expected a number, found `" + std::string(token.text) + '`');
    if (!number) continue;
    for (const DataScalar& scalar : buffer.type.scalars) check_fits(token, *number, scalar);
    buffer.values[at] = *number;
  }
}

void Reader::buffer() {
  ScriptBuffer made;
  made.place = lexer_.place(lexer_.peek().offset);
  made.name = new_name(script_.buffers, "buffer");
  const bool is_format = lexer_.peek().text == "FORMAT";
  type_and_layout(made);
  if (is_format) {
    while (!error_ && lexer_.peek()) {
      if (take("MIP_LEVELS")) {
        made.levels = whole("the number of levels");
      } else if (take("SAMPLES")) {
        made.samples = whole("the number of samples");
      } else {
        initializer(made);
      }
    }
  } else if (!error_) {
    if (take("SIZE")) {
      made.count = whole("the number of elements");
    } else if (take("WIDTH")) {
      made.width = whole("the width");
      if (!take("HEIGHT")) fail(lexer_.peek(), "expected HEIGHT");
      made.height = whole("the height");
      made.count = std::uint64_t{made.width} * made.height;
    }
    initializer(made);
  }
  if (!error_) script_.buffers.push_back(std::move(made));
}

void Reader::image() {
  ScriptBuffer made;
  made.place = lexer_.place(lexer_.peek().offset);
  made.name = new_name(script_.buffers, "buffer");
  made.is_image = true;
  type_and_layout(made);
  bool has_dimensions = false;
  while (!error_ && lexer_.peek()) {
    if (take("MIP_LEVELS")) {
      made.levels = whole("the number of levels");
    } else if (take("SAMPLES")) {
      made.samples = whole("the number of samples");
    } else if (take("DIM_1D") || take("DIM_2D") || take("DIM_3D")) {
      has_dimensions = true;
    } else if (take("WIDTH")) {
      made.width = whole("the width");
    } else if (take("HEIGHT")) {
      made.height = whole("the height");
    } else if (take("DEPTH")) {
      made.depth = whole("the depth");
    } else {
      initializer(made);
    }
  }
  if (error_ || stopped_) return;
  const Token here = lexer_.peek();
  if (!has_dimensions || made.width == 0 || made.height == 0 || made.depth == 0 || made.levels == 0 || made.samples == 0)
    return fail(here, "an image must have DIM_1D, DIM_2D or DIM_3D and sizes above 0");
  script_.buffers.push_back(std::move(made));
}

// src: google/amber:docs/amber_script.md, "Samplers"
void Reader::sampler() {
  ScriptSampler made;
  made.name = new_name(script_.samplers, "sampler");
  texel::Sampler& state = made.state;
  state.min = state.mag = state.mip = texel::Filter::point;
  state.address.fill(texel::AddressMode::wrap);
  state.comparison = texel::Comparison::never;
  state.border.fill(0);
  state.min_lod = 0;
  state.max_lod = 1;
  while (!error_ && lexer_.peek()) {
    const std::uint32_t what =
        choice("a sampler option", {"MAG_FILTER", "MIN_FILTER", "ADDRESS_MODE_U", "ADDRESS_MODE_V", "ADDRESS_MODE_W", "BORDER_COLOR",
                                    "MIN_LOD", "MAX_LOD", "NORMALIZED_COORDS", "UNNORMALIZED_COORDS", "COMPARE", "COMPARE_OP"});
    switch (what) {
      case 0: chosen("a filter", kFilters, state.mag); break;
      case 1: chosen("a filter", kFilters, state.min); break;
      case 2:
      case 3:
      case 4: chosen("an address mode", kAddressModes, state.address[what - 2]); break;
      case 5: chosen("a border color", kBorderColors, state.border); break;
      case 6: state.min_lod = static_cast<float>(real("a level of detail")); break;
      case 7: state.max_lod = static_cast<float>(real("a level of detail")); break;
      case 8: state.normalized = true; break;
      case 9:
        state.normalized = false;
        state.min_lod = state.max_lod = 0;
        break;
      case 10: choice("on or off", {"on", "off"}); break;
      case 11: chosen("a comparison", kCompareOps, state.comparison); break;
      default: break;
    }
  }
  if (!error_) script_.samplers.push_back(std::move(made));
}

}  // namespace unshade::amber::reader
