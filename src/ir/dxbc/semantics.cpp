#include "ir/dxbc/semantics.hpp"

#include <array>
#include <iterator>
#include <string_view>

#include "ir/operation_words.hpp"

namespace unshade::ir::lower_dxbc {
namespace {

struct SemanticRow {
  std::string_view word;
  Lowering::Meaning lower;
  Op op = Op::undef;
};

// Words of semantics.def, and ids of ops.def if an operation is not simply done for each component.
using L = Lowering;
constexpr SemanticRow kRows[] = {
    {"nothing", &L::nothing},
    {"trap", &L::stop},
    {"custom_data", &L::custom_data},
    // floating point
    {"mov", &L::move},
    {"select", &L::select},
    {"fge", &L::swapped, Op::fle},
    {"fdot2", &L::dot<2>},
    {"fdot3", &L::dot<3>},
    {"fdot4", &L::dot<4>},
    {"fsincos", &L::sine_cosine},
    // integers
    {"ige", &L::swapped, Op::ile},
    {"uge", &L::swapped, Op::ule},
    {"imad", &L::multiply_add, Op::imul},
    {"imul_wide", &L::wide_multiply, Op::imul_high},
    {"umul_wide", &L::wide_multiply, Op::umul_high},
    {"udiv_rem", &L::divide},
    {"add_carry", &L::two_results, Op::add_carry},
    {"sub_borrow", &L::two_results, Op::sub_borrow},
    {"first_bit_high", &L::first_bit_from_top, Op::first_high},
    {"first_bit_high_signed", &L::first_bit_from_top, Op::first_high_signed},
    {"ubfe", &L::bit_field, Op::ubfe},
    {"ibfe", &L::bit_field, Op::ibfe},
    {"bfi", &L::insert_bits, Op::bfi},
    {"swap_if", &L::swap_if},
    // conversions
    {"f_to_s", &L::convert<Type::i32>, Op::f_to_s},
    {"f_to_u", &L::convert<Type::i32>, Op::f_to_u},
    {"s_to_f", &L::convert<Type::f32>, Op::s_to_f},
    {"u_to_f", &L::convert<Type::f32>, Op::u_to_f},
    {"s_to_f64", &L::convert<Type::f64>, Op::s_to_f},
    {"u_to_f64", &L::convert<Type::f64>, Op::u_to_f},
    {"f_to_f32", &L::convert<Type::f32>, Op::f_to_f},
    {"f_to_f64", &L::convert<Type::f64>, Op::f_to_f},
    {"f32_to_f16", &L::pack_half},
    {"f16_to_f32", &L::unpack_half},
    // flow
    {"if_", &L::if_block},
    {"else_", &L::else_block},
    {"end_if", &L::end_if},
    {"loop_", &L::loop_block},
    {"end_loop", &L::end_loop},
    {"switch_", &L::switch_block},
    {"case_", &L::case_label},
    {"default_", &L::case_label},
    {"end_switch", &L::end_switch},
    {"break_", &L::break_out},
    {"break_if", &L::break_out},
    {"continue_", &L::continue_loop},
    {"continue_if", &L::continue_loop},
    {"return_", &L::return_from},
    {"return_if", &L::return_from},
    {"call", &L::call},
    {"call_if", &L::call},
    {"interface_call", &L::call_interface},
    // textures
    {"sample_implicit", &L::sample<Sampling::plain>},
    {"sample_bias", &L::sample<Sampling::bias>},
    {"sample_level", &L::sample<Sampling::level>},
    {"sample_gradient", &L::sample<Sampling::gradient>},
    {"sample_compare", &L::sample<Sampling::compare>},
    {"sample_compare_level_zero", &L::sample<Sampling::compare_level_zero>},
    {"gather", &L::gather<false, false>},
    {"gather_compare", &L::gather<false, true>},
    {"gather_offset", &L::gather<true, false>},
    {"gather_compare_offset", &L::gather<true, true>},
    {"texel_load", &L::texel_load},
    {"texel_store", &L::texel_store},
    {"resource_info", &L::resource_info},
    {"buffer_info", &L::buffer_info},
    {"sample_info", &L::sample_info},
    {"sample_position", &L::sample_position},
    {"query_lod", &L::query_lod},
    {"access_mapped", &L::check_access},
    // memory
    {"memory_load", &L::memory_load},
    {"memory_store", &L::memory_store},
    {"atomic_and", &L::atomic<AtomicOp::and_>},
    {"atomic_or", &L::atomic<AtomicOp::or_>},
    {"atomic_xor", &L::atomic<AtomicOp::xor_>},
    {"atomic_iadd", &L::atomic<AtomicOp::add>},
    {"atomic_imax", &L::atomic<AtomicOp::smax>},
    {"atomic_imin", &L::atomic<AtomicOp::smin>},
    {"atomic_umax", &L::atomic<AtomicOp::umax>},
    {"atomic_umin", &L::atomic<AtomicOp::umin>},
    {"atomic_exchange", &L::atomic<AtomicOp::exchange>},
    {"atomic_compare_store", &L::atomic<AtomicOp::compare_exchange>},
    {"atomic_compare_exchange", &L::atomic<AtomicOp::compare_exchange>},
    {"counter_increment", &L::counter<Counter::up>},
    {"counter_decrement", &L::counter<Counter::down>},
    {"barrier", &L::barrier},
    // stages
    {"discard", &L::discard},
    {"emit", &L::emit},
    {"cut", &L::cut},
    {"emit_cut", &L::emit_cut},
    {"eval_centroid", &L::evaluate<ElementExtra::Place::centroid>},
    {"eval_sample_index", &L::evaluate<ElementExtra::Place::sample>},
    {"eval_snapped", &L::evaluate<ElementExtra::Place::offset>},
};

// Done for each component by itself.
constexpr bool is_simple(std::string_view shape) {
  const auto letters = [](std::string_view text) { return text.find_first_not_of("tbi") == std::string_view::npos; };
  const auto arrow = shape.find('<');
  return arrow == 1 && letters(shape.substr(0, arrow)) && letters(shape.substr(arrow + 1));
}

constexpr Semantic meaning_of(std::string_view word) {
  for (const SemanticRow& row : kRows) {
    if (row.word == word) return {row.lower, row.op};
  }
  const OperationWord* const row = find_operation_word(word);
  if (row != nullptr && is_simple(row->shape)) return {&L::componentwise, row->op};
  return {nullptr, Op::undef};
}

constexpr std::array kMeanings = {
#define DXBC_OP(code, id, text, shape, control, since, counted, stages, traits, access, lanes, sem) meaning_of(#sem),
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
