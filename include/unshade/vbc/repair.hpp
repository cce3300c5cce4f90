// Makes files that conform of files that do not.
#pragma once

#include <string>
#include <vector>

#include <unshade/vbc/file.hpp>

namespace unshade::vbc {

struct RepairNote {
  bool is_done = true;  ///< false: what is wrong stays, or what was lost could not be found again
  std::string path;     ///< `subpass_inputs[0]`
  std::string message;
};

struct Repair {
  File file;
  std::vector<RepairNote> notes;  ///< nothing if nothing had to be done

  /// Whether the file conforms now.
  bool is_whole() const { return file.conforms(); }
};

/// Brings a file into the documented layout. What the file does not hold any more is taken from its SPIR-V if that says it; names that
/// are lost stay so. A stage of more than 65535 words cannot be said in any layout: it is kept, and the file does not conform then.
Repair repair(const File& file);

}  // namespace unshade::vbc
