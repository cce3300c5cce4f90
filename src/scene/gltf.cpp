#include "scene/gltf.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include <unshade/ir/numeric/nan.hpp>

namespace unshade::scene {
namespace {

constexpr std::size_t kMostGltfNumbers = std::size_t{1} << 24;
constexpr unsigned kMostNodeDepth = 64;
constexpr std::uint32_t kGlbMagic = 0x46546c67, kJsonChunk = 0x4e4f534a, kBinaryChunk = 0x004e4942;  // src: 4.4

struct ComponentType {
  std::uint32_t code;
  unsigned bytes;
  bool is_signed, is_float;
};
constexpr ComponentType kComponentTypes[] = {{5120, 1, true, false},  {5121, 1, false, false}, {5122, 2, true, false},
                                             {5123, 2, false, false}, {5125, 4, false, false}, {5126, 4, true, true}};

struct ElementType {
  std::string_view name;
  unsigned components;
};
constexpr ElementType kElementTypes[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}};

/// Attributes that meshes have here. `fill`: of vertices without it, and of components that it lacks.
struct AttributeRow {
  std::string_view name, semantic;
  unsigned components;
  bool is_numbered;  ///< `TEXCOORD_0`
  float fill;
};
constexpr AttributeRow kAttributes[] = {{"POSITION", "POSITION", 3, false, 0},
                                        {"NORMAL", "NORMAL", 3, false, 0},
                                        {"TANGENT", "TANGENT", 4, false, 0},
                                        {"TEXCOORD_", "TEXCOORD", 2, true, 0},
                                        {"COLOR_", "COLOR", 4, true, 1}};

float computed(double value) { return ir::numeric::canonical(static_cast<float>(value)); }

using Matrix4 = std::array<std::array<double, 4>, 4>;  // [row][column]; a vector stands on the right
constexpr Matrix4 kIdentity{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};

Matrix4 product(const Matrix4& a, const Matrix4& b) {
  Matrix4 made{};
  for (std::size_t row = 0; row < 4; ++row)
    for (std::size_t column = 0; column < 4; ++column)
      for (std::size_t k = 0; k < 4; ++k) made[row][column] += a[row][k] * b[k][column];
  return made;
}

// The matrix of cofactors of the upper left: it turns normals. Its product with the first row is the determinant.
std::array<std::array<double, 3>, 3> cofactors(const Matrix4& m) {
  std::array<std::array<double, 3>, 3> made{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      const std::size_t r1 = (row + 1) % 3, r2 = (row + 2) % 3, c1 = (column + 1) % 3, c2 = (column + 2) % 3;
      made[row][column] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
    }
  }
  return made;
}

std::string indexed(std::string_view list, std::size_t index) { return std::string(list) + '[' + std::to_string(index) + ']'; }

class GltfReader {
 public:
  GltfReader(View file, const GltfFiles& files) : file_(file), files_(files) {}
  Result<GltfMesh> read();

 private:
  /// Elements of an accessor.
  struct Elements {
    ComponentType type{};
    unsigned components = 0;
    std::uint32_t count = 0;
    bool is_normalized = false;
    View bytes;  ///< empty: zeros
    std::size_t stride = 0;
  };
  Error wrong(const Value& at, std::string path, std::string message, ErrorCode code = ErrorCode::bad_value) const {
    return {code, json_offset_ + at.text_offset, std::move(path), std::move(message)};
  }
  Result<void> open();
  Result<std::uint64_t> whole(const Value& of, std::string_view name, std::optional<std::uint64_t> otherwise,
                              const std::string& path) const;
  Result<const Value*> item(std::string_view list, std::uint64_t index, const Value& at, const std::string& path) const;
  template <std::size_t N>
  Result<bool> numbers(const Value& of, std::string_view name, std::array<double, N>& to, const std::string& path) const;
  Result<View> buffer(std::uint64_t index, const Value& at, const std::string& path);
  Result<Elements> elements(const Value& index, const std::string& path);
  static double component(const Elements& from, std::uint32_t element, unsigned component);
  Result<Matrix4> matrix_of(const Value& node, const std::string& path) const;
  Result<void> add_node(const Value& index, const std::string& path, const Matrix4& parent, unsigned depth);
  Result<void> add_mesh(std::uint64_t index, const Value& at, const std::string& path, const Matrix4& to_world);
  Result<void> add_primitive(const Value& given, const std::string& path, const Matrix4& to_world);
  Result<void> add_attributes(const Value& given, const std::string& path, std::uint32_t count);
  Result<void> add_indices(const Value& given, const std::string& path, std::uint32_t count, bool turns);
  void place(std::uint32_t first, const Matrix4& to_world);

  View file_;
  const GltfFiles& files_;
  std::uint64_t json_offset_ = 0;
  Value root_;
  std::optional<View> binary_;
  std::deque<std::vector<std::byte>> memory_;
  std::map<std::uint64_t, View> buffers_;
  std::vector<bool> visited_;  ///< nodes
  std::size_t taken_ = 0;      ///< numbers
  GltfMesh made_;
};

// The JSON, and the chunk of bytes beside it.
Result<void> GltfReader::open() {
  View json = file_;
  if (file_.u32(0) == kGlbMagic) {
    constexpr std::size_t kHeadBytes = 12, kChunkBytes = 8;
    const auto version = file_.u32(4);
    if (!version) return Error{ErrorCode::truncated, file_.size(), "header", "the file ends within its header"};
    if (*version != 2) return Error{ErrorCode::unsupported, 4, "header/version", "expected version 2, found " + std::to_string(*version)};
    std::size_t at = kHeadBytes;
    bool has_json = false;
    while (const auto size = file_.u32(at)) {
      const auto type = file_.u32(at + 4);
      const auto content = type ? file_.sub(at + kChunkBytes, *size) : std::nullopt;
      if (!content) return Error{ErrorCode::truncated, at, "chunk", "the chunk exceeds the file"};
      if (*type == kJsonChunk && !has_json) {
        json = *content;
        has_json = true;
      }
      if (*type == kBinaryChunk && !binary_) binary_ = *content;
      at += kChunkBytes + *size;
    }
    if (!has_json) return Error{ErrorCode::missing, std::min<std::uint64_t>(at, file_.size()), "chunk", "the file has no JSON chunk"};
  }
  const std::size_t first = json.text().find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || json.text()[first] != '{')
    return Error{ErrorCode::bad_magic, json.file_offset(), "", "not a glTF file"};
  json_offset_ = json.file_offset();
  if (files_.read_document == nullptr) return Error{ErrorCode::unsupported, 0, "", "this run cannot read glTF files"};
  auto read = files_.read_document(".gltf", json.text());
  if (!read) {
    Error error = std::move(read).error();
    error.offset += json_offset_;
    return error;
  }
  root_ = std::move(*read);
  const Value* const asset = root_.find("asset");
  const Value* const version = asset == nullptr ? nullptr : asset->find("version");
  if (version == nullptr || version->as_text() == nullptr || !version->as_text()->starts_with("2."))
    return wrong(asset == nullptr ? root_ : *asset, "asset/version", "expected a text of version 2", ErrorCode::unsupported);
  if (const Value* const required = root_.find("extensionsRequired");
      required != nullptr && required->as_list() != nullptr && !required->as_list()->empty())
    return wrong(*required, "extensionsRequired", "required extensions are not supported", ErrorCode::unsupported);
  return {};
}

Result<std::uint64_t> GltfReader::whole(const Value& of, std::string_view name, std::optional<std::uint64_t> otherwise,
                                        const std::string& path) const {
  const Value* const given = of.find(name);
  if (given == nullptr && otherwise) return *otherwise;
  if (given == nullptr) return wrong(of, path + '/' + std::string(name), "this field is missing", ErrorCode::missing);
  const Integer* const number = given->as_integer();
  if (number == nullptr || number->negative || number->magnitude > std::numeric_limits<std::uint32_t>::max())
    return wrong(*given, path + '/' + std::string(name), "expected a whole number of 32 bits");
  return number->magnitude;
}

Result<const Value*> GltfReader::item(std::string_view list, std::uint64_t index, const Value& at, const std::string& path) const {
  const Value* const all = root_.find(list);
  if (all == nullptr || all->as_list() == nullptr || index >= all->as_list()->size())
    return wrong(at, path, "there is no " + indexed(list, index), ErrorCode::missing);
  return &(*all->as_list())[index];
}

// False if the field is missing.
template <std::size_t N>
Result<bool> GltfReader::numbers(const Value& of, std::string_view name, std::array<double, N>& to, const std::string& path) const {
  const Value* const given = of.find(name);
  if (given == nullptr) return false;
  const Value::List* const list = given->as_list();
  for (std::size_t k = 0; k < N; ++k) {
    const Value* const one = list == nullptr || list->size() != N ? nullptr : &(*list)[k];
    const Integer* const number = one == nullptr ? nullptr : one->as_integer();
    const Real* const real = one == nullptr ? nullptr : one->as_real();
    if (number == nullptr && real == nullptr)
      return wrong(*given, path + '/' + std::string(name), "expected a list of " + std::to_string(N) + " numbers");
    to[k] = real != nullptr ? real->wide : static_cast<double>(number->magnitude) * (number->negative ? -1 : 1);
  }
  return true;
}

int base64_digit(char c) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t found = kDigits.find(c);
  return found == std::string_view::npos ? -1 : static_cast<int>(found);
}

std::optional<std::vector<std::byte>> from_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::vector<std::byte> made;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    const int digit = base64_digit(c);
    if (digit < 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    made.push_back(static_cast<std::byte>(bits >> count & 0xff));
  }
  return made;
}

// `%20` as what it stands for.
std::string decoded(std::string_view uri) {
  std::string made;
  for (std::size_t at = 0; at < uri.size(); ++at) {
    std::vector<std::byte> byte;
    const bool is_escape = uri[at] == '%' && from_hex(uri.substr(at + 1, 2), byte) && byte.size() == 1;
    made += is_escape ? static_cast<char>(byte.front()) : uri[at];
    if (is_escape) at += 2;
  }
  return made;
}

Result<View> GltfReader::buffer(std::uint64_t index, const Value& at, const std::string& path) {
  if (const auto known = buffers_.find(index); known != buffers_.end()) return known->second;
  const auto given = item("buffers", index, at, path);
  if (!given) return given.error();
  const std::string own = indexed("buffers", index);
  const auto size = whole(**given, "byteLength", std::nullopt, own);
  if (!size) return size.error();
  const Value* const uri = (*given)->find("uri");
  View made;
  if (uri == nullptr) {
    if (index != 0 || !binary_) return wrong(**given, own, "the buffer has no uri, and the file no chunk for it", ErrorCode::missing);
    made = *binary_;
  } else {
    if (uri->as_text() == nullptr) return wrong(*uri, own + "/uri", "expected a text");
    const std::string_view text = *uri->as_text();
    constexpr std::string_view kBase64 = ";base64,";
    const std::size_t data = text.starts_with("data:") ? text.find(kBase64) : std::string_view::npos;
    if (text.starts_with("data:")) {
      auto bytes = data == std::string_view::npos ? std::nullopt : from_base64(text.substr(data + kBase64.size()));
      if (!bytes) return wrong(*uri, own + "/uri", "expected data in base64");
      memory_.push_back(std::move(*bytes));
    } else {
      if (files_.read_file == nullptr) return wrong(*uri, own + "/uri", "this run cannot read files", ErrorCode::unsupported);
      auto bytes = files_.read_file(files_.self, decoded(text));
      if (!bytes) return wrong(*uri, own + "/uri", bytes.error().message, bytes.error().code);
      memory_.push_back(std::move(*bytes));
    }
    made = View(memory_.back());
  }
  if (*size > made.size())
    return wrong(**given, own + "/byteLength",
                 "the buffer has " + std::to_string(made.size()) + " bytes, expected " + std::to_string(*size), ErrorCode::truncated);
  return buffers_.emplace(index, *made.sub(0, *size)).first->second;
}

Result<GltfReader::Elements> GltfReader::elements(const Value& index, const std::string& path) {
  if (index.as_integer() == nullptr || index.as_integer()->negative) return wrong(index, path, "expected the number of an accessor");
  const std::uint64_t number = index.as_integer()->magnitude;
  const auto given = item("accessors", number, index, path);
  if (!given) return given.error();
  const Value& accessor = **given;
  const std::string own = indexed("accessors", number);
  if (const Value* const sparse = accessor.find("sparse"))
    return wrong(*sparse, own + "/sparse", "sparse accessors are not supported", ErrorCode::unsupported);
  Elements made;
  const auto code = whole(accessor, "componentType", std::nullopt, own);
  if (!code) return code.error();
  const auto* const type = std::ranges::find(kComponentTypes, *code, &ComponentType::code);
  if (type == std::end(kComponentTypes)) return wrong(accessor, own + "/componentType", "unknown type " + std::to_string(*code));
  made.type = *type;
  const Value* const name = accessor.find("type");
  const auto* const shape = name == nullptr || name->as_text() == nullptr
                                ? std::end(kElementTypes)
                                : std::ranges::find(kElementTypes, std::string_view(*name->as_text()), &ElementType::name);
  if (shape == std::end(kElementTypes))
    return wrong(name == nullptr ? accessor : *name, own + "/type", "expected one of SCALAR, VEC2, VEC3, VEC4");
  made.components = shape->components;
  const auto count = whole(accessor, "count", std::nullopt, own);
  if (!count) return count.error();
  if (*count > kMostGltfNumbers / made.components)
    return wrong(accessor, own + "/count", "the file has more than 2^24 numbers", ErrorCode::limit);
  made.count = static_cast<std::uint32_t>(*count);
  const Value* const normalized = accessor.find("normalized");
  made.is_normalized = normalized != nullptr && normalized->as_boolean() != nullptr && *normalized->as_boolean();
  if (accessor.find("bufferView") == nullptr) return made;

  const auto view_number = whole(accessor, "bufferView", std::nullopt, own);
  if (!view_number) return view_number.error();
  const auto view = item("bufferViews", *view_number, accessor, own + "/bufferView");
  if (!view) return view.error();
  const std::string of_view = indexed("bufferViews", *view_number);
  const std::size_t element_bytes = std::size_t{made.components} * made.type.bytes;
  std::array<std::uint64_t, 4> field{};
  const std::pair<std::string_view, std::optional<std::uint64_t>> names[] = {
      {"buffer", std::nullopt}, {"byteOffset", 0}, {"byteLength", std::nullopt}, {"byteStride", element_bytes}};
  for (std::size_t k = 0; k < std::size(names); ++k) {
    const auto value = whole(**view, names[k].first, names[k].second, of_view);
    if (!value) return value.error();
    field[k] = *value;
  }
  const auto [of_buffer, view_offset, view_size, stride] = field;
  const auto offset = whole(accessor, "byteOffset", 0, own);
  if (!offset) return offset.error();
  const auto bytes = buffer(of_buffer, **view, of_view + "/buffer");
  if (!bytes) return bytes.error();
  const auto part = bytes->sub(view_offset, view_size);
  if (!part) return wrong(**view, of_view + "/byteLength", "the view exceeds its buffer", ErrorCode::out_of_range);
  if (stride < element_bytes) return wrong(**view, of_view + "/byteStride", "elements overlap");
  const std::uint64_t end = made.count == 0 ? 0 : *offset + (made.count - std::uint64_t{1}) * stride + element_bytes;
  if (end > part->size()) return wrong(accessor, own + "/count", "the elements exceed the view", ErrorCode::out_of_range);
  made.bytes = made.count == 0 ? View() : *part->sub(*offset, end - *offset);
  made.stride = stride;
  return made;
}

double GltfReader::component(const Elements& from, std::uint32_t element, unsigned component) {
  if (from.bytes.empty()) return 0;
  const std::size_t at = element * from.stride + std::size_t{component} * from.type.bytes;
  std::uint32_t bits = 0;
  for (unsigned byte = 0; byte < from.type.bytes; ++byte) bits |= std::uint32_t{*from.bytes.u8(at + byte)} << (8 * byte);
  if (from.type.is_float) return static_cast<double>(std::bit_cast<float>(bits));
  const unsigned width = 8 * from.type.bytes;
  const double most = std::ldexp(1.0, static_cast<int>(from.type.is_signed ? width - 1 : width)) - 1;
  double number = bits;
  if (from.type.is_signed && (bits >> (width - 1) & 1) != 0) number -= std::ldexp(1.0, static_cast<int>(width));
  return from.is_normalized ? std::max(number / most, -1.0) : number;  // src: 3.6.2.2
}

// src: 3.5.2
Result<Matrix4> GltfReader::matrix_of(const Value& node, const std::string& path) const {
  std::array<double, 16> all{};
  auto has = numbers(node, "matrix", all, path);
  if (!has) return has.error();
  Matrix4 made = kIdentity;
  if (*has) {
    for (std::size_t k = 0; k < 16; ++k) made[k % 4][k / 4] = all[k];
    return made;
  }
  std::array<double, 3> move{}, size{1, 1, 1};
  std::array<double, 4> turn{0, 0, 0, 1};
  if (has = numbers(node, "translation", move, path); !has) return has.error();
  if (has = numbers(node, "scale", size, path); !has) return has.error();
  if (has = numbers(node, "rotation", turn, path); !has) return has.error();
  const auto [x, y, z, w] = turn;
  const std::array<std::array<double, 3>, 3> rotation{{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                                                       {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                                                       {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}}};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) made[row][column] = rotation[row][column] * size[column];
    made[row][3] = move[row];
  }
  return made;
}

Result<void> GltfReader::add_node(const Value& index, const std::string& path, const Matrix4& parent, unsigned depth) {
  if (index.as_integer() == nullptr || index.as_integer()->negative) return wrong(index, path, "expected the number of a node");
  const std::uint64_t number = index.as_integer()->magnitude;
  const auto given = item("nodes", number, index, path);
  if (!given) return given.error();
  if (depth > kMostNodeDepth) return wrong(index, path, "nodes are nested too deeply", ErrorCode::limit);
  visited_.resize(std::max(visited_.size(), static_cast<std::size_t>(number) + 1));
  if (visited_[number]) return wrong(index, path, "a node must have one parent at most");
  visited_[number] = true;
  const Value& node = **given;
  const std::string own = indexed("nodes", number);
  const auto matrix = matrix_of(node, own);
  if (!matrix) return matrix.error();
  const Matrix4 to_world = product(parent, *matrix);
  if (node.find("mesh") != nullptr) {
    const auto mesh = whole(node, "mesh", std::nullopt, own);
    if (!mesh) return mesh.error();
    if (auto done = add_mesh(*mesh, node, own + "/mesh", to_world); !done) return done;
  }
  const Value* const children = node.find("children");
  for (std::size_t k = 0; children != nullptr && children->as_list() != nullptr && k < children->as_list()->size(); ++k)
    if (auto done = add_node((*children->as_list())[k], own + '/' + indexed("children", k), to_world, depth + 1); !done) return done;
  return {};
}

Result<void> GltfReader::add_mesh(std::uint64_t index, const Value& at, const std::string& path, const Matrix4& to_world) {
  const auto given = item("meshes", index, at, path);
  if (!given) return given.error();
  const std::string own = indexed("meshes", index);
  const Value* const primitives = (*given)->find("primitives");
  if (primitives == nullptr || primitives->as_list() == nullptr)
    return wrong(**given, own + "/primitives", "expected a list of primitives", ErrorCode::missing);
  for (std::size_t k = 0; k < primitives->as_list()->size(); ++k)
    if (auto done = add_primitive((*primitives->as_list())[k], own + '/' + indexed("primitives", k), to_world); !done) return done;
  return {};
}

Result<void> GltfReader::add_primitive(const Value& given, const std::string& path, const Matrix4& to_world) {
  const Value* const attributes = given.find("attributes");
  const Value* const position = attributes == nullptr ? nullptr : attributes->find("POSITION");
  if (position == nullptr) return wrong(given, path + "/attributes/POSITION", "a primitive must have positions", ErrorCode::missing);
  const auto positions = elements(*position, path + "/attributes/POSITION");
  if (!positions) return positions.error();
  const std::uint32_t first = made_.vertices;
  if (auto done = add_attributes(*attributes, path + "/attributes", positions->count); !done) return done;
  const auto turned = cofactors(to_world);
  const double determinant = to_world[0][0] * turned[0][0] + to_world[0][1] * turned[0][1] + to_world[0][2] * turned[0][2];
  // what was counter-clockwise still is, seen in a mirror from behind; a node that mirrors turns it once more. src: 3.7.4
  if (auto done = add_indices(given, path, positions->count, determinant >= 0); !done) return done;
  place(first, to_world);
  return {};
}

Result<void> GltfReader::add_attributes(const Value& given, const std::string& path, std::uint32_t count) {
  const std::size_t vertices = std::size_t{made_.vertices} + count;
  const auto fill_to = [&](GltfMesh::Attribute& attribute, float fill) -> bool {
    const std::size_t more = vertices * attribute.components - attribute.numbers.size();
    taken_ += more;
    if (taken_ > kMostGltfNumbers) return false;
    attribute.numbers.resize(vertices * attribute.components, fill);
    return true;
  };
  const Error too_many = wrong(given, path, "the file has more than 2^24 numbers", ErrorCode::limit);
  if (given.as_map() == nullptr) return wrong(given, path, "expected a map of attributes");
  for (const Value::Member& member : *given.as_map()) {
    const auto* const row = std::ranges::find_if(kAttributes, [&](const AttributeRow& one) {
      return one.is_numbered ? member.key.size() == one.name.size() + 1 && member.key.starts_with(one.name) : member.key == one.name;
    });
    if (row == std::end(kAttributes)) continue;
    const std::string own = path + '/' + member.key;
    const auto from = elements(member.value, own);
    if (!from) return from.error();
    if (from->count != count) return wrong(member.value, own, "expected " + std::to_string(count) + " elements, as the positions have");
    const char digit = row->is_numbered ? member.key.back() : '0';
    if (digit < '0' || digit > '7') continue;
    const std::string name = std::string(row->semantic) + (digit == '0' ? "" : std::string(1, digit));
    auto found = std::ranges::find(made_.attributes, name, &GltfMesh::Attribute::name);
    if (found == made_.attributes.end()) found = made_.attributes.insert(made_.attributes.end(), {name, row->components, {}});
    if (!fill_to(*found, row->fill)) return too_many;
    const auto first = found->numbers.begin() + static_cast<std::ptrdiff_t>(std::size_t{made_.vertices} * row->components);
    if (from->bytes.empty()) std::fill(first, found->numbers.end(), 0.0F);
    for (std::uint32_t vertex = 0; !from->bytes.empty() && vertex < count; ++vertex)
      for (unsigned k = 0; k < std::min(from->components, row->components); ++k)
        found->numbers[(std::size_t{made_.vertices} + vertex) * row->components + k] = computed(component(*from, vertex, k));
  }
  for (GltfMesh::Attribute& attribute : made_.attributes)
    if (!fill_to(attribute, attribute.name.starts_with("COLOR") ? 1.0F : 0.0F)) return too_many;
  made_.vertices = static_cast<std::uint32_t>(vertices);
  return {};
}

// Lists of triangles. `turns`: they change their side.
Result<void> GltfReader::add_indices(const Value& given, const std::string& path, std::uint32_t count, bool turns) {
  constexpr std::uint64_t kTriangles = 4, kStrip = 5, kFan = 6;
  const auto mode = whole(given, "mode", kTriangles, path);
  if (!mode) return mode.error();
  if (*mode < kTriangles || *mode > kFan)
    return wrong(*given.find("mode"), path + "/mode", "only triangles, triangle strips and triangle fans are supported",
                 ErrorCode::unsupported);
  std::vector<std::uint32_t> all;
  if (const Value* const index = given.find("indices")) {
    const auto from = elements(*index, path + "/indices");
    if (!from) return from.error();
    if (from->components != 1 || from->type.is_signed) return wrong(*index, path + "/indices", "indices must be unsigned whole numbers");
    taken_ += from->count;
    if (taken_ > kMostGltfNumbers) return wrong(*index, path + "/indices", "the file has more than 2^24 numbers", ErrorCode::limit);
    for (std::uint32_t k = 0; k < from->count; ++k) {
      const auto vertex = static_cast<std::uint32_t>(component(*from, k, 0));
      if (vertex >= count)
        return wrong(*index, path + '/' + indexed("indices", k), "vertex " + std::to_string(vertex) + " of " + std::to_string(count),
                     ErrorCode::out_of_range);
      all.push_back(vertex);
    }
  } else {
    for (std::uint32_t vertex = 0; vertex < count; ++vertex) all.push_back(vertex);
  }
  const std::uint32_t base = made_.vertices - count;
  const std::size_t step = *mode == kTriangles ? 3 : 1;
  for (std::size_t at = 0; at + 3 <= all.size(); at += step) {
    std::array<std::uint32_t, 3> corners{all[*mode == kFan ? 0 : at], all[at + 1], all[at + 2]};
    if (turns != (*mode == kStrip && at % 2 == 1)) std::swap(corners[1], corners[2]);
    for (const std::uint32_t corner : corners) made_.indices.push_back(base + corner);
  }
  return {};
}

// The vertices from `first` on in the world, whose z then points the other way.
void GltfReader::place(std::uint32_t first, const Matrix4& to_world) {
  const auto turned = cofactors(to_world);
  const double determinant = to_world[0][0] * turned[0][0] + to_world[0][1] * turned[0][1] + to_world[0][2] * turned[0][2];
  const double side = determinant < 0 ? -1 : 1;
  for (GltfMesh::Attribute& attribute : made_.attributes) {
    const bool is_position = attribute.name == "POSITION", is_normal = attribute.name == "NORMAL", is_tangent = attribute.name == "TANGENT";
    for (std::size_t vertex = first; (is_position || is_normal || is_tangent) && vertex < made_.vertices; ++vertex) {
      float* const at = attribute.numbers.data() + vertex * attribute.components;
      std::array<double, 3> sum{};
      for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t k = 0; k < 3; ++k) sum[row] += (is_normal ? side * turned[row][k] : to_world[row][k]) * static_cast<double>(at[k]);
        if (is_position) sum[row] += to_world[row][3];
      }
      const double length = std::sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
      const double scale = is_position || !(length > 0) ? 1 : 1 / length;
      for (std::size_t row = 0; row < 3; ++row) at[row] = computed(sum[row] * scale * (row == 2 ? -1 : 1));
      if (is_tangent) at[3] = computed(static_cast<double>(at[3]) * -side);
    }
  }
}

Result<GltfMesh> GltfReader::read() {
  if (auto done = open(); !done) return std::move(done).error();
  const Value* const scenes = root_.find("scenes");
  if (scenes != nullptr && scenes->as_list() != nullptr && !scenes->as_list()->empty()) {
    const auto number = whole(root_, "scene", 0, "");
    if (!number) return number.error();
    const auto scene = item("scenes", *number, root_, "scene");
    if (!scene) return scene.error();
    const Value* const nodes = (*scene)->find("nodes");
    for (std::size_t k = 0; nodes != nullptr && nodes->as_list() != nullptr && k < nodes->as_list()->size(); ++k)
      if (auto done = add_node((*nodes->as_list())[k], indexed("scenes", *number) + '/' + indexed("nodes", k), kIdentity, 0); !done)
        return std::move(done).error();
  } else {
    const Value* const meshes = root_.find("meshes");
    for (std::size_t k = 0; meshes != nullptr && meshes->as_list() != nullptr && k < meshes->as_list()->size(); ++k)
      if (auto done = add_mesh(k, *meshes, "meshes", kIdentity); !done) return std::move(done).error();
  }
  if (made_.indices.empty()) return wrong(root_, "meshes", "the file has no triangles", ErrorCode::missing);
  return std::move(made_);
}

}  // namespace

Result<GltfMesh> read_gltf(View file, const GltfFiles& files) { return GltfReader(file, files).read(); }

}  // namespace unshade::scene
