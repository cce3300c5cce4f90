// Numbers for the ids of a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <unshade/spirv/assembler.hpp>

namespace unshade::spirv::text {

class IdNames {
 public:
  /// Where two names have one number, or one has two.
  struct Fault {
    std::size_t offset = 0;  ///< bytes from the start of the text
    std::string message;     ///< empty: none
  };

  /// Looks through the text for ids that keep their number, if `preserve` is set. The text has to outlive this.
  IdNames(std::string_view text, bool preserve);

  /// The number of an id, by what follows its %.
  std::uint32_t number(std::string_view name);
  const Fault& fault() const { return fault_; }
  /// The largest number that the text itself gives; 0 if it gives none.
  std::uint32_t largest_kept() const { return kept_.empty() ? 0 : kept_.back(); }
  /// One more than the largest number given.
  std::uint32_t bound() const { return bound_; }

 private:
  std::uint32_t use(std::uint32_t id);

  bool preserve_;
  Fault fault_;
  bool has_digits_ = false;          // a name in named_ begins with a digit
  std::vector<std::uint32_t> kept_;  // in ascending order
  std::size_t next_kept_ = 0;        // the first of them that is not below next_
  std::uint32_t next_ = 1;
  std::uint32_t bound_ = 1;
  std::unordered_map<std::string_view, std::uint32_t> named_;
};

/// Whether a text may follow the % of an id: letters, digits, underscores.
bool is_id_name(std::string_view text);

}  // namespace unshade::spirv::text
