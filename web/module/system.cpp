// What the library needs of a system besides memory: next to nothing.
#include <cstdint>
#include <new>

namespace {

bool is_out_of_memory = false;

// Without exceptions, want of memory ends the instance. The module can tell it from other traps.
[[maybe_unused]] const auto kHandler = std::set_new_handler([] {
  is_out_of_memory = true;
  __builtin_trap();
});

}  // namespace

extern "C" {

int unshade_web_out_of_memory(void);
int unshade_web_out_of_memory(void) { return is_out_of_memory ? 1 : 0; }

// Debian compiles a part of libc++ with a guard of the stack, which the memory of WebAssembly does not need: nothing returns through it.
extern std::uintptr_t __stack_chk_guard;
std::uintptr_t __stack_chk_guard = 0x5bd1e995;
// The only thread does not end: what it has of its own is never destroyed.
int __cxa_thread_atexit(void (*destroy)(void*), void* object, void* module);
int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }

[[noreturn]] void __stack_chk_fail(void);
void __stack_chk_fail(void) { __builtin_trap(); }
}
