#include "cli/process/khronos.hpp"

#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace unshade::cli {

namespace {

// The protocol of the pipe: numbers of 8 bytes, and texts after their length. Both ends are this program.
void put(std::string& to, std::uint64_t number) { to.append(reinterpret_cast<const char*>(&number), sizeof number); }
void put(std::string& to, std::string_view text) {
  put(to, std::uint64_t{text.size()});
  to += text;
}

class Taker {
 public:
  explicit Taker(std::string_view from) : left_(from) {}
  bool at_end() const { return left_.empty(); }
  std::uint64_t number() {
    std::uint64_t value = 0;
    if (left_.size() < sizeof value) {
      left_ = {};
      return 0;
    }
    std::memcpy(&value, left_.data(), sizeof value);
    left_.remove_prefix(sizeof value);
    return value;
  }
  std::string text() {
    const std::string_view found = left_.substr(0, number_within());
    left_.remove_prefix(found.size());
    return std::string(found);
  }

 private:
  std::size_t number_within() {
    const std::uint64_t value = number();
    return value < left_.size() ? static_cast<std::size_t>(value) : left_.size();
  }
  std::string_view left_;
};

std::string about(std::string_view library, const Error& error) { return std::string(library) + ": " + error.message; }

}  // namespace

bool has_khronos() { return true; }

std::vector<Diagnostic> validate_in_child(View module, const khronos::ValidationOptions& options, const ChildLimits& limits) {
  if (limits.seconds == 0) return khronos::validate_module(module, options);
  const auto rules = khronos::validation_rules();
  const auto text = in_child(limits, [&] {
    std::string sent;
    for (const Diagnostic& found : khronos::validate_module(module, options)) {
      std::uint64_t rule = 0;
      while (rules[rule] != found.rule) ++rule;
      put(sent, rule);
      put(sent, found.offset);
      put(sent, found.path);
      put(sent, found.message);
    }
    return sent;
  });
  if (!text) return {{&khronos::kLimit, module.file_offset(), "module", about("SPIRV-Tools", text.error())}};
  std::vector<Diagnostic> found;
  for (Taker taker(*text); !taker.at_end();) {
    const Rule* const rule = rules[taker.number() % rules.size()];
    const std::uint64_t offset = taker.number();
    std::string path = taker.text();
    found.push_back({rule, offset, std::move(path), taker.text()});
  }
  return found;
}

Result<std::string> decompile_in_child(View module, const khronos::DecompileOptions& options, const ChildLimits& limits) {
  if (limits.seconds == 0) return khronos::decompile(module, options);
  const auto text = in_child(limits, [&] {
    std::string sent;
    const auto made = khronos::decompile(module, options);
    put(sent, std::uint64_t{made ? 1U : 0U});
    if (made) return sent += *made;
    put(sent, static_cast<std::uint64_t>(made.error().code));
    put(sent, made.error().offset);
    put(sent, made.error().path);
    put(sent, made.error().message);
    return sent;
  });
  if (!text) return Error{text.error().code, module.file_offset(), "module", about("SPIRV-Cross", text.error())};
  Taker taker(*text);
  if (taker.number() != 0) return text->substr(sizeof(std::uint64_t));
  const auto code = static_cast<ErrorCode>(taker.number());
  const std::uint64_t offset = taker.number();
  std::string path = taker.text();
  return Error{code, offset, std::move(path), taker.text()};
}

}  // namespace unshade::cli
