#include "ir/dxbc/semantics.hpp"

#include <array>
#include <iterator>
#include <string_view>

#include "ir/meaning.hpp"

namespace unshade::ir::lower_dxbc {
namespace {

struct SemanticRow {
  Meaning meaning;
  Lowering::Meaning lower;
  Op op = Op::undef;
};

// Words of semantics.def, and ids of ops.def if an operation is not simply done for each component.
using L = Lowering;
using M = Meaning;
constexpr SemanticRow kRows[] = {
    {M::nothing, &L::nothing},
    {M::trap, &L::stop},
    {M::custom_data, &L::custom_data},
    // floating point
    {M::mov, &L::move},
    {M::select, &L::select},
    {M::fge, &L::swapped, Op::fle},
    {M::fdot2, &L::dot<2>},
    {M::fdot3, &L::dot<3>},
    {M::fdot4, &L::dot<4>},
    {M::fsincos, &L::sine_cosine},
    // integers
    {M::ige, &L::swapped, Op::ile},
    {M::uge, &L::swapped, Op::ule},
    {M::imad, &L::made_of<M::imad>},
    {M::imul_wide, &L::wide_multiply, Op::imul_high},
    {M::umul_wide, &L::wide_multiply, Op::umul_high},
    {M::udiv_rem, &L::divide},
    {M::add_carry, &L::two_results, Op::add_carry},
    {M::sub_borrow, &L::two_results, Op::sub_borrow},
    {M::first_bit_high, &L::made_of<M::first_bit_high>},
    {M::first_bit_high_signed, &L::made_of<M::first_bit_high_signed>},
    {M::ubfe, &L::bit_field, Op::ubfe},
    {M::ibfe, &L::bit_field, Op::ibfe},
    {M::bfi, &L::insert_bits, Op::bfi},
    {M::swap_if, &L::swap_if},
    // conversions
    {M::f_to_s, &L::convert<Type::i32>, Op::f_to_s},
    {M::f_to_u, &L::convert<Type::i32>, Op::f_to_u},
    {M::s_to_f, &L::convert<Type::f32>, Op::s_to_f},
    {M::u_to_f, &L::convert<Type::f32>, Op::u_to_f},
    {M::s_to_f64, &L::convert<Type::f64>, Op::s_to_f},
    {M::u_to_f64, &L::convert<Type::f64>, Op::u_to_f},
    {M::f_to_f32, &L::convert<Type::f32>, Op::f_to_f},
    {M::f_to_f64, &L::convert<Type::f64>, Op::f_to_f},
    {M::f32_to_f16, &L::made_of<M::f32_to_f16>},
    {M::f16_to_f32, &L::made_of<M::f16_to_f32>},
    // flow
    {M::if_, &L::if_block},
    {M::else_, &L::else_block},
    {M::end_if, &L::end_if},
    {M::loop_, &L::loop_block},
    {M::end_loop, &L::end_loop},
    {M::switch_, &L::switch_block},
    {M::case_, &L::case_label},
    {M::default_, &L::case_label},
    {M::end_switch, &L::end_switch},
    {M::break_, &L::break_out},
    {M::break_if, &L::break_out},
    {M::continue_, &L::continue_loop},
    {M::continue_if, &L::continue_loop},
    {M::return_, &L::return_from},
    {M::return_if, &L::return_from},
    {M::call, &L::call},
    {M::call_if, &L::call},
    {M::interface_call, &L::call_interface},
    // textures
    {M::sample_implicit, &L::sample<Sampling::plain>},
    {M::sample_bias, &L::sample<Sampling::bias>},
    {M::sample_level, &L::sample<Sampling::level>},
    {M::sample_gradient, &L::sample<Sampling::gradient>},
    {M::sample_compare, &L::sample<Sampling::compare>},
    {M::sample_compare_level_zero, &L::sample<Sampling::compare_level_zero>},
    {M::gather, &L::gather<false, false>},
    {M::gather_compare, &L::gather<false, true>},
    {M::gather_offset, &L::gather<true, false>},
    {M::gather_compare_offset, &L::gather<true, true>},
    {M::texel_load, &L::texel_load},
    {M::texel_store, &L::texel_store},
    {M::resource_info, &L::resource_info},
    {M::buffer_info, &L::buffer_info},
    {M::sample_info, &L::sample_info},
    {M::sample_position, &L::sample_position},
    {M::query_lod, &L::query_lod},
    {M::access_mapped, &L::made_of<M::access_mapped>},
    // memory
    {M::memory_load, &L::memory_load},
    {M::memory_store, &L::memory_store},
    {M::atomic_and, &L::atomic<AtomicOp::and_>},
    {M::atomic_or, &L::atomic<AtomicOp::or_>},
    {M::atomic_xor, &L::atomic<AtomicOp::xor_>},
    {M::atomic_iadd, &L::atomic<AtomicOp::add>},
    {M::atomic_imax, &L::atomic<AtomicOp::smax>},
    {M::atomic_imin, &L::atomic<AtomicOp::smin>},
    {M::atomic_umax, &L::atomic<AtomicOp::umax>},
    {M::atomic_umin, &L::atomic<AtomicOp::umin>},
    {M::atomic_exchange, &L::atomic<AtomicOp::exchange>},
    {M::atomic_compare_store, &L::atomic<AtomicOp::compare_exchange>},
    {M::atomic_compare_exchange, &L::atomic<AtomicOp::compare_exchange>},
    {M::counter_increment, &L::counter<Counter::up>},
    {M::counter_decrement, &L::counter<Counter::down>},
    {M::barrier, &L::barrier},
    // stages
    {M::discard, &L::discard},
    {M::emit, &L::emit},
    {M::cut, &L::cut},
    {M::emit_cut, &L::emit_cut},
    {M::eval_centroid, &L::evaluate<ElementExtra::Place::centroid>},
    {M::eval_sample_index, &L::evaluate<ElementExtra::Place::sample>},
    {M::eval_snapped, &L::evaluate<ElementExtra::Place::offset>},
};

// Done for each component by itself.
constexpr bool is_simple(const OpInfo& row) {
  const auto letters = [](std::string_view text) { return text.find_first_not_of("tbi") == std::string_view::npos; };
  return row.results.size() == 1 && letters(row.results) && letters(row.operands);
}

constexpr Semantic semantic_of(Meaning meaning) {
  for (const SemanticRow& row : kRows) {
    if (row.meaning == meaning) return {row.lower, row.op};
  }
  if (const auto op = op_of(meaning); op && is_simple(info(*op))) return {&L::componentwise, *op};
  return {nullptr, Op::undef};
}

constexpr std::array kMeanings = {
#define DXBC_OP(code, id, text, shape, control, since, counted, stages, traits, access, lanes, sem) semantic_of(Meaning::sem),
#include <unshade/dxbc/opcodes.def>
#undef DXBC_OP
};

#define DXBC_OP(code, id, text, shape, control, since, counted, stages, traits, access, lanes, sem) \
  static_assert(kMeanings[code].lower != nullptr, "opcodes.def: " #id " has no lowering: " #sem);
#include <unshade/dxbc/opcodes.def>
#undef DXBC_OP

}  // namespace

const Semantic& semantic_of(std::uint32_t code) { return kMeanings[code]; }

}  // namespace unshade::ir::lower_dxbc
