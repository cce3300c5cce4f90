// Each operation that computes gives the bits of the interpreter when it is translated, on numbers of all kinds.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/extra.hpp>
#include <unshade/ir/module.hpp>

#include "unit/write/translated.hpp"

namespace unshade::write {
namespace {

using ir::Id;
using ir::Op;
using ir::Type;

/// A vertex shader of one operation, whose operands are made of inputs of 32 bits, and whose results become outputs.
class OneOperation {
 public:
  explicit OneOperation(ir::Denormals denormals) {
    module_.stage = Stage::vertex;
    module_.modes.denorm32 = denormals;
    module_.functions.emplace_back().name = "main";
  }

  std::optional<ir::Module> make(Op op, Type type, Type from, std::uint32_t extra) {
    ir::Builder builder(module_.functions[0]);
    builder.at(builder.block());
    const ir::OpInfo& info = ir::info(op);
    std::vector<std::uint32_t> operands;
    for (const char letter : info.operands) {
      if (letter != 't' && letter != 'u' && letter != 'i' && letter != 'b' && letter != 'f') return std::nullopt;
      const Type of = letter == 't' ? type : letter == 'u' ? from : letter == 'i' ? Type::i32 : letter == 'f' ? Type::f32 : Type::b1;
      operands.push_back(operand(builder, of));
    }
    const Id made = builder.inst(op, type, operands, {.extra = extra, .results = static_cast<unsigned>(info.results.size())});
    for (unsigned k = 0; k < info.results.size(); ++k) {
      const char letter = info.results[k];
      const Type of = letter == 't' ? type : letter == 'i' ? Type::i32 : letter == 'f' ? Type::f32 : Type::b1;
      result(builder, info.results.size() == 1 ? made : builder.get(made, of, k), of);
    }
    builder.return_values();
    return module_;
  }

 private:
  Id input(ir::Builder& builder, Type type) {
    ir::Element element;
    element.semantic = "IN";
    element.semantic_index = static_cast<std::uint32_t>(module_.signatures.input.size());
    element.type = type;
    element.columns = 1;
    element.first_register = element.semantic_index;
    module_.signatures.input.push_back(element);
    return builder.inst(
        Op::input, type, {},
        {.extra = ir::ElementExtra(ir::SignatureKind::input, static_cast<std::uint16_t>(element.semantic_index), 0).bits()});
  }

  Id operand(ir::Builder& builder, Type type) {
    switch (type) {
      case Type::f32: return input(builder, Type::f32);
      case Type::i32: return input(builder, Type::i32);
      case Type::b1:
        return builder.inst(Op::ieq, Type::i32,
                            {builder.inst(Op::iand, Type::i32, {input(builder, Type::i32), builder.i32(1)}), builder.i32(0)});
      case Type::f64:
      case Type::i64: {
        const Id low = input(builder, Type::i32);
        return builder.inst(Op::pack64, type, {low, input(builder, Type::i32)});
      }
      default: {
        const Type whole = ir::bit_width(type) == 8 ? Type::i8 : Type::i16;
        const Id narrow = builder.inst(Op::trunc, whole, {input(builder, Type::i32)});
        return whole == type ? narrow : builder.inst(Op::bitcast, type, {narrow});
      }
    }
  }

  void output(ir::Builder& builder, Id value, Type type) {
    ir::Element element;
    element.semantic = "OUT";
    element.semantic_index = static_cast<std::uint32_t>(module_.signatures.output.size());
    element.type = type;
    element.columns = 1;
    element.first_register = element.semantic_index;
    module_.signatures.output.push_back(element);
    builder.inst(Op::output, type, {value},
                 {.extra = ir::ElementExtra(ir::SignatureKind::output, static_cast<std::uint16_t>(element.semantic_index), 0).bits()});
  }

  void result(ir::Builder& builder, Id value, Type type) {
    if (type == Type::f32 || type == Type::i32) return output(builder, value, type);
    if (type == Type::b1) return output(builder, builder.inst(Op::zext, Type::i32, {value}), Type::i32);
    if (ir::bit_width(type) == 64) {
      const Id words = builder.inst(Op::unpack64, type, {value}, {.results = 2});
      output(builder, builder.get(words, Type::i32, 0), Type::i32);
      return output(builder, builder.get(words, Type::i32, 1), Type::i32);
    }
    const Type whole = ir::bit_width(type) == 8 ? Type::i8 : Type::i16;
    const Id bits = whole == type ? value : builder.inst(Op::bitcast, whole, {value});
    output(builder, builder.inst(Op::zext, Type::i32, {bits}), Type::i32);
  }

  ir::Module module_;
};

std::vector<std::uint32_t> extras_of(Op op) {
  switch (ir::info(op).extra) {
    case ir::Extra::float_classes:
      return {ir::kNan, ir::kInfinite, ir::kNormal, ir::kSubnormal, ir::kZero, ir::kFinite, ir::kNan | ir::kZero};
    case ir::Extra::pack: return {0, 1, 2};
    case ir::Extra::unpack: return {0, 1};
    case ir::Extra::rounding: return {0, 1};
    default: return {0};
  }
}

constexpr Type kTypes[] = {Type::b1, Type::i8, Type::i16, Type::i32, Type::i64, Type::f16, Type::f32, Type::f64};

/// What is refused, by name: GLSL.std.450 has no such function of 64 bits.
bool may_be_refused(Type type) { return type == Type::f64; }

/// GLSL.std.450 leaves open whether Fma rounds once; in 64 bits it is the only one there is.
bool is_left_open(Op op) { return op == Op::ffma; }

/// Conversions that the interpreter does not have, since no lowering asks for them.
bool is_missing(Op op, Type type, Type from, std::uint32_t rounding) {
  return op == Op::f_to_f && (type == from || (rounding != 0 && ir::bit_width(type) > ir::bit_width(from)));
}

class Operations : public testing::TestWithParam<std::size_t> {};

TEST_P(Operations, AreTheSameTranslated) {
  const auto op = static_cast<Op>(GetParam());
  const ir::OpInfo& info = ir::info(op);
  std::size_t tried = 0;
  for (const Type type : kTypes) {
    const bool has_type = info.types != 0;
    if (has_type ? !ir::contains(info.types, type) : type != Type::i32) continue;
    for (const Type from : kTypes) {
      const bool has_from = info.operands.find('u') != std::string_view::npos;
      if (is_left_open(op)) GTEST_SKIP() << "SPIR-V leaves it open how often it rounds";
      if (has_from ? !ir::contains(info.from, from) || !ir::fits(op, type, from) : from != Type::i32) continue;
      for (const std::uint32_t extra : extras_of(op)) {
        if (is_missing(op, type, from, extra)) continue;
        for (const ir::Denormals denormals : {ir::Denormals::flush, ir::Denormals::preserve}) {
          const auto module = OneOperation(denormals).make(op, has_type ? type : Type::void_, from, extra);
          if (!module) return;  // no operation on values alone
          const std::string why = test::difference(*module);
          if (may_be_refused(type) && why.starts_with("refused: ")) continue;
          EXPECT_EQ(why, "") << info.text << ' ' << ir::text(type) << " of " << ir::text(from) << " extra " << extra << " denormals "
                             << int(denormals);
          ++tried;
        }
      }
    }
  }
  EXPECT_GT(tried, 0U) << info.text;
}

std::vector<std::size_t> computing() {
  std::vector<std::size_t> made;
  for (std::size_t at = 0; at < ir::kOps; ++at) {
    const ir::OpInfo& info = ir::kOpInfos[at];
    const bool has_values = info.extra == ir::Extra::none || info.extra == ir::Extra::float_classes || info.extra == ir::Extra::pack ||
                            info.extra == ir::Extra::unpack || info.extra == ir::Extra::rounding;
    if (info.effects != ir::Effects::pure || !has_values || info.operands.empty()) continue;
    if (info.operands.find_first_not_of("tubif") != std::string_view::npos ||
        info.results.find_first_not_of("tbif") != std::string_view::npos)
      continue;
    if (static_cast<Op>(at) == Op::access_mapped || static_cast<Op>(at) == Op::address_offset)
      continue;  // of what loads from resources give
    made.push_back(at);
  }
  return made;
}

INSTANTIATE_TEST_SUITE_P(All, Operations, testing::ValuesIn(computing()),
                         [](const auto& one) { return std::string(ir::kOpInfos[one.param].text); });

}  // namespace
}  // namespace unshade::write
