#include <unshade/dxil/program/call.hpp>

#include <gtest/gtest.h>

#include <map>
#include <string>

#include <unshade/dxil/assemble.hpp>
#include <unshade/dxil/layout.hpp>
#include <unshade/dxil/program/handles.hpp>

#include "support/files.hpp"

namespace unshade::dxil {

namespace {

/// A bundled module, and its calls of operations.
struct Sample {
  Module module;
  ProgramMetadata program;

  explicit Sample(const std::string& name) {
    const auto text = test::read_text(test::source_dir() / "tests/data/dxil" / name);
    Message message;
    EXPECT_TRUE(parse_module_text(text, module, message)) << message.text;
    program = read_program_metadata(module);
  }
  ProgramQuery query() const { return {{module}, program}; }
  std::vector<Call> calls(Operation operation) const {
    std::vector<Call> found;
    for (const Body& body : module.bodies)
      for (std::uint32_t k = body.instructions.first; k < body.instructions.end(); ++k)
        if (const auto call = call_of(query(), body, module.instructions[k]); call && call->operation() == operation)
          found.push_back(*call);
    return found;
  }
};

TEST(Parameters, HaveHashesOfTheirOwn) {
  std::map<std::uint32_t, std::string_view> names;
  for (const OperationInfo& row : operations()) {
    std::string_view left = row.parameters;
    for (std::size_t i = 0; i < row.parameter_count; ++i) {
      const std::string_view name = left.substr(0, left.find(','));
      left.remove_prefix(std::min(name.size() + 1, left.size()));
      EXPECT_EQ(names.emplace(Parameter::hash(name), name).first->second, name);
      EXPECT_EQ(row.find(Parameter::named(name)), i) << row.comment;
    }
  }
}

TEST(Operations, HaveTraits) {
  const auto row = [](Operation operation) -> const OperationInfo& { return *find_operation(static_cast<std::uint32_t>(operation)); };
  EXPECT_TRUE(row(Operation::sample).has(operation_trait::gradient));
  EXPECT_FALSE(row(Operation::sample_level).has(operation_trait::gradient));
  EXPECT_EQ(row(Operation::write_sampler_feedback).traits, operation_trait::gradient | operation_trait::feedback);
  EXPECT_TRUE(row(Operation::quad_vote).has(operation_trait::wave));
  EXPECT_TRUE(row(Operation::emit_stream).may_be_in(ShaderKind::geometry));
  EXPECT_FALSE(row(Operation::emit_stream).may_be_in(ShaderKind::pixel));
  EXPECT_FALSE(row(Operation::emit_stream).may_be_in(static_cast<ShaderKind>(0xffff'fff6)));  // found by fuzzing (validation)
  EXPECT_EQ(row(Operation::load_input).constants, 0b101U);
  EXPECT_EQ(row(Operation::thread_id).constants, 0U);
}

TEST(Calls, HaveArgumentsByName) {
  const Sample sample("transform_vs_6_8.ll");
  const auto stores = sample.calls(Operation::store_output);
  ASSERT_FALSE(stores.empty());
  EXPECT_EQ(stores[0].size(), 4U);
  EXPECT_EQ(stores[0].constant("outputSigId"), 0U);
  EXPECT_EQ(stores[0].constant("colIndex"), stores[0].constant(2));
  EXPECT_FALSE(stores[0].constant("value"));
  EXPECT_FALSE(stores[0].has("mask"));
  EXPECT_EQ(stores[0].argument("mask"), kNone);
  EXPECT_TRUE(stores[0].is_undefined("mask"));
  EXPECT_EQ(sample.query().text_of(stores[0].overload()), "float");
  EXPECT_EQ(stores[0].type_of("value"), stores[0].overload());
  const auto rows = sample.calls(Operation::cbuffer_load_legacy);
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(sample.query().text_of(rows[0].overload()), "float");
}

TEST(Calls, WithWrongOpcodesAreNone) {
  Sample sample("transform_vs_6_8.ll");
  const Call call = sample.calls(Operation::store_output)[0];
  const Value& opcode = sample.module.value(&call.body(), sample.module.operands[call.instruction().operands.first + 1]);
  sample.module.constants[opcode.index].bits = 9999;
  EXPECT_FALSE(call_of(sample.query(), call.body(), call.instruction()));
  EXPECT_EQ(opcode_of(sample.query(), call.body(), call.instruction()), 9999U);
}

TEST(Handles, AreTracedToRecords) {
  const Sample sample("textured_ps_6_6.ll");
  const HandleFinder finder(sample.query());
  const auto calls = sample.calls(Operation::sample);
  ASSERT_FALSE(calls.empty());
  const auto view = finder.find(calls[0].body(), calls[0].argument("srv"));
  ASSERT_TRUE(view);
  ASSERT_NE(view->record, nullptr);
  EXPECT_EQ(view->record->resource_class, ResourceClass::srv);
  EXPECT_EQ(view->resource_class, ResourceClass::srv);
  EXPECT_EQ(view->kind, view->record->kind);
  EXPECT_TRUE(sample.query().integer_of(&calls[0].body(), view->index));
  const auto sampler = finder.find(calls[0].body(), calls[0].argument("sampler"));
  ASSERT_TRUE(sampler);
  EXPECT_EQ(sampler->resource_class, ResourceClass::sampler);

  const Sample heaps("bindless_ps_6_6.ll");
  const HandleFinder in_heaps(heaps.query());
  bool found = false;
  for (const Call& call : heaps.calls(Operation::annotate_handle)) {
    const auto handle = in_heaps.find(call.body(), call.instruction().value);
    ASSERT_TRUE(handle);
    if (!handle->from_heap) continue;
    found = true;
    EXPECT_EQ(handle->record, nullptr);
    EXPECT_EQ(handle->of_samplers, handle->resource_class == ResourceClass::sampler);
    EXPECT_NE(handle->index, kNone);
  }
  EXPECT_TRUE(found);
}

TEST(Addresses, AreRootsOffsetsAndIndexes) {
  const std::string text = R"(
%S = type { i32, [4 x float] }
@table = internal unnamed_addr constant [2 x %S] [%S { i32 7, [4 x float] [float 1.0, float 2.0, float 3.0, float 4.0] }, %S zeroinitializer], align 4
define float @f(i32 %i) {
  %p = getelementptr inbounds [2 x %S], [2 x %S]* @table, i32 0, i32 %i, i32 1, i32 2
  %a = load float, float* %p
  %b = load float, float* getelementptr inbounds ([2 x %S], [2 x %S]* @table, i32 0, i32 1, i32 1, i32 3)
  %c = fadd float %a, %b
  ret float %c
}
)";
  Module module;
  Message message;
  ASSERT_TRUE(parse_module_text(text, module, message)) << message.text;
  const ModuleQuery query{module};
  TypeLayout layout(module);
  const Body& body = module.bodies[0];
  std::vector<Address> addresses;
  for (std::uint32_t k = body.instructions.first; k < body.instructions.end(); ++k)
    if (module.instructions[k].opcode == Opcode::load)
      addresses.push_back(address_of(query, body, module.operands[module.instructions[k].operands.first], layout));
  ASSERT_EQ(addresses.size(), 2U);
  EXPECT_EQ(addresses[0].root, module.globals[0].value);
  EXPECT_EQ(addresses[0].offset, 12U);
  ASSERT_EQ(addresses[0].indexes.size(), 1U);
  EXPECT_EQ(addresses[0].indexes[0].stride, 20U);
  EXPECT_EQ(addresses[1].root, module.globals[0].value);
  EXPECT_EQ(addresses[1].offset, 36U);
  EXPECT_TRUE(addresses[1].indexes.empty());

  const auto bytes = bytes_of(query, nullptr, module.globals[0].initializer, layout, 64);
  ASSERT_TRUE(bytes);
  ASSERT_EQ(bytes->size(), 40U);
  EXPECT_EQ((*bytes)[0], std::byte{7});
  EXPECT_EQ((*bytes)[7], std::byte{0x3f});
  EXPECT_EQ((*bytes)[11], std::byte{0x40});
  EXPECT_EQ((*bytes)[20], std::byte{0});
  EXPECT_FALSE(bytes_of(query, nullptr, module.globals[0].initializer, layout, 39));
}

}  // namespace

}  // namespace unshade::dxil
