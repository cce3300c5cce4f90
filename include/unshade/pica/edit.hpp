// Changes to SHBIN files. The space of removed things is not kept: the file is laid out again, as picasso does.
#pragma once

#include <unshade/core/edit.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::pica {

/// With `debug` the line table, the names of the files, and the labels of executables; those of an object stay, as linking takes them. With
/// `names` the names of registers: programs that look uniforms up find none. Returns whether there was anything of it. Bytes that belong
/// to no table (Origin::gaps) go if something did.
bool strip(Shbin& shbin, const Strip& options);
bool strip(Object& object, const Strip& options);

}  // namespace unshade::pica
