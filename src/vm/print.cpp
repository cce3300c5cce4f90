// Printing programs.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <unshade/core/text.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/vm/text.hpp>

#include "vm/kernel_list.hpp"
#include "vm/program.hpp"

namespace unshade::vm {
namespace {

using ir::Id;
using ir::kNone;
using ir::Type;

class Printer {
 public:
  Printer(const Program::Data& data, Text& out) : data_(data), f_(*data.function), fields_(data.module), out_(out) {}

  void run(Listing listing) {
    print_head();
    print_constants();
    if (listing == Listing::scheduled && data_.preamble_steps != 0) {
      out_ << "preamble:\n";
      print_steps(0, data_.preamble_steps);
    }
    const ir::ValueNames names(f_);
    for (std::size_t at = 0; at < data_.blocks.size(); ++at) {
      const BlockCode& block = data_.blocks[at];
      print_block_name(static_cast<std::uint32_t>(at));
      out_ << ":\n";
      if (listing == Listing::scheduled) {
        print_steps(block.first_step, block.step_count);
      } else {
        for (std::uint32_t code = block.first; code < block.first + block.count; ++code) {
          out_ << "  ";
          print_code(code);
          print_origin(data_.origin[code], names);
          out_ << '\n';
        }
      }
      print_end(block);
    }
    out_ << "}\n";
  }

 private:
  void number(std::string_view before, std::uint64_t value) {
    out_ << before;
    out_.dec(value);
  }
  void slot(std::uint32_t value) { number("s", value); }

  void print_head() {
    out_ << "program";
    fields_.print_function(static_cast<std::uint32_t>(data_.function - data_.module.functions.data()), out_);
    number(" wave ", data_.wave);
    number(" slots ", data_.slots);
    if (data_.private_bytes != 0) number(" private ", data_.private_bytes);
    if (data_.group_bytes != 0) number(" group ", data_.group_bytes);
    if (data_.payload_bytes != 0) number(" payload ", data_.payload_bytes);
    if (data_.flushes) out_ << " flush";
    if (data_.waits) out_ << " waits";
    out_ << " {\n";
  }

  // They are those of the function, by id.
  void print_constants() {
    if (data_.constants.empty()) return;
    out_ << "constants:\n";
    Id id = 0;
    for (const Program::Data::Constant& one : data_.constants) {
      while (f_.insts[id].op != ir::Op::constant && f_.insts[id].op != ir::Op::undef) ++id;
      const Type type = f_.insts[id++].type;
      out_ << "  ";
      slot(one.slot);
      out_ << " = " << text(type) << ' ';
      if (one.undefined) {
        out_ << "undef";
      } else {
        print_lane(type, one.bits);
      }
      out_ << '\n';
    }
  }

  // The bits of a constant in a lane: narrow floats are f32 there.
  void print_lane(Type type, std::uint64_t bits) {
    const auto narrow = static_cast<std::uint32_t>(bits);
    const auto is_finite = [](std::uint64_t value, std::uint64_t exponent) { return (value & exponent) != exponent; };
    switch (type) {
      case Type::f16:
      case Type::f24:
      case Type::f32:
        if (is_finite(narrow, 0x7f80'0000)) {
          out_.shortest(std::bit_cast<float>(narrow));
        } else {
          (out_ << "0x").hex(narrow, 8);
        }
        break;
      case Type::f64:
        if (is_finite(bits, 0x7ff0'0000'0000'0000)) {
          out_.shortest(std::bit_cast<double>(bits));
        } else {
          (out_ << "0x").hex(bits, 16);
        }
        break;
      case Type::b1: out_ << (narrow != 0 ? "true" : "false"); break;
      case Type::i64: out_.dec_signed(static_cast<std::int64_t>(bits)); break;
      default: out_.dec_signed(static_cast<std::int32_t>(narrow)); break;
    }
  }

  void print_block_name(std::uint32_t at) { number("^", f_.order[at]); }

  // --- operations ----------------------------------------------------------------------------------------------------------------------

  void print_steps(std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t number = first; number < first + count; ++number) {
      const Step& step = data_.steps[number];
      for (std::uint32_t at = 0; at < step.count; ++at) {
        out_ << (at == 0 ? "  - " : "    ");
        switch (step.kind) {
          case Step::Kind::kernel: print_kernel(step.first + at); break;
          case Step::Kind::access: print_access(data_.accesses[step.first + at]); break;
          default: print_access(data_.accesses[data_.transfers[step.first + at].access]); break;
        }
        out_ << '\n';
      }
    }
  }

  void print_code(std::uint32_t number) {
    if (const Code& code = data_.code[number]; code.kernel == kAccess) {
      print_access(data_.accesses[code.extra]);
    } else {
      print_kernel(number);
    }
  }

  void print_operand(std::uint32_t value) {
    out_ << ' ';
    slot(value);
  }

  // With what tells if nothing reads it afterwards.
  void print_operand(std::uint32_t value, std::uint32_t dies, std::size_t at) {
    print_operand(value);
    if (at < 32 && (dies >> at & 1) != 0) out_ << '\'';
  }

  void print_kernel(std::uint32_t number) {
    const Code& code = data_.code[number];
    if (is_pair(code)) return print_pair(code, data_.dies[number]);
    const KernelRow& row = row_of(code);
    const ir::OpInfo& info = ir::info(row.op);
    const bool adds = adds_up(row.op);
    if (adds && (code.more & kDropped) != 0) {
      out_ << "last";
    } else {
      slot(code.d);
    }
    out_ << " = " << info.text << '.' << text(row.type);
    if (row.conversion) out_ << '.' << text(row.from);
    if (row.other_rounding) out_ << (row.conversion ? ".toward_zero" : ".nearest");
    const std::size_t operands = info.operands.size();
    if (operands <= 4 && info.extra != ir::Extra::rounding) fields_.print(row.op, code.extra, out_);
    const std::uint32_t places[] = {code.a, code.b, code.c, code.more, code.extra};
    for (std::size_t at = 0; at < operands && at < 5; ++at) {
      if (adds && at == 2 && (code.more & kFromLast) != 0) {
        out_ << " last";
      } else {
        print_operand(places[at], data_.dies[number], at);
      }
    }
  }

  void print_pair(const Code& code, std::uint32_t dies) {
    const Pair& pair = pair_of(code);
    slot(code.d);
    out_ << " = " << ir::info(pair.second).text << ".f32";
    if (pair.on_right) print_operand(code.c, dies, 2);
    out_ << " (" << ir::info(pair.first).text << ".f32";
    print_operand(code.a, dies, 0);
    print_operand(code.b, dies, 1);
    out_ << ')';
    if (!pair.on_right) print_operand(code.c, dies, 2);
  }

  void print_access(const Access& access) {
    const ir::OpInfo& info = ir::info(access.op);
    if (access.results != 0) {
      slot(access.first_result);
      out_ << " = ";
    }
    out_ << info.text;
    if (info.types != 0) out_ << ' ' << text(access.type);
    if (access.results > 1) number(" x", access.results);
    fields_.print(access.op, access.extra, out_);
    for (std::size_t at = 0; at < access.operands.size(); ++at) print_operand(access.operands[at], access.dies, at);
    fields_.print(access.flags, out_);
    if (access.once) {
      out_ << " once";
    } else if (access.uniform && !access.operands.empty()) {
      out_ << " uniform";
    }
  }

  void print_origin(Id id, const ir::ValueNames& names) {
    const bool has_source = id < f_.sources.size() && f_.sources[id].instruction != kNone;
    if (f_.insts[id].results == 0 && !has_source) return;
    out_ << " ;";
    if (f_.insts[id].results != 0) out_ << " %" << names.of(id);
    if (!has_source) return;
    number(" !", f_.sources[id].instruction);
    if (f_.sources[id].group != kNone) number(".", f_.sources[id].group);
  }

  // --- flow ----------------------------------------------------------------------------------------------------------------------------

  void print_edge(const Edge& edge) {
    out_ << ' ';
    print_block_name(edge.block);
    if (edge.copy_count == 0) return;
    std::string_view between = "(";
    for (std::uint32_t at = edge.first_copy; at < edge.first_copy + edge.copy_count; ++at) {
      const Copy& copy = data_.copies[at];
      out_ << between;
      slot(copy.to);
      out_ << " = ";
      slot(copy.from);
      if (copy.wide) out_ << " wide";
      between = ", ";
    }
    out_ << ')';
  }

  void print_end(const BlockCode& block) {
    const Edge* const edges = data_.edges.data() + block.first_edge;
    out_ << "  ";
    switch (block.end) {
      case BlockCode::End::jump: out_ << "jump"; break;
      case BlockCode::End::branch: out_ << "branch"; break;
      case BlockCode::End::switch_: out_ << (block.wide ? "switch i64" : "switch i32"); break;
      case BlockCode::End::stop: out_ << "stop"; break;
      case BlockCode::End::unreachable: out_ << "unreachable"; break;
    }
    const bool is_switch = block.end == BlockCode::End::switch_;
    if (is_switch || block.end == BlockCode::End::branch) print_operand(block.condition);
    for (std::uint32_t at = 0; at < block.edge_count; ++at) {
      if (is_switch && at != 0) {
        out_ << ' ';
        print_lane(block.wide ? Type::i64 : Type::i32, data_.cases[block.first_case + at - std::size_t{1}]);
      }
      print_edge(edges[at]);
    }
    if (block.waits) out_ << " waits";
    out_ << '\n';
  }

  const Program::Data& data_;
  const ir::Function& f_;
  const ir::FieldPrinter fields_;
  Text& out_;
};

}  // namespace

void print(const Program& program, Listing listing, Text& out) {
  if (listing == Listing::scheduled) return Printer(program.data(), out).run(listing);
  const auto watched = watched_data(program.data());
  if (!watched) {
    out << "; " << to_string(watched.error()) << '\n';
    return;
  }
  Printer(**watched, out).run(listing);
}

std::string print(const Program& program, Listing listing) {
  Text out;
  print(program, listing, out);
  return out.str();
}

}  // namespace unshade::vm
