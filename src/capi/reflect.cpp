#include <cstdint>

#include <unshade/core/tree.hpp>
#include <unshade/shader/reflection.hpp>

#include "capi/object.hpp"

using namespace unshade;
using capi::fail;
using capi::guarded;

/// The model, and all that is asked of it by index made beforehand, so that asking changes nothing.
struct unshade_reflection {
  struct Entry {
    unshade_entry_point entry;
    std::vector<unshade_element> elements[3];
  };
  struct Buffer {
    unshade_buffer buffer;
    std::vector<unshade_variable> variables;
  };

  shader::Reflection model;
  capi::Texts texts;
  std::vector<Entry> entries;
  std::vector<unshade_resource> resources;
  std::vector<Buffer> buffers;
};

namespace {

constexpr std::uint32_t count_of(std::size_t size) { return static_cast<std::uint32_t>(size); }

std::vector<unshade_element> elements_of(const std::vector<shader::SignatureElement>& list, capi::Texts& texts) {
  std::vector<unshade_element> elements;
  for (const auto& element : list)
    elements.push_back({sizeof(unshade_element), texts.add(element.semantic), element.semantic_index, element.register_index, element.mask,
                        element.used_mask, element.stream,
                        texts.add(element.built_in.empty() ? id(element.system_value) : std::string_view(element.built_in)),
                        texts.add(id(element.component_type))});
  return elements;
}

void prepare(unshade_reflection& made) {
  const shader::Reflection& model = made.model;
  capi::Texts& texts = made.texts;
  for (const auto& entry : model.entry_points) {
    unshade_reflection::Entry& to = made.entries.emplace_back();
    const auto group = entry.thread_group.value_or(std::array<std::uint32_t, 3>{});
    to.entry = {sizeof(unshade_entry_point),    texts.add(entry.name),          texts.add(id(entry.stage)),
                count_of(entry.inputs.size()),  count_of(entry.outputs.size()), count_of(entry.patch_constants.size()),
                {group[0], group[1], group[2]}, entry.required_features};
    to.elements[UNSHADE_INPUTS] = elements_of(entry.inputs, texts);
    to.elements[UNSHADE_OUTPUTS] = elements_of(entry.outputs, texts);
    to.elements[UNSHADE_PATCH_CONSTANTS] = elements_of(entry.patch_constants, texts);
  }
  for (const auto& resource : model.resources)
    made.resources.push_back({sizeof(unshade_resource), texts.add(resource.name), texts.add(id(resource.kind)), resource.bind_point,
                              resource.bind_count, resource.space, resource.buffer});
  std::vector<const char*> type_names;
  for (const auto& type : model.types) {
    Text name;
    shader::print_type_name(type, name);
    type_names.push_back(texts.add(name.view()));
  }
  for (const auto& buffer : model.buffers) {
    unshade_reflection::Buffer& to = made.buffers.emplace_back();
    to.buffer = {sizeof(unshade_buffer), texts.add(buffer.name), buffer.size, count_of(buffer.variables.size())};
    for (const auto& variable : buffer.variables) {
      const bool typed = variable.type < model.types.size();
      to.variables.push_back({sizeof(unshade_variable), texts.add(variable.name), typed ? type_names[variable.type] : "", variable.offset,
                              variable.size, typed ? model.types[variable.type].elements : 0});
    }
  }
}

unshade_code print(const unshade_reflection* reflection, void (*printer)(const shader::Reflection&, Text&), unshade_blob** text,
                   unshade_error** error) {
  if (text != nullptr) *text = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (reflection == nullptr || text == nullptr) return capi::invalid_argument(error, "reflection or text is NULL");
    Text printed;
    printer(reflection->model, printed);
    *text = capi::make_blob(printed.view());
    return UNSHADE_OK;
  });
}

}  // namespace

unshade_code unshade_reflect(const unshade_shader* shader, unshade_reflection** reflection, unshade_error** error) {
  if (reflection != nullptr) *reflection = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || reflection == nullptr) return capi::invalid_argument(error, "shader or reflection is NULL");
    auto model = shader::reflect(shader->shader);
    if (!model) return fail(error, model.error());
    auto made = std::make_unique<unshade_reflection>();
    made->model = *std::move(model);
    prepare(*made);
    *reflection = made.release();
    return UNSHADE_OK;
  });
}

void unshade_reflection_free(unshade_reflection* reflection) { delete reflection; }

unshade_code unshade_reflection_text(const unshade_reflection* reflection, unshade_blob** text, unshade_error** error) {
  return print(reflection, shader::print_reflection, text, error);
}

unshade_code unshade_reflection_hlsl(const unshade_reflection* reflection, unshade_blob** text, unshade_error** error) {
  return print(reflection, shader::print_hlsl, text, error);
}

uint32_t unshade_entry_point_count(const unshade_reflection* reflection) {
  return reflection != nullptr ? count_of(reflection->entries.size()) : 0;
}

unshade_code unshade_entry_point_at(const unshade_reflection* reflection, uint32_t index, unshade_entry_point* entry) {
  if (reflection == nullptr || index >= reflection->entries.size()) return UNSHADE_INVALID_ARGUMENT;
  return capi::fill(entry, reflection->entries[index].entry);
}

unshade_code unshade_element_at(const unshade_reflection* reflection, uint32_t entry, int32_t list, uint32_t index,
                                unshade_element* element) {
  if (reflection == nullptr || entry >= reflection->entries.size() || list < UNSHADE_INPUTS || list > UNSHADE_PATCH_CONSTANTS)
    return UNSHADE_INVALID_ARGUMENT;
  return capi::fill_from(element, reflection->entries[entry].elements[list], index);
}

uint32_t unshade_resource_count(const unshade_reflection* reflection) {
  return reflection != nullptr ? count_of(reflection->resources.size()) : 0;
}

unshade_code unshade_resource_at(const unshade_reflection* reflection, uint32_t index, unshade_resource* resource) {
  return reflection != nullptr ? capi::fill_from(resource, reflection->resources, index) : UNSHADE_INVALID_ARGUMENT;
}

uint32_t unshade_buffer_count(const unshade_reflection* reflection) {
  return reflection != nullptr ? count_of(reflection->buffers.size()) : 0;
}

unshade_code unshade_buffer_at(const unshade_reflection* reflection, uint32_t index, unshade_buffer* buffer) {
  if (reflection == nullptr || index >= reflection->buffers.size()) return UNSHADE_INVALID_ARGUMENT;
  return capi::fill(buffer, reflection->buffers[index].buffer);
}

unshade_code unshade_variable_at(const unshade_reflection* reflection, uint32_t buffer, uint32_t index, unshade_variable* variable) {
  if (reflection == nullptr || buffer >= reflection->buffers.size()) return UNSHADE_INVALID_ARGUMENT;
  return capi::fill_from(variable, reflection->buffers[buffer].variables, index);
}
