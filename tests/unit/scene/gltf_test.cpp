// glTF files: what becomes of their nodes, accessors and primitives, and files that are damaged.
#include "scene/gltf.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/document_text/document_text.hpp>

namespace unshade::scene {
namespace {

/// Three positions of floats, three normals, three texture coordinates of UNORM of 16 bits, then indices of 8 bits.
std::vector<std::byte> buffer_of() {
  constexpr std::array<float, 18> kReals{1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 1, 0, 0, 1, 0, 0, 1};
  constexpr std::array<std::uint16_t, 6> kWhole{0, 65535, 65535, 0, 13107, 52428};
  std::vector<std::byte> made(sizeof(kReals) + sizeof(kWhole) + 4);
  std::memcpy(made.data(), kReals.data(), sizeof(kReals));
  std::memcpy(made.data() + sizeof(kReals), kWhole.data(), sizeof(kWhole));
  for (unsigned k = 0; k < 3; ++k) made[sizeof(kReals) + sizeof(kWhole) + k] = static_cast<std::byte>(2 - k);
  return made;
}
constexpr std::string_view kAccessors =
    R"("bufferViews": [{"buffer": 0, "byteLength": 72}, {"buffer": 0, "byteOffset": 72, "byteLength": 12}, {"buffer": 0, "byteOffset": 84, "byteLength": 3}],
"accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3},
 {"bufferView": 0, "byteOffset": 36, "componentType": 5126, "type": "VEC3", "count": 3},
 {"bufferView": 1, "componentType": 5123, "normalized": true, "type": "VEC2", "count": 3},
 {"bufferView": 2, "componentType": 5121, "type": "SCALAR", "count": 3}])";
constexpr std::string_view kMesh =
    R"("meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2}, "indices": 3}]}])";

/// A file of these members of its map, whose buffer is the file `a b.bin`.
std::string gltf(std::string_view members) {
  return R"({"asset": {"version": "2.0"}, "buffers": [{"uri": "a%20b.bin", "byteLength": 87}], )" + std::string(members) + "}";
}
std::string whole(std::string_view members = {}) {
  return gltf(std::string(kAccessors) + ", " + std::string(kMesh) + (members.empty() ? "" : ", ") + std::string(members));
}

Result<GltfMesh> read(std::span<const std::byte> file) {
  GltfFiles files;
  files.read_document = document_text::read_by_name;
  files.read_file = [](void*, std::string_view path) -> Result<std::vector<std::byte>> {
    if (path != "a b.bin") return Error{ErrorCode::missing, 0, "", "the file cannot be read"};
    return buffer_of();
  };
  return read_gltf(View(file), files);
}
Result<GltfMesh> read(std::string_view text) { return read(std::as_bytes(std::span(text))); }
std::string fault_of(std::string_view text) {
  const auto made = read(text);
  return made ? "none" : made.error().path + ": " + made.error().message;
}
const std::vector<float>& numbers(const GltfMesh& mesh, std::string_view name) {
  for (const auto& one : mesh.attributes)
    if (one.name == name) return one.numbers;
  static const std::vector<float> kNone;
  return kNone;
}
using Reals = std::vector<float>;
using Indices = std::vector<std::uint32_t>;

TEST(Gltf, TurnsZAndWindingAround) {
  const auto mesh = read(whole());
  ASSERT_TRUE(mesh) << to_string(mesh.error());
  EXPECT_EQ(mesh->vertices, 3U);
  EXPECT_EQ(numbers(*mesh, "POSITION"), (Reals{1, 2, -3, 4, 5, -6, 7, 8, -9}));
  EXPECT_EQ(numbers(*mesh, "NORMAL"), (Reals{0, 0, -1, 0, 0, -1, 0, 0, -1}));
  EXPECT_EQ(numbers(*mesh, "TEXCOORD"), (Reals{0, 1, 1, 0, 0.2F, 0.8F}));
  EXPECT_EQ(mesh->indices, (Indices{2, 0, 1}));
}

// the second node is in the first, and mirrors x: its triangles turn around once more
TEST(Gltf, PlacesMeshesByNodes) {
  const auto mesh = read(whole(R"("scenes": [{"nodes": [0]}],
"nodes": [{"mesh": 0, "translation": [10, 0, 0], "rotation": [0, 0, 0.7071067811865476, 0.7071067811865476], "children": [1]}, {"mesh": 0, "scale": [-2, 1, 1]}])"));
  ASSERT_TRUE(mesh) << to_string(mesh.error());
  const Reals& at = numbers(*mesh, "POSITION");
  ASSERT_EQ(at.size(), 18U);
  const Reals expected{8, 1, -3, 5, 4, -6, 2, 7, -9, 8, -2, -3, 5, -8, -6, 2, -14, -9};
  for (std::size_t k = 0; k < at.size(); ++k) EXPECT_NEAR(at[k], expected[k], 1e-5) << k;
  EXPECT_EQ(numbers(*mesh, "NORMAL")[17], -1.0F);
  EXPECT_EQ(mesh->indices, (Indices{2, 0, 1, 5, 4, 3}));
  const auto matrix = read(whole(R"("scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 5,6,7,1]}])"));
  ASSERT_TRUE(matrix);
  EXPECT_EQ(numbers(*matrix, "POSITION")[2], -10.0F);
}

TEST(Gltf, MakesListsOfStripsAndFans) {
  const auto indices_of = [](std::string_view mode) {
    const std::string text = gltf(
        R"("accessors": [{"componentType": 5126, "type": "VEC3", "count": 5}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "mode": )" +
        std::string(mode) + "}]}]");
    const auto mesh = read(text);
    EXPECT_TRUE(mesh) << to_string(mesh.error());
    return mesh ? mesh->indices : Indices{};
  };
  EXPECT_EQ(indices_of("4"), (Indices{0, 2, 1}));
  EXPECT_EQ(indices_of("5"), (Indices{0, 2, 1, 1, 2, 3, 2, 4, 3}));
  EXPECT_EQ(indices_of("6"), (Indices{0, 2, 1, 0, 3, 2, 0, 4, 3}));
}

// Of NaNs of any sign and payload, signalling ones among them.
TEST(Gltf, ComputesTheCanonicalNan) {
  const auto mesh = read(R"({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,)"
                         "RSPB/wEAgH8AAID/AACAfwEAgP//////AACAPwEAwP8AAAAA\"}]"
                         R"(, "bufferViews": [{"buffer": 0, "byteLength": 36}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "COLOR_0": 0}}]}]})");
  ASSERT_TRUE(mesh) << to_string(mesh.error());
  for (const std::string_view name : {"POSITION", "COLOR"}) {
    unsigned found = 0;
    for (const float number : numbers(*mesh, name)) {
      if (!std::isnan(number)) continue;
      ++found;
      EXPECT_EQ(std::bit_cast<std::uint32_t>(number), 0x7fc0'0000U) << name;
    }
    EXPECT_GE(found, 5U) << name;
  }
}

// what one primitive has, others have too
TEST(Gltf, FillsWhatIsMissing) {
  const std::string text = gltf(std::string(kAccessors) + R"(, "meshes": [{"primitives": [{"attributes": {"POSITION": 0}},
 {"attributes": {"POSITION": 0, "COLOR_0": 1, "TEXCOORD_1": 2, "_OWN": 9}}]}])");
  const auto mesh = read(text);
  ASSERT_TRUE(mesh) << to_string(mesh.error());
  EXPECT_EQ(numbers(*mesh, "COLOR"), (Reals{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1}));
  EXPECT_EQ(numbers(*mesh, "TEXCOORD1"), (Reals{0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0.2F, 0.8F}));
}

TEST(Gltf, HasBuffersInItself) {
  // the same as base64, and as a chunk
  constexpr std::string_view kTail =
      R"(, "bufferViews": [{"buffer": 0, "byteLength": 36}], "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]})";
  const auto mesh = read(R"({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,)"
                         "AACAPwAAAEAAAEBAAACAQAAAoEAAAMBAAADgQAAAAEEAABBB\"}]" +
                         std::string(kTail));
  ASSERT_TRUE(mesh) << to_string(mesh.error());
  EXPECT_EQ(numbers(*mesh, "POSITION"), (Reals{1, 2, -3, 4, 5, -6, 7, 8, -9}));

  std::string json = R"({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 36}])" + std::string(kTail);
  json.resize((json.size() + 3) / 4 * 4, ' ');
  std::vector<std::byte> file;
  const auto put = [&](std::uint32_t value) {
    for (unsigned k = 0; k < 4; ++k) file.push_back(static_cast<std::byte>(value >> (8 * k) & 0xff));
  };
  put(0x46546c67);
  put(2);
  put(static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + 36));
  put(static_cast<std::uint32_t>(json.size()));
  put(0x4e4f534a);
  for (const char c : json) file.push_back(static_cast<std::byte>(c));
  put(36);
  put(0x004e4942);
  const auto bytes = buffer_of();
  file.insert(file.end(), bytes.begin(), bytes.begin() + 36);
  const auto binary = read(file);
  ASSERT_TRUE(binary) << to_string(binary.error());
  EXPECT_EQ(numbers(*binary, "POSITION"), numbers(*mesh, "POSITION"));
  for (std::size_t size = 0; size < file.size(); ++size) {
    const auto cut = read(std::span(file).first(size));
    ASSERT_FALSE(cut) << size;
    EXPECT_LE(cut.error().offset, size);
  }
  file[4] = std::byte{1};
  EXPECT_EQ(read(file).error().code, ErrorCode::unsupported);
}

TEST(Gltf, TellsWhatIsWrong) {
  const auto with = [](std::string_view from, std::string_view to) {
    std::string text = whole();
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return fault_of(text.replace(at, from.size(), to));
  };
  EXPECT_EQ(fault_of("[]"), ": not a glTF file");
  EXPECT_EQ(fault_of(""), ": not a glTF file");
  EXPECT_EQ(fault_of("{}"), "asset/version: expected a text of version 2");
  EXPECT_EQ(with("a%20b", "nothing"), "buffers[0]/uri: the file cannot be read");
  EXPECT_EQ(with("\"byteLength\": 87", "\"byteLength\": 89"), "buffers[0]/byteLength: the buffer has 88 bytes, expected 89");
  EXPECT_EQ(with("\"byteLength\": 72", "\"byteLength\": 90"), "bufferViews[0]/byteLength: the view exceeds its buffer");
  EXPECT_EQ(with("\"byteLength\": 72", "\"byteLength\": 71"), "accessors[1]/count: the elements exceed the view");
  EXPECT_EQ(with("\"byteLength\": 72", "\"byteLength\": 72, \"byteStride\": 8"), "bufferViews[0]/byteStride: elements overlap");
  EXPECT_EQ(with("\"buffer\": 0", "\"buffer\": 7"), "bufferViews[0]/buffer: there is no buffers[7]");
  EXPECT_EQ(with("5126", "5124"), "accessors[0]/componentType: unknown type 5124");
  EXPECT_EQ(with("VEC3", "MAT3"), "accessors[0]/type: expected one of SCALAR, VEC2, VEC3, VEC4");
  EXPECT_EQ(with("\"count\": 3", "\"count\": 4000000000"), "accessors[0]/count: the file has more than 2^24 numbers");
  EXPECT_EQ(with("\"count\": 3", "\"count\": -3"), "accessors[0]/count: expected a whole number of 32 bits");
  EXPECT_EQ(with("\"count\": 3", "\"count\": 2"), "meshes[0]/primitives[0]/attributes/NORMAL: expected 2 elements, as the positions have");
  EXPECT_EQ(with("\"POSITION\": 0", "\"POSITION\": 9"), "meshes[0]/primitives[0]/attributes/POSITION: there is no accessors[9]");
  EXPECT_EQ(with("\"POSITION\": 0, ", ""), "meshes[0]/primitives[0]/attributes/POSITION: a primitive must have positions");
  EXPECT_EQ(with("\"indices\": 3", "\"indices\": 0"), "meshes[0]/primitives[0]/indices: indices must be unsigned whole numbers");
  EXPECT_EQ(with("\"indices\": 3", "\"mode\": 1"),
            "meshes[0]/primitives[0]/mode: only triangles, triangle strips and triangle fans are supported");
  EXPECT_EQ(with("\"componentType\": 5121", "\"sparse\": {}, \"componentType\": 5121"),
            "accessors[3]/sparse: sparse accessors are not supported");
  EXPECT_EQ(with("\"asset\"", "\"extensionsRequired\": [\"A\"], \"asset\""), "extensionsRequired: required extensions are not supported");
  EXPECT_EQ(fault_of(gltf("\"meshes\": []")), "meshes: the file has no triangles");
  EXPECT_EQ(fault_of(whole(R"("scenes": [{"nodes": [0]}], "nodes": [{"children": [1]}, {"children": [0]}])")),
            "nodes[1]/children[0]: a node must have one parent at most");
  EXPECT_EQ(fault_of(whole(R"("scenes": [{"nodes": [0]}], "nodes": [{"scale": [1, 2]}])")), "nodes[0]/scale: expected a list of 3 numbers");
  EXPECT_EQ(fault_of(whole(R"("scene": 2, "scenes": [{}])")), "scene: there is no scenes[2]");
  // an index that is beyond the vertices
  EXPECT_EQ(with("\"byteOffset\": 84", "\"byteOffset\": 82"), "meshes[0]/primitives[0]/indices[0]: vertex 204 of 3");
}

// a few bytes that ask for much
TEST(Gltf, IsBounded) {
  EXPECT_EQ(
      fault_of(gltf(
          R"("accessors": [{"componentType": 5126, "type": "VEC3", "count": 4100000}, {"componentType": 5126, "type": "VEC4", "count": 4100000}],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0, "COLOR_0": 1}}]}])")),
      "meshes[0]/primitives[0]/attributes: the file has more than 2^24 numbers");
  std::string chain = R"({"children": [1]})";
  for (unsigned k = 2; k < 100; ++k) chain += R"(, {"children": [)" + std::to_string(k) + "]}";
  EXPECT_EQ(fault_of(whole(R"("scenes": [{"nodes": [0]}], "nodes": [)" + chain + "]")),
            "nodes[64]/children[0]: nodes are nested too deeply");
}

}  // namespace
}  // namespace unshade::scene
