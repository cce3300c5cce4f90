// What is to be done before an interruption ends the process.
#pragma once

namespace unshade::system {

/// Has `act` called if SIGINT, SIGTERM or SIGHUP, each unless it is ignored, end this process; on Windows if Ctrl+C, Ctrl+Break or the
/// closing of the console do. They end it all the same. `act` may use lock-free atomics and remove_file() alone. A child of fork() does not
/// call it.
void on_interruption(void (*act)());

}  // namespace unshade::system
