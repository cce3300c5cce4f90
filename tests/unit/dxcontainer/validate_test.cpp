#include <unshade/dxcontainer/validate.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include <unshade/dxcontainer/root_signature.hpp>

#include "unit/support/dxbc_builder.hpp"

namespace unshade::dxcontainer {
namespace {

using test::BuiltPart;
using test::Bytes;
using test::element;

std::vector<Diagnostic> findings_of(const Bytes& bytes) {
  Findings findings(bytes.size());
  check_container(View(bytes), findings);
  return findings.take();
}

std::set<std::string> ids(const std::vector<Diagnostic>& findings) {
  std::set<std::string> found;
  for (const Diagnostic& d : findings) found.emplace(d.rule->id);
  return found;
}

/// Two parts that are as they should be.
std::vector<BuiltPart> good_parts() {
  return {{fourcc("ISGN"), test::signature(fourcc("ISGN"), {element("POSITION", 0), element("TEXCOORD", 1, 0x3, 0x1)})},
          {fourcc("OSGN"), test::signature(fourcc("OSGN"), {element("SV_Position", 0, 0xf, 0, SystemValue::position)})},
          {fourcc("SFI0"), Bytes(8)}};
}
Bytes good() { return test::build_container(good_parts()); }

Bytes with_input(std::vector<SignatureElement> elements) {
  auto parts = good_parts();
  parts[0].data = test::signature(fourcc("ISGN"), std::move(elements));
  return test::build_container(parts);
}
Bytes with(std::uint32_t fourcc, Bytes data) {
  auto parts = good_parts();
  parts.push_back({fourcc, std::move(data)});
  return test::build_container(parts);
}
Bytes changed(std::size_t at, std::uint32_t value) {
  Bytes bytes = good();
  test::set32(bytes, at, value);
  test::sign(bytes);
  return bytes;
}

/// A root signature of a constant buffer, a table and a static sampler, changed.
template <class F>
Bytes with_root(F&& change) {
  RootSignature root;
  root.version = RootSignatureVersion::v1_1;
  root.parameters.items.resize(2);
  root.parameters[0].type = RootParameterType::cbv;
  root.parameters[1].ranges.items.resize(2);
  root.parameters[1].ranges[0] = {DescriptorRangeType::srv, 4, 0, 0, 0, 0};
  root.parameters[1].ranges[1] = {DescriptorRangeType::uav, 2, 0, 0, 0, 0xffff'ffff};
  root.static_samplers.items.resize(1);
  root.static_samplers[0].max_lod = 1;
  change(root);
  return with(fourcc("RTS0"), write_root_signature(root));
}

struct Case {
  std::string_view id;
  Bytes bytes;
};

void add_root_cases(std::vector<Case>& all) {
  const auto add = [&](std::string_view id, auto&& change) { all.push_back({id, with_root(change)}); };
  using R = RootSignature;
  add("rts0.cost", [](R& r) {
    r.parameters[0].type = RootParameterType::constants;
    r.parameters[0].constant_count = 64;
  });
  add("rts0.denied", [](R& r) {
    r.flags = 0x20;
    r.parameters[0].visibility = ShaderVisibility::pixel;
  });
  add("rts0.flags", [](R& r) { r.flags = 0x1000; });
  add("rts0.flags", [](R& r) { r.flags = 0x81; });
  add("rts0.flags", [](R& r) { r.parameters[0].flags = 0x1; });
  add("rts0.flags", [](R& r) { r.parameters[1].ranges[0].flags = 0xc; });
  add("rts0.flags", [](R& r) { r.parameters[1].ranges[0].flags = 0x9; });
  add("rts0.overlap", [](R& r) { r.parameters[1].ranges[1].type = DescriptorRangeType::srv; });
  add("rts0.overlap", [](R& r) { r.static_samplers.items.push_back(r.static_samplers[0]); });
  add("rts0.range", [](R& r) { r.parameters[1].ranges[0].count = 0; });
  add("rts0.range", [](R& r) { r.parameters[1].ranges[0].count = 0xffff'ffff; });
  add("rts0.range", [](R& r) { r.parameters[1].ranges[0].base_register = 0xffff'fffe; });
  add("rts0.reserved-space", [](R& r) { r.parameters[0].space = 0xffff'fff0; });
  add("rts0.sampler-mix", [](R& r) {
    r.parameters[1].ranges[1].type = DescriptorRangeType::sampler;
    r.parameters[1].ranges[1].base_register = 9;
  });
  add("rts0.static-sampler", [](R& r) { r.static_samplers[0].max_anisotropy = 17; });
  add("rts0.static-sampler", [](R& r) { r.static_samplers[0].mip_lod_bias = 16; });
  add("rts0.static-sampler", [](R& r) { r.static_samplers[0].filter = static_cast<Filter>(0x41); });
  add("rts0.static-sampler", [](R& r) { r.static_samplers[0].address_u = static_cast<TextureAddressMode>(6); });
  add("rts0.value", [](R& r) { r.parameters[0].visibility = static_cast<ShaderVisibility>(8); });
  add("rts0.value", [](R& r) { r.parameters[1].ranges[0].type = static_cast<DescriptorRangeType>(4); });
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](std::string_view id, Bytes bytes) { all.push_back({id, std::move(bytes)}); };
  const auto digest = [](auto fill) {
    Bytes bytes = good();
    fill(bytes);
    return bytes;
  };
  add("container.digest-bypass", digest([](Bytes& b) { std::fill_n(b.begin() + 4, 16, std::byte{2}); }));
  add("container.digest-debug", digest([](Bytes& b) {
        const auto value = compute_digest(View(b), DigestVariant::debug);
        std::copy(value.begin(), value.end(), b.begin() + 4);
      }));
  add("container.digest-missing", digest([](Bytes& b) { std::fill_n(b.begin() + 4, 16, std::byte{0}); }));
  add("container.digest-wrong", digest([](Bytes& b) { b[4] ^= std::byte{1}; }));
  add("container.header", digest([](Bytes& b) { b.resize(31); }));
  add("container.no-parts", test::build_container({}));
  add("container.part-bounds", changed(kHeaderBytes, 8));
  {
    auto parts = good_parts();
    parts.push_back(parts[0]);
    add("container.part-duplicate", test::build_container(parts));
  }
  {
    // The last part made smaller: what it loses belongs to nothing.
    Bytes bytes = with(fourcc("PRIV"), Bytes(8));
    test::set32(bytes, bytes.size() - 12, 4);
    test::sign(bytes);
    add("container.part-gap", bytes);
  }
  {
    Bytes bytes = good();
    const View view(bytes);
    const auto first = *view.u32(kHeaderBytes);
    const auto second = *view.u32(kHeaderBytes + 4);
    test::set32(bytes, kHeaderBytes, second);
    test::set32(bytes, kHeaderBytes + 4, first);
    test::sign(bytes);
    add("container.part-order", bytes);
  }
  {
    // The first part reaches into the second.
    Bytes bytes = test::build_container({{fourcc("VERS"), Bytes(8)}, {fourcc("PRIV"), Bytes(8)}});
    const auto second = *View(bytes).u32(kHeaderBytes + 4);
    test::set32(bytes, kHeaderBytes + 4, second - 4);
    test::set32(bytes, second - 4, fourcc("PRIV"));
    test::set32(bytes, second, 12);
    test::sign(bytes);
    add("container.part-overlap", bytes);
  }
  add("container.part-rival", with(fourcc("ISG1"), test::signature(fourcc("ISG1"), {element("POSITION", 0)})));
  add("container.part-unaligned", [] {
    auto parts = good_parts();
    parts.insert(parts.begin(), BuiltPart{fourcc("VERS"), Bytes(3)});
    return test::build_container(parts);
  }());
  add("container.part-unknown", with(fourcc("ABCD"), Bytes(4)));
  add("container.part-unreadable", with(fourcc("PCSG"), Bytes(4)));
  add("container.private-not-last", [] {
    auto parts = good_parts();
    parts.insert(parts.begin(), BuiltPart{fourcc("PRIV"), Bytes(4)});
    return test::build_container(parts);
  }());
  add("container.size", changed(24, 16));
  add("container.trailing-bytes", digest([](Bytes& b) { b.push_back(std::byte{0}); }));
  add("container.version", changed(20, 2));
  {
    std::vector<SignatureElement> many;
    for (std::uint32_t i = 0; i < 40; ++i) {
      many.push_back(element("POSITION", kNoRegister, 0xf, 0xf, SystemValue::undefined, i));
      many.back().mask = 0x1f;
    }
    add("findings.more", with_input(many));
  }
  add("sfi0.size", [] {
    auto parts = good_parts();
    parts[2].data.resize(12);
    return test::build_container(parts);
  }());
  add("sfi0.unknown-bits", [] {
    auto parts = good_parts();
    parts[2].data[7] = std::byte{0x80};
    return test::build_container(parts);
  }());
  add("signature.component-type", with_input({[] {
        auto e = element("POSITION", 0);
        e.component_type = ComponentType::unknown;
        return e;
      }()}));
  add("signature.duplicate", with_input({element("position", 0), element("POSITION", 1)}));
  add("signature.mask", with_input({element("POSITION", 0, 0, 0)}));
  add("signature.mask-overlap", with_input({element("A", 0, 0x7, 0), element("B", 0, 0xc, 0)}));
  add("signature.min-precision", [] {
    auto e = element("POSITION", 0);
    e.min_precision = static_cast<MinPrecision>(77);
    return test::build_container({{fourcc("ISG1"), test::signature(fourcc("ISG1"), {e})}});
  }());
  add("signature.register", with_input({element("POSITION", 32)}));
  add("signature.semantic-empty", with_input({element("A", 0), element("", 1)}));
  add("signature.stream", [] {
    auto e = element("POSITION", 0);
    e.stream = 4;
    return test::build_container({{fourcc("OSG5"), test::signature(fourcc("OSG5"), {e})}});
  }());
  add("signature.system-value", with_input({element("POSITION", 0, 0xf, 0xf, static_cast<SystemValue>(99))}));
  add("signature.system-value-name", with_input({element("POSITION", 0, 0xf, 0xf, SystemValue::position)}));
  add("signature.used-mask", with_input({element("POSITION", 0, 0x3, 0x7)}));
  add_root_cases(all);
  return all;
}

TEST(ContainerValidationTest, AGoodContainerHasNoFindings) {
  for (const Diagnostic& d : findings_of(good())) ADD_FAILURE() << to_string(d);
}

// Validators before 1.5 had no type for booleans, so that dxc writes none with them.
TEST(ContainerValidationTest, SignaturesOfDxilMayLeaveTypesOpen) {
  SignatureElement face = element("SV_IsFrontFace", 0, 0x1, 0x1, SystemValue::is_front_face);
  face.component_type = ComponentType::unknown;
  auto parts = good_parts();
  parts[0] = {fourcc("ISG1"), test::signature(fourcc("ISG1"), {face})};
  EXPECT_EQ(ids(findings_of(test::build_container(parts))), std::set<std::string>{"signature.component-type"});
  parts.push_back({fourcc("DXIL"), Bytes(24)});
  EXPECT_EQ(ids(findings_of(test::build_container(parts))), std::set<std::string>{});
}

TEST(ContainerValidationTest, AGoodRootSignatureHasNoFindings) {
  for (const Diagnostic& d : findings_of(with_root([](RootSignature&) {}))) ADD_FAILURE() << to_string(d);
  // What different stages see may share registers.
  const auto apart = with_root([](RootSignature& r) {
    r.parameters[1].ranges[1].type = DescriptorRangeType::srv;
    r.parameters[1].visibility = ShaderVisibility::pixel;
    r.parameters.items.push_back(r.parameters[1]);
    r.parameters[1].ranges.items.pop_back();
    r.parameters[2].ranges.items.pop_back();
    r.parameters[2].visibility = ShaderVisibility::vertex;
  });
  for (const Diagnostic& d : findings_of(apart)) ADD_FAILURE() << to_string(d);
}

TEST(ContainerValidationTest, EachRuleIsBrokenAlone) {
  for (const Case& c : cases()) {
    std::set<std::string> expected{std::string(c.id)};
    // What only shows beside the breach of another rule.
    if (c.id == "findings.more") expected.insert("signature.mask");
    EXPECT_EQ(ids(findings_of(c.bytes)), expected) << c.id;
  }
}

TEST(ContainerValidationTest, EveryRuleHasACase) {
  std::set<std::string> covered;
  for (const Case& c : cases()) covered.emplace(c.id);
  for (const Rule* rule : validation_rules()) EXPECT_TRUE(covered.contains(std::string(rule->id))) << rule->id;
}

TEST(ContainerValidationTest, RulesStandInTheOrderOfTheirIds) {
  const auto rules = validation_rules();
  for (std::size_t i = 1; i < rules.size(); ++i) EXPECT_LT(rules[i - 1]->id, rules[i]->id);
}

TEST(ContainerValidationTest, FindingsAreLocated) {
  const auto bytes = with_input({element("A", 0, 0x7, 0), element("B", 0, 0xc, 0)});
  const auto findings = findings_of(bytes);
  ASSERT_EQ(findings.size(), 1U);
  // Header, three index entries, the part's header and head, one element before it.
  EXPECT_EQ(findings[0].offset, 32U + 12 + 8 + 8 + 24);
  EXPECT_EQ(findings[0].path, "ISGN/elements[1]");
}

TEST(ContainerValidationTest, FindingsOfRootSignaturesStandAtTheirFields) {
  // Behind header, four index entries and three parts: the record, two parameters of 12 bytes, what they lead to.
  const auto place = [](auto&& change) {
    const Bytes bytes = with_root(change);
    const auto container = parse_container(View(bytes));
    const auto findings = findings_of(bytes);
    EXPECT_EQ(findings.size(), 1U);
    return findings.empty() ? 0 : findings[0].offset - container->find(fourcc("RTS0"))->data.file_offset();
  };
  EXPECT_EQ(place([](RootSignature& r) { r.flags = 0x1000; }), 20U);
  EXPECT_EQ(place([](RootSignature& r) { r.parameters[0].visibility = static_cast<ShaderVisibility>(8); }), 24U + 4);
  EXPECT_EQ(place([](RootSignature& r) { r.parameters[0].space = 0xffff'fff0; }), 24U + 2 * 12 + 4);
  EXPECT_EQ(place([](RootSignature& r) { r.parameters[1].ranges[1].type = DescriptorRangeType::srv; }), 24U + 2 * 12 + 12 + 8 + 24);
  EXPECT_EQ(place([](RootSignature& r) { r.parameters[1].ranges[0].count = 0; }), 24U + 2 * 12 + 12 + 8 + 4);
  EXPECT_EQ(place([](RootSignature& r) { r.static_samplers[0].max_anisotropy = 17; }), 24U + 2 * 12 + 12 + 8 + 2 * 24 + 20);
}

TEST(ContainerValidationTest, PartialReadsNeverFail) {
  const Bytes whole = good();
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(findings_of(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))).empty()) << size;
}

}  // namespace
}  // namespace unshade::dxcontainer
