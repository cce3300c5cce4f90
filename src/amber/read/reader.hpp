// Reads a script, command by command. The first error sticks: what is read after it is dropped.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/amber/script.hpp>
#include <unshade/core/name_index.hpp>

#include "amber/lexer.hpp"
#include "amber/types.hpp"

namespace unshade::amber::reader {

class Reader {
 public:
  explicit Reader(std::string_view text) : lexer_(text) {}
  Result<Script> read();

 private:
  // reader.cpp
  void command(const Token& word);
  bool run_command(const Token& word);
  void shader();
  void virtual_file();

  void fail(const Token& at, std::string message, ErrorCode code = ErrorCode::bad_value);
  /// What follows is known, and nothing here can do it.
  void needs(const Token& at, std::string what);
  Token expect(std::string_view what);
  bool take(std::string_view word);
  void end_line();
  std::uint32_t whole(std::string_view what);
  double real(std::string_view what);
  float depth_from_0_to_1();
  bool is_next_number();
  std::uint32_t choice(std::string_view what, std::span<const std::string_view> choices);
  std::uint32_t choice(std::string_view what, std::initializer_list<std::string_view> choices) {
    return choice(what, std::span(choices.begin(), choices.size()));
  }
  /// Of a list of the script or this.
  template <class T>
  std::optional<std::size_t> place_of(const std::vector<T>& list, std::string_view name) {
    return names_[&list].find(list, name, &T::name);
  }
  std::optional<TypeShape> type_named(std::string_view word) {
    return parse_type(word, [this](std::string_view name) { return place_of(structures_, name); });
  }
  template <class T>
  std::uint32_t name_of(const std::vector<T>& list, std::string_view what) {
    const Token token = expect("the name of a " + std::string(what));
    if (const auto at = place_of(list, token.text); at && token) return static_cast<std::uint32_t>(*at);
    fail(token, "there is no " + std::string(what) + " `" + std::string(token.text) + '`', ErrorCode::missing);
    return kNone;
  }
  template <class T>
  std::string new_name(const std::vector<T>& list, std::string_view what) {
    const Token token = expect("a name for the " + std::string(what));
    if (place_of(list, token.text)) fail(token, "there is a " + std::string(what) + " `" + std::string(token.text) + "` already");
    return std::string(token.text);
  }

  // buffers.cpp
  void structure();
  void buffer();
  void image();
  void sampler();
  void type_and_layout(ScriptBuffer& buffer);
  void initializer(ScriptBuffer& buffer);
  void values_until_end(ScriptBuffer& buffer);
  /// Refuses a number that the memory cannot hold.
  void check_fits(const Token& at, const ScriptNumber& number, const DataScalar& scalar);

  // pipelines.cpp
  void pipeline(bool derived);
  void pipeline_line(ScriptPipeline& pipeline, const Token& word);
  void attach(ScriptPipeline& pipeline);
  void bind(ScriptPipeline& pipeline, const Token& word);
  void vertex_data(ScriptPipeline& pipeline);
  void subgroup(ScriptPipeline& pipeline);

  // states.cpp
  void depth(ScriptPipeline& pipeline);
  void stencil(ScriptPipeline& pipeline);
  void blend(ScriptPipeline& pipeline);
  bool on_or_off();
  float named_real(std::string_view name);
  std::uint32_t block_option(std::string_view block, std::initializer_list<std::string_view> options);
  template <class T, std::size_t N>
  void chosen(std::string_view what, const T (&words)[N], decltype(T::value)& to);

  // commands.cpp
  void run();
  void draw_array(std::uint32_t pipeline);
  void clear_color();
  void clear_depth(bool is_stencil);
  void copy();
  void repeat();
  void compare();
  void add(const Token& at, decltype(ScriptCommand::what) what) { script_.commands.push_back({lexer_.place(at.offset), std::move(what)}); }

  Lexer lexer_;
  Script script_;
  std::vector<Structure> structures_;
  std::map<const void*, NameIndex> names_;  ///< by list
  std::vector<std::uint32_t> file_lines_;   ///< the first line of each of the script's files
  std::size_t scalars_ = 0;
  unsigned repeats_ = 0;
  bool stopped_ = false;
  std::optional<Error> error_;
};

template <class T, std::size_t N>
void Reader::chosen(std::string_view what, const T (&words)[N], decltype(T::value)& to) {
  const Token token = expect(what);
  if (error_) return;
  std::string all;
  for (const T& one : words) {
    if (one.name == token.text) {
      to = one.value;
      return;
    }
    all += (all.empty() ? "" : ", ") + std::string(one.name);
  }
  fail(token, "expected " + std::string(what) + " (" + all + "), found `" + std::string(token.text) + '`');
}

}  // namespace unshade::amber::reader
