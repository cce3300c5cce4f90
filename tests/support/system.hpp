// What tests ask of the operating system beyond the room `system`. Windows has some of it not: these functions return false there, and the
// tests skip themselves.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#ifdef _WIN32
#include <process.h>
#else
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace unshade::test {

/// A device that takes all and has nothing.
#ifdef _WIN32
inline constexpr const char* kNullDevice = "NUL";
#else
inline constexpr const char* kNullDevice = "/dev/null";
#endif

/// For names that no other process has.
inline long process_id() {
#ifdef _WIN32
  return ::_getpid();
#else
  return ::getpid();
#endif
}

/// Whether a program of a Linux system is here that can be run. Wine shows its file and cannot run it as a Windows program.
inline bool has_linux_program([[maybe_unused]] const std::filesystem::path& program) {
#ifdef _WIN32
  return false;
#else
  return std::filesystem::exists(program);
#endif
}

/// Whether rights do not hold back this process.
inline bool is_superuser() {
#ifdef _WIN32
  return false;
#else
  return ::geteuid() == 0;
#endif
}

/// Whether a folder that has no rights cannot be read by this process. Windows has rights of folders in lists of their own, which
/// std::filesystem does not set.
inline bool obeys_rights_of_folders() {
#ifdef _WIN32
  return false;
#else
  return !is_superuser();
#endif
}

/// A symbolic link. Windows grants them to some users only, and gcc's library cannot make them there.
inline bool make_link(const std::filesystem::path& target, const std::filesystem::path& link) {
  std::error_code fault;
  std::filesystem::create_symlink(target, link, fault);
  return !fault;
}

/// A pipe with a name in a folder.
inline bool make_pipe([[maybe_unused]] const std::string& path) {
#ifdef _WIN32
  return false;
#else
  return ::mkfifo(path.c_str(), 0600) == 0;
#endif
}

/// Folders that may not be read are read by the superuser all the same.
class LessRights {
 public:
#ifdef _WIN32
  LessRights() = default;
#else
  LessRights() : was_root_(is_superuser()), given_up_(!was_root_ || ::seteuid(65534) == 0) {}
#endif
  LessRights(const LessRights&) = delete;
  LessRights& operator=(const LessRights&) = delete;
  ~LessRights() {
#ifndef _WIN32
    if (was_root_ && given_up_ && ::seteuid(0) != 0) std::abort();
#endif
  }
  bool given_up() const { return given_up_; }
  /// Whether a file can be read for all that.
  static bool reads([[maybe_unused]] const std::string& path) {
#ifdef _WIN32
    return false;
#else
    return ::access(path.c_str(), R_OK) == 0;
#endif
  }

 private:
  bool was_root_ = false;
  bool given_up_ = false;
};

/// A file as the standard input of this process.
class StandardInput {
 public:
#ifdef _WIN32
  explicit StandardInput(const std::string&) {}
#else
  explicit StandardInput(const std::string& path) : before_(::dup(STDIN_FILENO)) {
    const int file = ::open(path.c_str(), O_RDONLY);
    is_set_ = file >= 0 && ::dup2(file, STDIN_FILENO) >= 0;
    if (file >= 0) ::close(file);
  }
#endif
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;
  ~StandardInput() {
#ifndef _WIN32
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
#endif
  }
  bool is_set() const { return is_set_; }

 private:
#ifndef _WIN32
  int before_;
#endif
  bool is_set_ = false;
};

/// Few files that this process may have open at once.
class FewOpenFiles {
 public:
#ifdef _WIN32
  explicit FewOpenFiles(unsigned) {}
#else
  explicit FewOpenFiles(unsigned files) {
    is_set_ = ::getrlimit(RLIMIT_NOFILE, &before_) == 0;
    rlimit few = before_;
    few.rlim_cur = files;
    is_set_ = is_set_ && ::setrlimit(RLIMIT_NOFILE, &few) == 0;
  }
#endif
  FewOpenFiles(const FewOpenFiles&) = delete;
  FewOpenFiles& operator=(const FewOpenFiles&) = delete;
  ~FewOpenFiles() {
#ifndef _WIN32
    if (is_set_) ::setrlimit(RLIMIT_NOFILE, &before_);
#endif
  }
  bool is_set() const { return is_set_; }

 private:
#ifndef _WIN32
  rlimit before_{};
#endif
  bool is_set_ = false;
};

}  // namespace unshade::test
