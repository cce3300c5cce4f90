// Compute shaders that tests build by hand, and their run over one buffer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/vm/machine.hpp>

namespace unshade::vm::test {

using ir::BlockId;
using ir::Builder;
using ir::Id;
using ir::Op;
using ir::Type;

/// A compute shader of one function over a buffer u0 of u32, and of which each test builds the code.
class Machine {
 public:
  Machine(std::array<std::uint32_t, 3> group, std::uint32_t group_bytes = 0) {
    module.stage = Stage::compute;
    module.info.group_size = group;
    ir::Resource out;
    out.name = "out";
    out.kind = dxcontainer::ResourceKind::uav_byte_address;
    out.dimension = dxcontainer::ResourceDimension::buffer;
    module.resources.push_back(out);
    if (group_bytes != 0) module.variables.push_back({"shared", ir::Space::group, 0, group_bytes, {}});
    module.functions.emplace_back().name = "main";
  }

  Program ready(const Options& options = {}) {
    ir::canonicalize(module);
    auto verified = ir::verify(module);
    for (const Diagnostic& one : verified.diagnostics()) ADD_FAILURE() << to_string(one);
    auto program = prepare(*verified.valid(), options);
    EXPECT_TRUE(program) << to_string(program.error());
    return *program;
  }

  std::vector<std::uint32_t> run(std::vector<std::uint32_t> memory, std::array<std::uint32_t, 3> groups, const Options& options = {}) {
    const Program program = ready(options);
    Resources resources = empty_resources(module);
    resources.rows[0].resize(1);
    resources.rows[0][0].bytes = std::as_writable_bytes(std::span(memory));
    const auto done = dispatch(program, resources, groups);
    EXPECT_TRUE(done);
    EXPECT_EQ(done->stop, Stop::finished) << done->fault;
    return memory;
  }

  ir::Module module;
};

inline Id builtin(Builder& b, ir::Builtin which, unsigned component = 0) {
  return b.inst(Op::builtin, ir::info(which).type, {}, {.extra = ir::BuiltinExtra(which, static_cast<std::uint8_t>(component)).bits()});
}
inline Id out(Builder& b) { return b.inst(Op::handle, Type::void_, {b.i32(0)}, {.extra = 0}); }
inline void store(Builder& b, Id index, Id value) {
  b.inst(Op::buffer_store, Type::i32, {out(b), b.inst(Op::imul, Type::i32, {index, b.i32(4)}), value});
}
inline Id load(Builder& b, Id index) {
  return b.inst(Op::buffer_load, Type::i32, {out(b), b.inst(Op::imul, Type::i32, {index, b.i32(4)})});
}

}  // namespace unshade::vm::test
