// Compares a part's description of a program with the module: shared by the checkers of all parts.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/text/shown.hpp>

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
    differs(path, shown_value(stated), shown_value(is), at);
  }
  /// The same of values that are shown otherwise.
  void differs(const std::string& path, const std::string& stated, const std::string& is, std::uint64_t at = 0) const {
    add(path, stated + ", but " + is + " in the module", at);
  }
  void same_mask(const std::string& path, std::uint32_t stated, std::uint32_t is, std::uint64_t at = 0) const {
    if (stated != is) differs(path, shown_mask(stated), shown_mask(is), at);
  }
};

/// `doubles|wave_ops`; `none`.
std::string features_text(std::uint64_t features);

void check_rdat_against_module(const dxcontainer::Part& part, const ModuleCheck& check);

}  // namespace unshade::dxil::validate
