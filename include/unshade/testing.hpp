// Tests of shaders in C++, with GoogleTest, Catch2, or whatever takes a condition and a message. docs/howto/test-in-cpp.md
//
//   auto shader = unshade::testing::Shader::load("skin_vs.cso");
//   shader.constant("world", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
//   shader.lane({{"POSITION", {1, 2, 3, 1}}, {"NORMAL", {0, 0, 1}}});
//   const auto done = shader.run();
//   const auto right = done.output(0, "SV_Position", {1, 2, 3, 1}, {.ulp = 2});
//   EXPECT_TRUE(right) << right.message;  // GoogleTest
//   CHECK(right);                         // Catch2 prints the message
#pragma once

#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text/utf8.hpp>
#include <unshade/core/value.hpp>
#include <unshade/run/run.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::testing {

/// Whether something is as expected, and if not, what was expected and found.
struct Check {
  bool ok = true;
  std::string message;
  explicit operator bool() const { return ok; }
  friend std::ostream& operator<<(std::ostream& out, const Check& check) { return out << (check.ok ? "as expected" : check.message); }
};

/// How far a number may be from what is expected: within one of these. Without any, both must be equal. NaN equals NaN.
struct Tolerance {
  double ulp = 0;  ///< units in the last place of the number's type
  double absolute = 0;
  double relative = 0;  ///< of the expected number
};

namespace detail {

/// Floats as integers in their order: those next to each other differ by 1.
template <class T>
double ulps_between(T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  const auto in_order = [](T value) {
    const Bits bits = std::bit_cast<Bits>(value);
    const Bits sign = Bits{1} << (sizeof(Bits) * 8 - 1);
    return (bits & sign) != 0 ? -static_cast<double>(bits & (sign - 1)) : static_cast<double>(bits);
  };
  return std::abs(in_order(a) - in_order(b));
}

template <class T>
std::string shown(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    Text text;
    text.shortest(value);
    return text.str();
  } else {
    return std::to_string(value);
  }
}

template <class T>
Check compared(T found, T expected, const Tolerance& tolerance, const std::string& what) {
  std::string distance;
  if constexpr (std::is_floating_point_v<T>) {
    if (found == expected || (std::isnan(found) && std::isnan(expected))) return {};
    if (std::isfinite(found) && std::isfinite(expected)) {
      const double ulps = ulps_between(found, expected);
      const double apart = std::abs(static_cast<double>(found) - static_cast<double>(expected));
      if ((tolerance.ulp > 0 && ulps <= tolerance.ulp) || (tolerance.absolute > 0 && apart <= tolerance.absolute) ||
          (tolerance.relative > 0 && apart <= tolerance.relative * std::abs(static_cast<double>(expected))))
        return {};
      std::string count = shown(std::floor(ulps));
      if (count.ends_with(".0")) count.resize(count.size() - 2);
      distance = ", " + count + (ulps == 1 ? " ulp away" : " ulps away");
    }
  } else {
    if (found == expected) return {};
    if (tolerance.absolute > 0 && std::abs(static_cast<double>(found) - static_cast<double>(expected)) <= tolerance.absolute) return {};
  }
  return {false, what + ": expected " + shown(expected) + ", found " + shown(found) + distance};
}

inline bool same_letters(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t at = 0; at < a.size(); ++at)
    if (std::tolower(static_cast<unsigned char>(a[at])) != std::tolower(static_cast<unsigned char>(b[at]))) return false;
  return true;
}

/// Opens a file to read its bytes. The name is UTF-8, on Windows too, whose fopen() takes the code page of the process.
inline std::FILE* open_to_read(const std::string& path) {
#ifdef _WIN32
  std::wstring name;
  for (std::string_view rest = path; !rest.empty();) {
    const Utf8Character letter = first_character(rest);
    rest.remove_prefix(letter.bytes == 0 ? 1 : letter.bytes);
    if (letter.bytes == 0) {
      name += L'\xfffd';
    } else if (letter.code < 0x10000) {
      name += static_cast<wchar_t>(letter.code);
    } else {
      name += static_cast<wchar_t>(0xd7c0 + (letter.code >> 10));
      name += static_cast<wchar_t>(0xdc00 + (letter.code & 0x3ff));
    }
  }
  return ::_wfopen(name.c_str(), L"rb");
#else
  return std::fopen(path.c_str(), "rb");
#endif
}

}  // namespace detail

/// What a shader gave out.
class Outcome {
 public:
  explicit Outcome(Result<Value> result) : result_(std::move(result)) {}
  Outcome(const run::Runnable& shader, Result<Value> result) : Outcome(run::ResourceNames(shader), std::move(result)) {}
  /// `names`: of the shader.
  Outcome(run::ResourceNames names, Result<Value> result) : names_(std::move(names)), result_(std::move(result)) {}

  /// Whether it ran to its end.
  Check finished() const {
    if (!result_) return {false, to_string(result_.error())};
    const std::string& stop = *result_->find("stop")->as_text();
    const Value* const fault = result_->find("fault");
    if (stop == "finished") return {};
    return {false, "the shader stopped: " + (fault != nullptr ? *fault->as_text() : stop)};
  }

  /// Compares an output of a lane, or of a vertex of a geometry shader.
  Check output(std::size_t lane, std::string_view semantic, std::initializer_list<double> expected, Tolerance tolerance = {}) const {
    if (Check done = finished(); !done) return done;
    const Value::List found = find_output(lane, semantic);
    const std::string name = "lane " + std::to_string(lane) + ": " + std::string(semantic);
    if (found.empty()) return {false, name + ": " + no_output(lane)};
    if (found.size() != expected.size())
      return {false, name + ": the list has " + std::to_string(expected.size()) + ", the output " + std::to_string(found.size()) +
                         (found.size() == 1 ? " component" : " components")};
    for (std::size_t k = 0; k < found.size(); ++k) {
      const double wanted = expected.begin()[k];
      const std::string what = name + '.' + "xyzw"[k & 3];
      const Real* const real = found[k].as_real();
      const bool wide = real != nullptr && !real->single;
      if (Check one = wide || found[k].as_integer() != nullptr
                          ? detail::compared(number(found[k]), wanted, tolerance, what)
                          : detail::compared(static_cast<float>(number(found[k])), static_cast<float>(wanted), tolerance, what);
          !one)
        return one;
    }
    return {};
  }
  /// The components of an output; none if it is not there.
  std::vector<double> output(std::size_t lane, std::string_view semantic) const {
    std::vector<double> made;
    for (const Value& one : find_output(lane, semantic)) made.push_back(number(one));
    return made;
  }
  bool discarded(std::size_t lane) const {
    const Value* const of = find_lane(lane);
    return of != nullptr && of->find("discarded") != nullptr;
  }
  /// Lanes, or vertices of a geometry shader.
  std::size_t size() const {
    const Value* const list = rows();
    return list == nullptr ? 0 : list->as_list()->size();
  }

  bool has_resource(std::string_view resource) const { return found_resource(resource).has_value(); }
  /// A resource that the shader may write, by its name, that of its block or its binding, as the result has it. Errors: missing, if there
  /// is none; bad_value, if several may be meant.
  Result<const Value*> found_resource(std::string_view name) const {
    if (!result_) return result_.error();
    if (!names_) {
      const Value::Member* const found = run::find_resource(*result_, name);
      if (found == nullptr) return Error{ErrorCode::missing, 0, {}, run::no_resource(*result_, name)};
      return &found->value;
    }
    const auto found = names_->find(*result_, name);
    if (!found) return found.error();
    return &(*found)->value;
  }
  /// The bytes of a resource that the shader may write, by its name or binding as of Shader::buffer(), as numbers; none if it is not there.
  template <class T>
  std::vector<T> read(std::string_view resource) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<std::byte> bytes;
    if (const auto found = found_resource(resource)) from_hex(*(*found)->find("hex")->as_text(), bytes);
    std::vector<T> made(bytes.size() / sizeof(T));
    if (!made.empty()) std::memcpy(made.data(), bytes.data(), made.size() * sizeof(T));
    return made;
  }
  /// Compares the numbers at the start of a resource.
  template <class T>
  Check buffer(std::string_view resource, std::span<const T> expected, Tolerance tolerance = {}) const {
    if (Check done = finished(); !done) return done;
    if (const auto known = found_resource(resource); !known) return {false, known.error().message};
    const std::vector<T> found = read<T>(resource);
    if (found.size() < expected.size()) {
      return {false,
              std::string(resource) + ": expected " + std::to_string(expected.size()) + " numbers, found " + std::to_string(found.size())};
    }
    for (std::size_t at = 0; at < expected.size(); ++at) {
      if (Check one = detail::compared(found[at], expected[at], tolerance, std::string(resource) + '[' + std::to_string(at) + ']'); !one)
        return one;
    }
    return {};
  }
  template <class T>
  Check buffer(std::string_view resource, const std::vector<T>& expected, Tolerance tolerance = {}) const {
    return buffer(resource, std::span<const T>(expected), tolerance);
  }

  /// As docs/reference/json/run.schema.json describes it.
  const Result<Value>& result() const { return result_; }

 private:
  static double number(const Value& value) {
    if (const Real* const real = value.as_real()) return real->single ? static_cast<double>(real->narrow) : real->wide;
    if (const Integer* const whole = value.as_integer()) return static_cast<double>(whole->magnitude) * (whole->negative ? -1 : 1);
    if (const bool* const truth = value.as_boolean()) return *truth ? 1 : 0;
    const std::string* const text = value.as_text();
    return text == nullptr || *text == "nan" ? std::nan("") : *text == "inf" ? HUGE_VAL : -HUGE_VAL;
  }
  const Value* rows() const {
    if (!result_) return nullptr;
    const Value* const lanes = result_->find("lanes");
    return lanes != nullptr ? lanes : result_->find("vertices");
  }
  const Value* find_lane(std::size_t lane) const {
    const Value* const list = rows();
    return list == nullptr || lane >= list->as_list()->size() ? nullptr : &(*list->as_list())[lane];
  }
  /// Why there is no output: the run has no such lane, or the lane other outputs.
  std::string no_output(std::size_t lane) const {
    const Value* const of = find_lane(lane);
    if (of == nullptr) return "there is no such lane, the number of lanes is " + std::to_string(size());
    std::string known;
    for (const Value::Member& member : *of->as_map())
      if (member.value.as_list() != nullptr) known += (known.empty() ? "" : ", ") + member.key;
    return known.empty() ? "the shader has no outputs" : "there is no such output, the shader has " + known;
  }
  /// Of an array or matrix of SPIR-V, which results have as `name[0]`, `name[1]`, all rows. Empty if there is none.
  Value::List find_output(std::size_t lane, std::string_view semantic) const {
    Value::List made;
    const Value* const of = find_lane(lane);
    if (of == nullptr) return made;
    for (const Value::Member& member : *of->as_map()) {
      const bool same = detail::same_letters(member.key, semantic) || detail::same_letters(member.key + '0', semantic);
      if (same && member.value.as_list() != nullptr) return *member.value.as_list();
    }
    for (std::size_t row = 0;; ++row) {
      const Value* const list = of->find(std::string(semantic) + '[' + std::to_string(row) + ']');
      if (list == nullptr || list->as_list() == nullptr) return made;
      made.insert(made.end(), list->as_list()->begin(), list->as_list()->end());
    }
  }

  std::optional<run::ResourceNames> names_;
  Result<Value> result_;
};

/// A shader and its inputs. Inputs stay from run to run until they are given again; lanes until clear_lanes().
class Shader {
 public:
  /// A file of any family; its name is UTF-8. What is wrong with it is in what loaded() and all checks of its runs say.
  static Shader load(const std::string& path, const shader::LowerOptions& options = {}) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(detail::open_to_read(path), &std::fclose);
    if (!file) return Shader(Error{ErrorCode::missing, 0, "", "the file `" + path + "` cannot be read"});
    std::vector<char> bytes;
    char some[4096];
    for (std::size_t size; (size = std::fread(some, 1, sizeof some, file.get())) != 0;) bytes.insert(bytes.end(), some, some + size);
    Shader made = of(std::as_bytes(std::span(bytes)), options);
    if (made.prepared_) return made;
    Error error = made.prepared_.error();
    error.message = '`' + path + "`: " + error.message;
    return Shader(std::move(error));
  }
  static Shader of(std::span<const std::byte> bytes, const shader::LowerOptions& options = {}) {
    const auto opened = shader::open(View(bytes));
    return opened ? of(*opened, options) : Shader(opened.error());
  }
  /// One that is open; the bytes of its file may go.
  static Shader of(const shader::Shader& opened, const shader::LowerOptions& options = {}) { return Shader(run::prepare(opened, options)); }
  const Result<run::Runnable>& runnable() const { return prepared_; }
  Check loaded() const { return prepared_ ? Check{} : Check{false, to_string(prepared_.error())}; }

  /// A variable of a constant buffer by its name: numbers row by row.
  Shader& constant(std::string_view name, std::initializer_list<double> values) {
    return put("constants", name, values.size() == 1 ? Value::real(*values.begin()) : numbers(values));
  }
  Shader& constant(std::string_view name, double value) { return constant(name, {value}); }
  /// Arrays are lists, structs are maps.
  Shader& constant(std::string_view name, Value value) { return put("constants", name, std::move(value)); }

  /// A buffer; of a typed one its format in the words of DXGI.
  /// @param name of it, as of textures and samplers: `lights`, `maps[3]`, `u0`; docs/reference/cases.md, "Names of resources"
  template <class T>
  Shader& buffer(std::string_view name, std::span<const T> contents, std::string_view format = {}) {
    Value made = Value::map();
    if (!format.empty()) made.add("format", Value::text(format));
    made.add("bytes", Value::bytes(View(std::as_bytes(contents))));
    return put("resources", name, std::move(made));
  }
  template <class T>
  Shader& buffer(std::string_view name, const std::vector<T>& contents, std::string_view format = {}) {
    return buffer(name, std::span<const T>(contents), format);
  }
  /// One of zeros.
  Shader& buffer(std::string_view name, std::size_t bytes, std::string_view format = {}) {
    return buffer(name, std::vector<std::byte>(bytes), format);
  }
  /// A texture of one level, its texels row by row as the format has them in memory.
  template <class T>
  Shader& texture(std::string_view name, std::uint32_t width, std::uint32_t height, std::string_view format, std::span<const T> texels) {
    Value made = Value::map();
    made.add("format", Value::text(format));
    made.add("width", Value::integer(width));
    made.add("height", Value::integer(height));
    made.add("bytes", Value::bytes(View(std::as_bytes(texels))));
    return put("resources", name, std::move(made));
  }
  template <class T>
  Shader& texture(std::string_view name, std::uint32_t width, std::uint32_t height, std::string_view format, const std::vector<T>& texels) {
    return texture(name, width, height, format, std::span<const T>(texels));
  }
  /// A resource or sampler with any fields of docs/reference/cases.md.
  Shader& resource(std::string_view name, Value fields) { return put("resources", name, std::move(fields)); }
  Shader& sampler(std::string_view name, Value fields) { return put("samplers", name, std::move(fields)); }
  /// Another field of a case: `wave`, `function`.
  Shader& set(std::string_view field, Value value) {
    replace(given_, field, std::move(value));
    return *this;
  }

  /// A lane: numbers by semantic, or by the name of what it knows of itself (`vertex_id`).
  using Input = std::pair<std::string_view, std::vector<double>>;
  Shader& lane(std::initializer_list<Input> inputs) {
    Value made = Value::map();
    for (const auto& [semantic, values] : inputs) made.add(semantic, numbers(values));
    lanes_.push(std::move(made));
    return *this;
  }
  /// The same as a map.
  Shader& lane(Value inputs) {
    lanes_.push(std::move(inputs));
    return *this;
  }
  Shader& clear_lanes() {
    lanes_ = Value::list();
    return *this;
  }

  /// Runs a compute shader over a grid of thread groups.
  Outcome dispatch(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1, const run::RunOptions& options = {}) const {
    Value given = given_;
    Value grid = Value::list();
    for (const std::uint32_t groups : {x, y, z}) grid.push(Value::integer(groups));
    replace(given, "grid", std::move(grid));
    return run(given, options);
  }
  /// Runs the lanes. Pixels come in quads: top left, top right, bottom left, bottom right.
  Outcome run(const run::RunOptions& options = {}) const {
    Value given = given_;
    replace(given, "lanes", lanes_);
    return run(given, options);
  }

 private:
  explicit Shader(Result<run::Runnable> prepared) : prepared_(std::move(prepared)) {
    if (prepared_) names_.emplace(*prepared_);
  }

  template <class Numbers>
  static Value numbers(const Numbers& values) {
    Value made = Value::list();
    for (const double value : values) made.push(Value::real(value));
    return made;
  }
  static void replace(Value& map, std::string_view key, Value value) {
    for (Value::Member& member : *map.as_map()) {
      if (member.key != key) continue;
      member.value = std::move(value);
      return;
    }
    map.add(key, std::move(value));
  }
  Shader& put(std::string_view field, std::string_view name, Value value) {
    if (given_.find(field) == nullptr) given_.add(field, Value::map());
    for (Value::Member& member : *given_.as_map())
      if (member.key == field) replace(member.value, name, std::move(value));
    return *this;
  }
  Outcome run(const Value& given, const run::RunOptions& options) const {
    if (!prepared_) return Outcome(prepared_.error());
    return Outcome(*names_, run::execute(*prepared_, given, options));
  }

  Result<run::Runnable> prepared_;
  std::optional<run::ResourceNames> names_;  ///< of what was prepared
  Value given_ = Value::map();
  Value lanes_ = Value::list();
};

}  // namespace unshade::testing
