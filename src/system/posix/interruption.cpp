#include <unshade/system/interruption.hpp>

#include <signal.h>
#include <unistd.h>

#include <initializer_list>

namespace unshade::system {

namespace {

pid_t interrupted_process = 0;
void (*interruption_act)() = nullptr;

extern "C" void end_interrupted(int number) {
  if (::getpid() == interrupted_process) interruption_act();
  ::signal(number, SIG_DFL);
  ::raise(number);
}

}  // namespace

void on_interruption(void (*act)()) {
  interrupted_process = ::getpid();
  interruption_act = act;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action{};
    if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    action.sa_handler = end_interrupted;
    ::sigaction(number, &action, nullptr);
  }
}

}  // namespace unshade::system
