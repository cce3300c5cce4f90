// Running shaders: the helper of tests in C++ behind handles.
#include <algorithm>
#include <limits>

#include <unshade/present/run/run.hpp>
#include <unshade/present/value.hpp>
#include <unshade/run/run.hpp>
#include <unshade/testing.hpp>

#include "capi/object.hpp"
#include "capi/printed.hpp"
#include "capi/run/rounding.hpp"
#include "capi/run/session.hpp"

using namespace unshade;
using capi::guarded;

struct unshade_program {
  testing::Shader shader;
  std::vector<Value> lanes;
};

struct unshade_result {
  testing::Outcome outcome;
};

namespace {

constexpr std::uint32_t kMostLanes = 65536;

Value numbers(const double* values, std::size_t count) {
  Value made = Value::list();
  for (std::size_t k = 0; k < count; ++k) made.push(Value::real(values[k]));
  return made;
}

void set(Value& map, std::string_view key, Value value) {
  for (Value::Member& member : *map.as_map()) {
    if (member.key == key) {
      member.value = std::move(value);
      return;
    }
  }
  map.add(key, std::move(value));
}

Value memory(const void* bytes, std::size_t size, const char* format) {
  Value made = Value::map();
  if (format != nullptr && *format != '\0') made.add("format", Value::text(format));
  if (bytes != nullptr) {
    made.add("bytes", Value::bytes(capi::view_of(bytes, size)));
  } else {
    made.add("size", Value::integer(size));
  }
  return made;
}

/// Bytes of a resource up to which a result has its numbers too.
constexpr std::uint64_t kValuesBytes = std::uint64_t{4} << 20;

/// The options with those that a caller gave.
run::RunOptions run_options(const unshade_run_options& how) {
  run::RunOptions run;
  run.wave = how.wave;
  if (how.operations != 0) run.operations = how.operations;
  // no more than a size has room for, where it has 32 bits
  if (how.memory != 0) run.memory = std::min<std::uint64_t>(how.memory, std::numeric_limits<std::size_t>::max() / 2);
  if (how.threads != 0) run.threads = how.threads;
  run.f24 = capi::f24_of(how.float24);
  return run;
}

unshade_code make_program(const unshade_shader& shader, std::string_view entry, unshade_program*& program, unshade_error** error) {
  shader::LowerOptions options;
  options.entry = entry;
  auto made = testing::Shader::of(shader.shader, options);
  if (!made.runnable()) return capi::fail(error, made.runnable().error());
  program = std::make_unique<unshade_program>(unshade_program{std::move(made), {}}).release();
  return UNSHADE_OK;
}

/// Calls `body` if no argument is NULL.
template <class... Pointers, class Body>
unshade_code with(Body body, const Pointers*... arguments) noexcept {
  if ((... || (arguments == nullptr))) return UNSHADE_INVALID_ARGUMENT;
  return guarded(nullptr, [&]() -> unshade_code {
    body();
    return UNSHADE_OK;
  });
}

}  // namespace

unshade_code unshade_program_new(const unshade_shader* shader, const char* entry, unshade_program** program, unshade_error** error) {
  if (program != nullptr) *program = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || program == nullptr) return capi::invalid_argument(error, "shader or program is NULL");
    return make_program(*shader, capi::or_empty(entry), *program, error);
  });
}

unshade_code unshade_program_of_case(const unshade_shader* shader, const char* text, size_t size, unshade_program** program,
                                     unshade_error** error) {
  if (program != nullptr) *program = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || program == nullptr || (text == nullptr && size != 0))
      return capi::invalid_argument(error, "an argument is NULL");
    const auto given = capi::read_case({text, size});
    if (!given) return capi::fail(error, given.error());
    return make_program(*shader, run::entry_of(*given), *program, error);
  });
}

void unshade_program_free(unshade_program* program) { delete program; }

unshade_code unshade_set_constant(unshade_program* program, const char* variable, const double* values, size_t count) {
  return with(
      [&] {
        if (count == 1) {
          program->shader.constant(variable, Value::real(*values));
        } else {
          program->shader.constant(variable, numbers(values, count));
        }
      },
      program, variable, values);
}

unshade_code unshade_set_buffer(unshade_program* program, const char* resource, const void* bytes, size_t size, const char* format) {
  return with([&] { program->shader.resource(resource, memory(bytes, size, format)); }, program, resource);
}

unshade_code unshade_set_texture(unshade_program* program, const char* resource, uint32_t width, uint32_t height, const char* format,
                                 const void* bytes, size_t size) {
  return with(
      [&] {
        Value made = memory(bytes, bytes == nullptr ? 0 : size, format);
        made.add("width", Value::integer(width));
        made.add("height", Value::integer(height));
        program->shader.resource(resource, std::move(made));
      },
      program, resource, format);
}

unshade_code unshade_set_sampler(unshade_program* program, const char* sampler, const char* filter, const char* address) {
  return with(
      [&] {
        Value made = Value::map();
        made.add("filter", Value::text(filter));
        made.add("address", Value::text(address));
        program->shader.sampler(sampler, std::move(made));
      },
      program, sampler, filter, address);
}

unshade_code unshade_set_input(unshade_program* program, uint32_t lane, const char* semantic, const double* values, size_t count) {
  if (lane >= kMostLanes) return UNSHADE_LIMIT;
  return with(
      [&] {
        while (program->lanes.size() <= lane) program->lanes.push_back(Value::map());
        set(program->lanes[lane], semantic, numbers(values, count));
      },
      program, semantic, values);
}

void unshade_clear_lanes(unshade_program* program) {
  if (program != nullptr) program->lanes.clear();
}

unshade_code unshade_run(const unshade_program* program, const unshade_run_options* options, unshade_result** result,
                         unshade_error** error) {
  if (result != nullptr) *result = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (program == nullptr || result == nullptr) return capi::invalid_argument(error, "program or result is NULL");
    unshade_run_options how{};
    if (!capi::read_options(options, how)) return capi::invalid_argument(error, capi::kSmallOptions);
    if (!capi::is_rounding(how.float24)) return capi::invalid_argument(error, capi::kWrongRounding);
    const run::RunOptions run = run_options(how);
    testing::Shader shader = program->shader;
    for (const Value& lane : program->lanes) shader.lane(lane);
    const auto groups = [&](unsigned axis) { return std::max(how.groups[axis], 1U); };
    auto outcome =
        shader.runnable()->module().stage == Stage::compute ? shader.dispatch(groups(0), groups(1), groups(2), run) : shader.run(run);
    if (!outcome.result()) return capi::fail(error, outcome.result().error());
    *result = std::make_unique<unshade_result>(unshade_result{std::move(outcome)}).release();
    return UNSHADE_OK;
  });
}

void unshade_result_free(unshade_result* result) { delete result; }

const char* unshade_result_stop(const unshade_result* result) {
  return result == nullptr ? "" : result->outcome.result()->find("stop")->as_text()->c_str();
}

uint32_t unshade_result_lane_count(const unshade_result* result) {
  return result == nullptr ? 0 : static_cast<uint32_t>(result->outcome.size());
}

unshade_code unshade_result_output(const unshade_result* result, uint32_t lane, const char* semantic, double* values, size_t capacity,
                                   size_t* count) {
  if (count != nullptr) *count = 0;
  if (result == nullptr || semantic == nullptr || (values == nullptr && capacity != 0)) return UNSHADE_INVALID_ARGUMENT;
  return guarded(nullptr, [&]() -> unshade_code {
    const auto found = result->outcome.output(lane, semantic);
    if (found.empty()) return UNSHADE_MISSING;
    std::copy_n(found.begin(), std::min(found.size(), capacity), values);
    if (count != nullptr) *count = found.size();
    return UNSHADE_OK;
  });
}

int unshade_result_discarded(const unshade_result* result, uint32_t lane) {
  return result != nullptr && result->outcome.discarded(lane) ? 1 : 0;
}

unshade_code unshade_result_resource(const unshade_result* result, const char* resource, unshade_blob** bytes, unshade_error** error) {
  if (bytes != nullptr) *bytes = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (result == nullptr || resource == nullptr || bytes == nullptr) return capi::invalid_argument(error, "an argument is NULL");
    if (const auto known = result->outcome.found_resource(resource); !known)
      return capi::fail(error, Error{known.error().code, 0, resource, known.error().message});
    const auto found = result->outcome.read<char>(resource);
    *bytes = capi::make_blob({found.data(), found.size()});
    return UNSHADE_OK;
  });
}

unshade_code unshade_run_case(const unshade_program* program, const char* text, size_t size, const unshade_run_options* options,
                              unshade_blob** json, unshade_error** error) {
  if (json != nullptr) *json = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (program == nullptr || json == nullptr || (text == nullptr && size != 0))
      return capi::invalid_argument(error, "an argument is NULL");
    unshade_run_options how{};
    if (!capi::read_options(options, how)) return capi::invalid_argument(error, capi::kSmallOptions);
    if (!capi::is_rounding(how.float24)) return capi::invalid_argument(error, capi::kWrongRounding);
    const auto given = capi::read_case({text, size});
    if (!given) return capi::fail(error, given.error());
    run::RunOptions run = run_options(how);
    run.values = kValuesBytes;
    const auto result = run::execute(*program->shader.runnable(), *given, run);
    if (!result) return capi::fail(error, result.error());
    const auto made = capi::printed([&](present::Printer& printer) -> Result<void> {
      present::Json out(printer);
      present::write_run(*result, out);
      return {};
    });
    *json = capi::make_blob(*made);
    return UNSHADE_OK;
  });
}
