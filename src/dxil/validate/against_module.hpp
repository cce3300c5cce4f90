// Compares a part's description of a program with the module: shared by the checkers of all parts.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dxil/validate/module.hpp"

namespace unshade::dxil::validate {

/// Compares fields of a part with those of the module.
struct PartChecker {
  const dxcontainer::Part& part;
  const ModuleCheck& check;
  const Rule& rule;

  /// `at`: bytes from the start of the part's data.
  void add(const std::string& path, std::string message, std::uint64_t at = 0) const {
    check.findings.add(rule, part.data.file_offset() + at, std::string(part.name()) + '/' + path, std::move(message));
  }
  template <class T>
  void same(const std::string& path, const T& stated, const T& is, std::uint64_t at = 0) const {
    if (stated == is) return;
    add(path,
        std::to_string(static_cast<std::uint64_t>(stated)) + ", but " + std::to_string(static_cast<std::uint64_t>(is)) + " in the module",
        at);
  }
};

void check_rdat_against_module(const dxcontainer::Part& part, const ModuleCheck& check);

}  // namespace unshade::dxil::validate
