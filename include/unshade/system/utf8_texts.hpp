// The encoding of texts, for libraries that ask the C library for it.
#pragma once

namespace unshade::system {

/// While it lives, it is UTF-8 for this thread, if the system has a locale for that. Windows' half does nothing: there libraries take
/// UTF-16.
class Utf8Texts {
 public:
  Utf8Texts();
  Utf8Texts(const Utf8Texts&) = delete;
  Utf8Texts& operator=(const Utf8Texts&) = delete;
  ~Utf8Texts();

 private:
  void* own_ = nullptr;
  void* before_ = nullptr;
};

}  // namespace unshade::system
