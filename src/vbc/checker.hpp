// Where the checks of this room put what they find.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/view.hpp>
#include <unshade/vbc/file.hpp>

#include "vbc/file_layout.hpp"
#include "vbc/stage_facts.hpp"

namespace unshade::vbc {

class Findings {
 public:
  /// No more than the file's size warrants are kept.
  explicit Findings(View file) : file_offset_(file.file_offset()), room_(64 + file.size() / 32) {}

  /// `offset`: bytes from the start of the file.
  void add(const Rule& rule, std::uint64_t offset, std::string path, std::string message) {
    if (found_.size() < room_) found_.push_back({&rule, file_offset_ + offset, std::move(path), std::move(message)});
  }
  std::vector<Diagnostic> take() { return std::move(found_); }

 private:
  std::uint64_t file_offset_;
  std::size_t room_;
  std::vector<Diagnostic> found_;
};

/// `inputs[3]`
inline std::string item(const char* table, std::size_t index) { return std::string(table) + '[' + std::to_string(index) + ']'; }
inline std::uint64_t record_offset(std::uint32_t table, std::size_t index, std::size_t bytes) {
  return table + std::uint64_t{index} * bytes;
}

/// The tables by themselves.
void check_tables(const File& file, Findings& findings);
/// The tables against what the stages say; `facts`: of all stages that could be read.
void check_stages(const File& file, const std::vector<StageFacts>& facts, Findings& findings);

}  // namespace unshade::vbc
