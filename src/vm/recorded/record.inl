// Recordings of all kernels, made of the numeric rules on recorded lanes. Included by record.cpp and record_flushing.cpp, which define
// UNSHADE_RECORDED and UNSHADE_RECORDINGS, the name of the table.
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "vm/kernel_rules.inl"
#include "vm/recorded/record.hpp"

namespace unshade::vm {
namespace {

using ir::recorded::Recorder;
using ir::recorded::Recording;

// N does not matter to recorded lanes.
template <Type T>
using Lanes = numeric::Value<T, 1>;

template <Type T>
Lanes<T> operand(Recorder& recorder) {
  return Lanes<T>(recorder.operand(numeric::inner::kLane<numeric::Element<T>>));
}

template <class V>
Recording finished(Recorder& recorder, const V& result) {
  return recorder.finish(std::array{result.value});
}
template <class A, class B>
Recording finished(Recorder& recorder, const numeric::Two<A, B>& results) {
  return recorder.finish(std::array{results.first.value, results.second.value});
}
template <class A>
Recording finished(Recorder& recorder, const numeric::Four<A>& results) {
  return recorder.finish(std::array{results.values[0].value, results.values[1].value, results.values[2].value, results.values[3].value});
}

template <Op O, Type T, Type F, bool Z>
KernelRecording record_rule(std::uint32_t extra) {
  Recorder recorder;
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    // braces give the operands their numbers in order
    const std::tuple<Lanes<operand_type<O, T, F>(I)>...> operands{operand<operand_type<O, T, F>(I)>(recorder)...};
    return KernelRecording{finished(recorder, apply<O>(ParametersOf<O, T, F, Z>(), extra, std::get<I>(operands)...)),
                           keeps_denormals<O, T>};
  }(std::make_index_sequence<ir::info(O).operands.size()>{});
}

template <Pair P>
KernelRecording record_pair(std::uint32_t) {
  Recorder recorder;
  const auto a = operand<Type::f32>(recorder);
  const auto b = operand<Type::f32>(recorder);
  const auto other = operand<Type::f32>(recorder);
  return {finished(recorder, second_of_pair<P>(first_of_pair<P>(a, b), other)), false};
}

template <std::size_t Row>
constexpr RecordKernel row_recording() {
  if constexpr (Row >= kKernelRows.size()) {
    return &record_pair<kPairs[Row - kKernelRows.size()]>;
  } else if constexpr (constexpr KernelRow row = kKernelRows[Row]; has_kernel<row.op, row.type, row.from, row.other_rounding>()) {
    return &record_rule<row.op, row.type, row.from, row.other_rounding>;
  } else {
    return nullptr;
  }
}

template <std::size_t... Row>
constexpr std::array<RecordKernel, sizeof...(Row)> all_recordings(std::index_sequence<Row...>) {
  return {row_recording<Row>()...};
}

constexpr auto kRecordings = all_recordings(std::make_index_sequence<kKernelCount>{});

}  // namespace

extern const RecordKernel* const UNSHADE_RECORDINGS;
const RecordKernel* const UNSHADE_RECORDINGS = kRecordings.data();

}  // namespace unshade::vm
