// How much tests try that could go on for ever.
#pragma once

namespace unshade::test {

/// `all`, or `some` where tests take 5 to 20 times as long: in sanitized builds, and in those that an emulator runs.
template <class Number>
constexpr Number effort([[maybe_unused]] Number all, [[maybe_unused]] Number some) {
#ifdef UNSHADE_TEST_IS_SLOW
  return some;
#else
  return all;
#endif
}

}  // namespace unshade::test
