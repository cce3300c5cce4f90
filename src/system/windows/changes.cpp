#include <unshade/system/changes.hpp>

#include <chrono>
#include <thread>

namespace unshade::system {

FolderChanges::FolderChanges() = default;

void FolderChanges::watch(const std::string&) {}

void FolderChanges::sleep(unsigned milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

}  // namespace unshade::system
