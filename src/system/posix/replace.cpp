#include <unshade/system/replace.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace unshade::system {

unsigned new_file_rights() {
  static const mode_t mask = [] {  // only setting it tells what it is
    const mode_t was = ::umask(0);
    ::umask(was);
    return was;
  }();
  return 0666U & ~mask;
}

bool may_write(const std::string& path) { return ::access(path.c_str(), W_OK) == 0; }

File make_beside(const std::string& path, unsigned rights, std::string& name) {
  name = path + ".XXXXXX";
  File made(::mkostemp(name.data(), O_CLOEXEC));
  if (!made) {
    name.clear();
  } else {
    ::fchmod(static_cast<int>(made.native()), static_cast<mode_t>(rights));  // mkostemp gives 0600
  }
  return made;
}

bool replace_file(const std::string& from, const std::string& to) { return std::rename(from.c_str(), to.c_str()) == 0; }

bool remove_file(const char* path) { return ::unlink(path) == 0; }

}  // namespace unshade::system
