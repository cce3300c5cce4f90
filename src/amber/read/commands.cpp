// Commands that run pipelines and compare what they gave.
#include <algorithm>
#include <cmath>

#include "amber/read/reader.hpp"
#include "amber/words.hpp"

namespace unshade::amber::reader {

bool Reader::run_command(const Token& word) {
  if (word.text == "RUN") return run(), true;
  if (word.text == "CLEAR") {
    Clear made;
    made.pipeline = name_of(script_.pipelines, "pipeline");
    return add(word, made), true;
  }
  if (word.text == "CLEAR_COLOR") return clear_color(), true;
  if (word.text == "CLEAR_DEPTH" || word.text == "CLEAR_STENCIL") {
    return clear_depth(word.text == "CLEAR_STENCIL"), true;
  }
  if (word.text == "COPY") return copy(), true;
  if (word.text == "EXPECT") return compare(), true;
  if (word.text == "REPEAT") return repeat(), true;
  return false;
}

void Reader::run() {
  take("TIMED_EXECUTION");
  const Token at = lexer_.peek();
  const std::uint32_t pipeline = name_of(script_.pipelines, "pipeline");
  if (error_) return;
  const bool is_compute = script_.pipelines[pipeline].is_compute;
  const Token how = lexer_.peek();
  const bool is_rectangle = how.text == "DRAW_RECT";
  const bool is_grid = how.text == "DRAW_GRID";
  if ((is_rectangle || is_grid || how.text == "DRAW_ARRAY") == is_compute)
    return fail(how, is_compute ? "expected numbers of thread groups for a compute pipeline"
                                : "expected DRAW_RECT, DRAW_GRID or DRAW_ARRAY for a graphics pipeline");
  if (how.text == "DRAW_ARRAY") return draw_array(pipeline);
  if (!is_rectangle && !is_grid) {
    Dispatch made;
    made.pipeline = pipeline;
    for (std::uint32_t& count : made.groups) count = whole("a number of thread groups");
    return add(at, made);
  }
  lexer_.next();
  DrawRect made;
  made.pipeline = pipeline;
  made.is_grid = is_grid;
  if (!take("POS")) return fail(lexer_.peek(), "expected POS");
  made.area[0] = static_cast<float>(real("x"));
  made.area[1] = static_cast<float>(real("y"));
  if (!take("SIZE")) return fail(lexer_.peek(), "expected SIZE");
  made.area[2] = static_cast<float>(real("the width"));
  made.area[3] = static_cast<float>(real("the height"));
  if (is_grid) {
    if (!take("CELLS")) return fail(lexer_.peek(), "expected CELLS");
    made.columns = whole("the number of columns");
    made.rows = whole("the number of rows");
  }
  add(at, made);
}

void Reader::draw_array(std::uint32_t pipeline) {
  const Token at = lexer_.next();
  DrawArray made;
  made.pipeline = pipeline;
  made.indexed = take("INDEXED");
  if (!take("AS")) return fail(lexer_.peek(), "expected AS and a topology");
  const std::uint32_t topology = choice("a topology", kTopologies);
  if (error_) return;
  made.topology = static_cast<draw::Topology>(topology);
  const auto count = [&](std::string_view what) {
    const Token token = lexer_.peek();
    const std::uint32_t number = whole(what);
    if (!error_ && number == 0) fail(token, "expected " + std::string(what) + ", at least 1, found `0`");
    return number;
  };
  while (!error_ && lexer_.peek()) {
    switch (choice("a draw option", {"START_IDX", "COUNT", "START_INSTANCE", "INSTANCE_COUNT", "INDEXED"})) {
      case 0: made.first = whole("the first vertex"); break;
      case 1: made.count = count("the number of vertices"); break;
      case 2: made.first_instance = whole("the first instance"); break;
      case 3: made.instances = count("the number of instances"); break;
      case 4: made.indexed = true; break;
      default: break;
    }
  }
  add(at, made);
}

void Reader::clear_color() {
  const Token at = lexer_.peek();
  ClearColor made;
  made.pipeline = name_of(script_.pipelines, "pipeline");
  for (float& component : made.color) {
    const Token given = lexer_.peek();
    const double color = real("a color component from 0 to 255");
    if (!error_ && !(color >= 0 && color <= 255))
      fail(given, "expected a color component from 0 to 255, found `" + std::string(given.text) + '`');
    component = static_cast<float>(color / 255);
  }
  add(at, made);
}

void Reader::clear_depth(bool is_stencil) {
  const Token at = lexer_.peek();
  ClearDepthStencil made;
  made.pipeline = name_of(script_.pipelines, "pipeline");
  const Token given = lexer_.peek();
  if (is_stencil) {
    const std::uint32_t number = whole("a number from 0 to 255");
    if (number > 0xff) fail(given, "expected a number from 0 to 255, found `" + std::string(given.text) + '`');
    made.stencil = static_cast<std::uint8_t>(number);
  } else {
    made.depth = depth_from_0_to_1();
  }
  add(at, made);
}

void Reader::copy() {
  const Token at = lexer_.peek();
  CopyBuffer made;
  made.from = name_of(script_.buffers, "buffer");
  if (!take("TO")) return fail(lexer_.peek(), "expected TO");
  made.to = name_of(script_.buffers, "buffer");
  add(at, made);
}

void Reader::repeat() {
  const Token at = lexer_.peek();
  if (repeats_ != 0) return fail(at, "REPEAT cannot be repeated");
  Repeat made;
  made.count = whole("how often");
  made.commands = kNone;  // until its END
  ++repeats_;
  add(at, made);
}

void Reader::compare() {
  using How = Expect::How;
  const Token at = lexer_.peek();
  Expect made;
  made.buffer = name_of(script_.buffers, "buffer");
  const auto tolerance = [&](std::size_t most) {
    while (!error_ && made.tolerances.size() < most && lexer_.peek()) {
      std::string_view text = lexer_.peek().text;
      const bool is_percent = text.ends_with('%');
      if (is_percent) text.remove_suffix(1);
      const auto number = number_of(text);
      if (!number) break;
      const Token given = lexer_.next();
      if (!(number->real >= 0) || std::isinf(number->real))
        return fail(given, "expected a finite tolerance of 0 or more, found `" + std::string(given.text) + '`');
      made.tolerances.push_back({number->real, is_percent});
    }
    if (made.tolerances.empty()) fail(lexer_.peek(), "expected a tolerance");
  };
  if (error_) return;
  if (!take("IDX")) {
    constexpr How kHow[] = {How::buffer, How::rmse, How::histogram};
    const std::uint32_t how = choice("a comparison", {"EQ_BUFFER", "RMSE_BUFFER", "EQ_HISTOGRAM_EMD_BUFFER"});
    if (error_) return;
    made.how = kHow[how];
    made.other = name_of(script_.buffers, "buffer");
    if (how != 0) {
      if (!take("TOLERANCE")) return fail(lexer_.peek(), "expected TOLERANCE");
      tolerance(1);
    }
    return add(at, made);
  }
  made.offset = whole("the offset in bytes, or x");
  const bool is_area = is_next_number();
  if (is_area) {
    made.how = How::color;
    made.area[0] = static_cast<std::uint32_t>(made.offset);
    made.area[1] = whole("y");
    made.area[2] = made.area[3] = 1;
    if (take("SIZE")) {
      for (const auto& [size, what] : {std::pair{&made.area[2], "the width"}, std::pair{&made.area[3], "the height"}}) {
        const Token token = lexer_.peek();
        *size = whole(what);
        if (!error_ && *size == 0) fail(token, "expected " + std::string(what) + ", at least 1, found `0`");
      }
    }
  }
  if (take("TOLERANCE")) tolerance(4);
  if (is_area) {
    const std::uint32_t components = 3 + choice("EQ_RGB or EQ_RGBA", {"EQ_RGB", "EQ_RGBA"});
    for (std::uint32_t k = 0; k < components && !error_; ++k) {
      ScriptNumber value;
      value.real = real("a color component from 0 to 255");
      made.values.push_back(value);
    }
    if (take("TOLERANCE")) tolerance(4);
    return add(at, std::move(made));
  }
  constexpr How kHow[] = {How::eq, How::ne, How::lt, How::le, How::gt, How::ge};
  const std::uint32_t how = choice("a comparison", {"EQ", "NE", "LT", "LE", "GT", "GE"});
  if (error_) return;
  made.how = kHow[how];
  const DataType& type = script_.buffers[made.buffer].type;
  const std::vector<DataScalar>& scalars = type.scalars;
  // a run reports that no number begins at the offset
  auto part = std::ranges::find(scalars, made.offset % std::max(1U, type.stride), &DataScalar::offset);
  while (!error_ && lexer_.peek()) {
    const Token token = lexer_.next();
    const auto number = number_of(token.text);
    if (!number) return fail(token, "expected a number, found `" + std::string(token.text) + '`');
    if (part != scalars.end()) {
      check_fits(token, *number, *part);
      if (++part == scalars.end()) part = scalars.begin();
    }
    made.values.push_back(*number);
  }
  if (error_) return;
  if (made.values.empty()) return fail(lexer_.peek(), "expected numbers");
  add(at, std::move(made));
}

}  // namespace unshade::amber::reader
