// Where the checks of this room put what they find.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <unshade/core/findings.hpp>
#include <unshade/vbc/file.hpp>

#include "vbc/file_layout.hpp"
#include "vbc/stage_facts.hpp"

namespace unshade::vbc {

/// `inputs[3]`
inline std::string item(const char* table, std::size_t index) { return std::string(table) + '[' + std::to_string(index) + ']'; }
inline std::uint64_t record_offset(std::uint32_t table, std::size_t index, std::size_t bytes) {
  return table + std::uint64_t{index} * bytes;
}

/// The tables by themselves.
void check_tables(const File& file, Findings& findings);
/// The tables against the stages; `facts`: of all stages that could be read.
void check_stages(const File& file, const std::vector<StageFacts>& facts, Findings& findings);

}  // namespace unshade::vbc
