#include <string>
#include <utility>
#include <vector>

#include "cli/manual/help.hpp"
#include "cli/manual/words.hpp"

namespace unshade::cli::manual {

namespace {

std::string_view word_of_value(Takes takes) {
  switch (takes) {
    case Takes::nothing: return "nothing";
    case Takes::text: return "text";
    case Takes::file: return "file";
    case Takes::folder: return "folder";
    case Takes::choice: return "choice";
    case Takes::verb: return "verb";
  }
  return {};
}

void write_choices(std::string_view name, std::string_view choices, Json& json) {
  json.key(name);
  json.begin_array();
  for_each_choice(choices, [&](std::string_view choice) { json.string(choice); });
  json.end_array();
}

void write_operands(const Operands& operands, Json& json) {
  json.object_or_null("operands", !operands.name.empty(), [&] {
    json.member("name", operands.name);
    json.text_or_null("rest", operands.rest);
    json.member("takes", word_of_value(operands.takes));
    write_choices("choices", operands.choices, json);
    json.member("required", operands.required);
    json.member("many", operands.many || !operands.rest.empty());
  });
}

void write_option(const Verb& verb, const Option& option, Json& json) {
  json.member("name", option.name);
  json.text_or_null("letter", std::string_view(&option.letter, option.letter != 0 ? 1 : 0));
  json.member("takes", word_of_value(option.takes));
  json.text_or_null("value", option.value);
  write_choices("choices", option.choices, json);
  json.member("repeats", option.repeats);
  for (const ActionOption& row : verb.body.action_options)
    if (row.option == option.name) write_choices("actions", row.actions, json);
  json.member("summary", option.summary);
}

void write_session(const Session& session, Json& json) {
  std::vector<std::pair<std::string_view, std::string>> commands;
  for_each_line(session.commands, [&](std::string_view line) {
    if (line.starts_with(kPrompt))
      commands.emplace_back(line.substr(kPrompt.size()), std::string());
    else if (!commands.empty())
      commands.back().second += std::string(line) + '\n';
  });
  json.object("session", [&] {
    json.objects("files", session.files, [&](const SampleFile* file) {
      json.member("name", file->name);
      json.member("text", file->text);
    });
    json.objects("commands", commands, [&](const auto& command) {
      json.member("command", command.first);
      json.member("prints", std::string_view(command.second));
    });
  });
}

}  // namespace

void write_verbs(std::span<const Verb> verbs, Json& json) {
  json.objects("verbs", verbs, [&](const Verb& verb) {
    json.member("name", verb.name);
    json.object("group", [&] {
      json.member("name", verb.group.name);
      json.member("title", verb.group.title);
    });
    json.member("summary", verb.summary);
    json.member("usage", std::string_view(usage_of(verb)));
    json.member("description", verb.body.description);
    write_operands(verb.body.operands, json);
    json.key("options");
    json.begin_array();
    for_each_option(verb, [&](const Option& option) { json.object([&] { write_option(verb, option, json); }); });
    json.end_array();
    json.objects("examples", verb.body.examples, [&](const Example& example) {
      json.member("command", example.command);
      json.member("does", example.does);
    });
    write_session(verb.body.session, json);
    json.member("exits", verb.body.exits);
  });
}

}  // namespace unshade::cli::manual
