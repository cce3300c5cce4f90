// A file that takes the place of another when it is complete.
#pragma once

#include <string>

#include <unshade/system/file.hpp>

namespace unshade::system {

/// The rights of a file that is made. The first call is to come before there are threads.
unsigned new_file_rights();

/// Whether this process may write a file that is there.
bool may_write(const std::string& path);

/// Makes a file with these rights beside another, under a name that is not taken: that of the other and six letters more. `name` gets it;
/// it is empty on a fault.
File make_beside(const std::string& path, unsigned rights, std::string& name);

/// Gives a file the name of another on the same volume, which it replaces if it is there, even while somebody reads it. The file itself
/// must be closed. False on a fault.
bool replace_file(const std::string& from, const std::string& to);

/// Removes a file. May be called by what on_interruption() was given.
bool remove_file(const char* path);

}  // namespace unshade::system
