
#include <gtest/gtest.h>

#include <unshade/run/samplers.hpp>

namespace unshade::run {
namespace {

using texel::AddressMode;
using texel::Filter;

Value words(std::initializer_list<const char*> all) {
  Value made = Value::list();
  for (const char* one : all) made.push(Value::text(one));
  return made;
}

TEST(Samplers, TakeAWordForAllOrAListOfWords) {
  Value given = Value::map();
  given.add("filter", words({"point", "linear", "point"}));
  given.add("address", words({"wrap", "border"}));
  given.add("comparison", Value::text("greater"));
  given.add("reduction", Value::text("maximum"));
  given.add("lod_bias", Value::real(0.5F));
  const auto made = sampler_of(given);
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(made->min, Filter::point);
  EXPECT_EQ(made->mag, Filter::linear);
  EXPECT_EQ(made->mip, Filter::point);
  EXPECT_EQ(made->address, (std::array{AddressMode::wrap, AddressMode::border, AddressMode::clamp}));
  EXPECT_EQ(made->comparison, texel::Comparison::greater);
  EXPECT_EQ(made->blending, texel::Blending::maximum);
  EXPECT_EQ(made->lod_bias, 0.5F);
  EXPECT_FALSE(made->anisotropic);
  Value all = Value::map();
  all.add("filter", Value::text("anisotropic"));
  all.add("address", Value::text("mirror_once"));
  all.add("max_anisotropy", Value::integer(4));
  const auto other = sampler_of(all, *made);
  ASSERT_TRUE(other);
  EXPECT_TRUE(other->anisotropic);
  EXPECT_EQ(other->max_anisotropy, 4);
  EXPECT_EQ(other->address[2], AddressMode::mirror_once);
  EXPECT_EQ(other->lod_bias, 0.5F);
}

TEST(Samplers, OfRootSignaturesKeepWhatTheyState) {
  dxcontainer::StaticSampler given;
  given.filter = static_cast<dxcontainer::Filter>(0x91);  // compares; minifies linearly, magnifies to points, linear between levels
  given.address_u = dxcontainer::TextureAddressMode::mirror_once;
  given.comparison = dxcontainer::ComparisonFunction::greater_equal;
  given.border_color = dxcontainer::BorderColor::opaque_black;
  given.max_lod = 5;
  const texel::Sampler made = sampler_of(given);
  EXPECT_EQ(made.min, Filter::linear);
  EXPECT_EQ(made.mag, Filter::point);
  EXPECT_EQ(made.mip, Filter::linear);
  EXPECT_EQ(made.blending, texel::Blending::average);
  EXPECT_FALSE(made.anisotropic);
  EXPECT_EQ(made.address, (std::array{AddressMode::mirror_once, AddressMode::wrap, AddressMode::wrap}));
  EXPECT_EQ(made.comparison, texel::Comparison::greater_equal);
  EXPECT_EQ(made.border, (std::array<float, 4>{0, 0, 0, 1}));
  EXPECT_EQ(made.max_lod, 5);
  given.filter = static_cast<dxcontainer::Filter>(0x155);
  EXPECT_EQ(sampler_of(given).blending, texel::Blending::minimum);
  EXPECT_TRUE(sampler_of(given).anisotropic);
}

TEST(Samplers, NameWhatIsWrong) {
  const auto path_of = [](const char* field, Value value) {
    Value given = Value::map();
    given.add(field, std::move(value));
    const auto made = sampler_of(given);
    EXPECT_FALSE(made) << field;
    return made ? std::string() : made.error().path;
  };
  EXPECT_EQ(path_of("filter", Value::text("cubic")), "filter");
  EXPECT_EQ(path_of("filter", words({"linear", "linear", "linear", "linear"})), "filter");
  EXPECT_EQ(path_of("address", words({})), "address");
  EXPECT_EQ(path_of("border", words({"nan"})), "border");
  EXPECT_EQ(path_of("max_anisotropy", Value::integer(17)), "max_anisotropy");
  EXPECT_EQ(path_of("min_lod", Value::text("low")), "min_lod");
  EXPECT_EQ(path_of("size", Value::integer(1)), "size");
  EXPECT_FALSE(sampler_of(Value::list()));
  Value given = Value::map();
  given.add("filter", Value::text("linearr"));
  EXPECT_EQ(sampler_of(given).error().message, "expected point, linear or anisotropic, found `linearr`");
  given = Value::map();
  given.add("address", Value::text("repeat"));
  EXPECT_EQ(sampler_of(given).error().message, "expected one of wrap, mirror, clamp, border, mirror_once, found `repeat`");
}

}  // namespace
}  // namespace unshade::run
