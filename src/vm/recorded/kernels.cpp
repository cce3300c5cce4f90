// Which recordings there are.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <unshade/core/text.hpp>

#include "vm/kernel_list.hpp"
#include "vm/recorded/record.hpp"

namespace unshade::vm {

extern const RecordKernel* const kRecordings_by_mode;
extern const RecordKernel* const kRecordings_by_rules;

std::optional<KernelRecording> record_kernel(std::size_t number, std::uint32_t extra, Flushing flushing) {
  if (number >= kKernelCount) return std::nullopt;
  const RecordKernel record = (flushing == Flushing::by_mode ? kRecordings_by_mode : kRecordings_by_rules)[number];
  return record == nullptr ? std::nullopt : std::optional(record(extra));
}

std::uint32_t extra_of_kernel(std::size_t number, std::uint32_t choice) {
  if (number >= kKernelRows.size()) return 0;
  switch (ir::info(kKernelRows[number].op).extra) {
    case ir::Extra::float_classes: return choice % 32;
    case ir::Extra::pack: return choice % 3;
    case ir::Extra::unpack: return choice % 2;
    default: return 0;
  }
}

std::string kernel_name(std::size_t number) {
  Text name;
  if (number >= kKernelRows.size()) {
    const Pair& pair = kPairs[number - kKernelRows.size()];
    name << ir::info(pair.second).text << (pair.on_right ? ".f32 _ (" : ".f32 (") << ir::info(pair.first).text << ".f32)"
         << (pair.on_right ? "" : " _");
    return name.str();
  }
  const KernelRow& row = kKernelRows[number];
  name << ir::info(row.op).text << '.' << ir::text(row.type);
  if (row.conversion) name << '.' << ir::text(row.from);
  if (row.other_rounding) name << (row.conversion ? " toward_zero" : " nearest_even");
  return name.str();
}

}  // namespace unshade::vm
