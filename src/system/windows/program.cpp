#include <unshade/system/program.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/core/text/paths.hpp>
#include <unshade/system/path.hpp>
#include <unshade/system/process.hpp>

#include "system/command_line.hpp"
#include "system/limit_faults.hpp"
#include "system/windows/windows.hpp"

namespace unshade::system {

namespace {

bool ends_as_program(std::string_view name) {
  std::string end(name.substr(name.size() - std::min<std::size_t>(name.size(), 4)));
  for (char& letter : end) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  return end == ".exe" || end == ".com";
}

/// A handle that a program which is started gets.
class Inherited {
 public:
  explicit Inherited(HANDLE handle) : handle_(handle) {}
  Inherited(const Inherited&) = delete;
  Inherited& operator=(const Inherited&) = delete;
  ~Inherited() {
    if (*this) ::CloseHandle(handle_);
  }

  static HANDLE open(const std::wstring& name, DWORD access, DWORD disposition) {
    SECURITY_ATTRIBUTES inherited{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
    return ::CreateFileW(name.c_str(), access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, &inherited, disposition,
                         FILE_ATTRIBUTE_NORMAL, nullptr);
  }
  static HANDLE copy(HANDLE handle) {
    HANDLE made = INVALID_HANDLE_VALUE;
    const HANDLE self = ::GetCurrentProcess();
    return ::DuplicateHandle(self, handle, self, &made, 0, TRUE, DUPLICATE_SAME_ACCESS) != 0 ? made : INVALID_HANDLE_VALUE;
  }

  explicit operator bool() const { return handle_ != INVALID_HANDLE_VALUE; }
  HANDLE get() const { return handle_; }

 private:
  HANDLE handle_;
};

/// A process with all that it starts: they end with this object.
class Job {
 public:
  Job() : handle_(::CreateJobObjectW(nullptr, nullptr)) {
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    // what crashes does so without a window
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
    ::SetInformationJobObject(handle_, JobObjectExtendedLimitInformation, &limits, sizeof limits);
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  ~Job() { ::CloseHandle(handle_); }

  void add(HANDLE process) { ::AssignProcessToJobObject(handle_, process); }
  void end(HANDLE process) {
    ::TerminateJobObject(handle_, 1);
    ::TerminateProcess(process, 1);
    ::WaitForSingleObject(process, INFINITE);
  }

 private:
  HANDLE handle_;
};

/// The handles that a program gets are these alone: another thread may have others open that are to be inherited.
class HandleList {
 public:
  explicit HandleList(std::span<HANDLE> handles) {
    SIZE_T bytes = 0;
    ::InitializeProcThreadAttributeList(nullptr, 1, 0, &bytes);
    memory_.resize(bytes / sizeof(std::max_align_t) + 1);
    is_made_ = ::InitializeProcThreadAttributeList(get(), 1, 0, &bytes) != 0 &&
               ::UpdateProcThreadAttribute(get(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles.data(), handles.size_bytes(), nullptr,
                                           nullptr) != 0;
  }
  HandleList(const HandleList&) = delete;
  HandleList& operator=(const HandleList&) = delete;
  ~HandleList() {
    if (is_made_) ::DeleteProcThreadAttributeList(get());
  }

  bool is_made() const { return is_made_; }
  LPPROC_THREAD_ATTRIBUTE_LIST get() { return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data()); }

 private:
  std::vector<std::max_align_t> memory_;
  bool is_made_ = false;
};

}  // namespace

std::optional<std::string> find_program(std::string_view name) {
  const std::string found = environment("PATH");
  std::string_view folders = found;
  while (!folders.empty()) {
    std::string_view folder = folders.substr(0, folders.find(';'));
    folders.remove_prefix(std::min(folder.size() + 1, folders.size()));
    if (folder.size() >= 2 && folder.front() == '"' && folder.back() == '"') folder = folder.substr(1, folder.size() - 2);
    if (folder.empty()) continue;
    const std::string path = text_of(path_of(folder) / path_of(name));
    for (const std::string_view end : {"", ".exe", ".com"}) {
      const std::string whole = path + std::string(end);
      if (ends_as_program(whole) && regular_file_bytes(whole)) return whole;
    }
  }
  return std::nullopt;
}

Result<int> run_program(const std::string& program, std::span<const std::string> arguments, const std::string& log,
                        std::chrono::milliseconds longest, Errors errors) {
  const std::string name(std::string_view(program).substr(paths::last_part(program)));
  const auto not_started = [&](DWORD error) {
    windows::set_errno(error);
    return start_fault(name, errno);
  };
  const Inherited in(Inherited::open(L"NUL", GENERIC_READ, OPEN_EXISTING));
  const Inherited out(Inherited::open(windows::api_name(log), GENERIC_WRITE, CREATE_ALWAYS));
  if (!in || !out) return not_started(::GetLastError());
  const Inherited own_errors(errors == Errors::shown ? Inherited::copy(windows::handle_of(standard(Standard::err))) : INVALID_HANDLE_VALUE);
  STARTUPINFOEXW start{};
  start.StartupInfo.cb = sizeof start;
  start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  start.StartupInfo.hStdInput = in.get();
  start.StartupInfo.hStdOutput = out.get();
  start.StartupInfo.hStdError = own_errors ? own_errors.get() : errors == Errors::logged ? out.get() : in.get();
  std::array<HANDLE, 3> handles{in.get(), out.get(), own_errors.get()};
  HandleList list{std::span<HANDLE>(handles).first(own_errors ? 3 : 2)};
  if (!list.is_made()) return not_started(::GetLastError());
  start.lpAttributeList = list.get();

  std::vector<std::string> words{program};
  std::ranges::replace(words.front(), '/', '\\');  // cmd.exe takes what follows a slash there for an option
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::wstring line = windows::wide(command_line(words));
  PROCESS_INFORMATION child{};
  Job job;
  // suspended, so that it starts nothing before it is of the job
  if (::CreateProcessW(windows::api_name(program).c_str(), line.data(), nullptr, nullptr, TRUE,
                       CREATE_SUSPENDED | EXTENDED_STARTUPINFO_PRESENT, nullptr, nullptr, &start.StartupInfo, &child) == 0)
    return not_started(::GetLastError());
  job.add(child.hProcess);
  ::ResumeThread(child.hThread);
  ::CloseHandle(child.hThread);
  const auto wait = static_cast<DWORD>(std::clamp<std::int64_t>(longest.count(), 0, INFINITE - 1));
  const bool is_late = ::WaitForSingleObject(child.hProcess, wait) != WAIT_OBJECT_0;
  if (is_late) job.end(child.hProcess);
  DWORD status = 0;
  ::GetExitCodeProcess(child.hProcess, &status);
  ::CloseHandle(child.hProcess);
  if (is_late) return late_fault(name, longest);
  // src: ntstatus.h: such are errors that end a process, as 0xc0000005, a wrong address
  constexpr DWORD kCrashes = 0xc000'0000;
  if (status >= kCrashes) {
    Text message;
    (message << name << " crashed with status 0x").hex(status, 8);
    return limit_fault(message.str());
  }
  return static_cast<int>(status);
}

}  // namespace unshade::system
