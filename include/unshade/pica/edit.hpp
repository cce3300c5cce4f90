// Changes to SHBIN files. What is taken out makes room: the file is then laid out as picasso lays it out.
#pragma once

#include <unshade/pica/shbin.hpp>

namespace unshade::pica {

/// What to take out.
struct StripOptions {
  bool lines = false;     ///< where each word of code came from, and the names of the files
  bool labels = false;    ///< of executables; those of an object stay, as linking takes them
  bool uniforms = false;  ///< names of registers: programs that look uniforms up find none
};

/// Returns whether there was anything of it. Bytes that belong to no table (Origin::gaps) go if something did.
bool strip(Shbin& shbin, const StripOptions& options);
bool strip(Object& object, const StripOptions& options);

}  // namespace unshade::pica
