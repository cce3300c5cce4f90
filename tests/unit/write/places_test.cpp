// Where resources are bound, by each model.
#include "write/places.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/write/translate.hpp>

namespace unshade::write {
namespace {

using dxcontainer::ResourceDimension;
using dxcontainer::ResourceKind;

/// Resources of a stage.
struct Bound {
  ir::Module module;
  Binding binding;

  explicit Bound(Stage stage, std::string_view model = "nvrhi") : binding(*binding_model(model)) { module.stage = stage; }
  Bound& add(ResourceKind kind, std::uint32_t first, std::uint32_t space = 0, ResourceDimension dimension = ResourceDimension::texture2d,
             std::uint32_t count = 1) {
    ir::Resource made;
    made.kind = kind;
    made.dimension = kind == ResourceKind::cbuffer || kind == ResourceKind::sampler ? ResourceDimension::unknown : dimension;
    made.space = space;
    made.first_register = first;
    made.count = count;
    module.resources.push_back(made);
    return *this;
  }
  Bound& in_heap(ResourceKind kind) {
    add(kind, 0, 0, ResourceDimension::texture2d, 0);
    module.resources.back().heap = true;
    return *this;
  }
  /// `set.binding` of each, by commas.
  std::string places() const {
    const Places all(module, binding);
    std::string made;
    for (std::uint32_t at = 0; at < module.resources.size(); ++at) {
      const Place place = all.of(at);
      made += (made.empty() ? "" : ", ") + std::to_string(place.set) + '.' + std::to_string(place.binding);
    }
    return made;
  }
  /// Why they cannot be bound; empty: they can.
  std::string refused() const {
    Places all(module, binding);
    for (std::uint32_t at = 0; at < module.resources.size(); ++at)
      if (const auto error = all.take(at, std::string(1, static_cast<char>('a' + at)))) return error->message;
    return {};
  }
};

Bound of_each_kind(Stage stage, std::string_view model) {
  return Bound(stage, model).add(ResourceKind::texture, 2).add(ResourceKind::sampler, 2).add(ResourceKind::cbuffer, 1);
}

TEST(BindingModel, RegistersAreShiftedByKind) {
  auto made = of_each_kind(Stage::compute, "nvrhi").add(ResourceKind::uav_typed, 3, 5);
  EXPECT_EQ(made.places(), "0.2, 0.130, 0.257, 5.387");
  made.binding = *parse_shifts("t=10,u=20", *binding_model("dxc"));
  EXPECT_EQ(made.places(), "0.12, 0.2, 0.1, 5.23");
}

TEST(BindingModel, SdlGpuHasSetsByStageAndKind) {
  EXPECT_EQ(of_each_kind(Stage::vertex, "sdl-gpu").places(), "0.2, 0.2, 1.1");
  EXPECT_EQ(of_each_kind(Stage::pixel, "sdl-gpu").places(), "2.2, 2.2, 3.1");
  auto compute = of_each_kind(Stage::compute, "sdl-gpu");
  compute.add(ResourceKind::uav_structured, 0, 1, ResourceDimension::buffer);
  EXPECT_EQ(compute.places(), "0.2, 0.2, 2.1, 1.0");
  EXPECT_EQ(compute.refused(), "");
  // spaces of shaders that were written for it say the same
  EXPECT_EQ(Bound(Stage::pixel, "sdl-gpu").add(ResourceKind::texture, 0, 2).add(ResourceKind::cbuffer, 0, 3).places(), "2.0, 3.0");
}

TEST(BindingModel, SdlGpuRefusesWhatItLacks) {
  const auto refused = [](Stage stage, ResourceKind kind, ResourceDimension dimension, std::uint32_t count = 1) {
    return Bound(stage, "sdl-gpu").add(kind, 0, 0, dimension, count).refused();
  };
  EXPECT_EQ(refused(Stage::geometry, ResourceKind::cbuffer, ResourceDimension::unknown),
            "resources of geometry shaders, which SDL_GPU does not have");
  EXPECT_EQ(refused(Stage::vertex, ResourceKind::texture, ResourceDimension::buffer), "typed buffers, which SDL_GPU does not have");
  EXPECT_EQ(refused(Stage::compute, ResourceKind::uav_typed, ResourceDimension::buffer), "typed buffers, which SDL_GPU does not have");
  EXPECT_EQ(refused(Stage::pixel, ResourceKind::texture, ResourceDimension::texture2d, 4),
            "arrays of resources, which SDL_GPU does not have");
  EXPECT_EQ(refused(Stage::pixel, ResourceKind::uav_typed, ResourceDimension::texture2d),
            "resources that pixel shaders write to, which SDL_GPU does not have");
  EXPECT_EQ(Bound(Stage::pixel, "sdl-gpu").in_heap(ResourceKind::texture).refused(),
            "resources of a descriptor heap, which SDL_GPU does not have");
}

// observed: vkd3d-compiler 1.2
TEST(BindingModel, Vkd3dCountsDeclarationsWithTheirCounters) {
  auto made = Bound(Stage::compute, "vkd3d")
                  .add(ResourceKind::cbuffer, 4)
                  .add(ResourceKind::uav_structured_with_counter, 1, 2, ResourceDimension::buffer)
                  .add(ResourceKind::uav_structured, 0, 0, ResourceDimension::buffer);
  EXPECT_EQ(made.places(), "0.0, 0.1, 0.3");
  EXPECT_EQ(Places(made.module, made.binding).of_counter(1), (Place{0, 2}));
}

TEST(BindingModel, CountersAreBehindTheResourcesOfTheirSet) {
  auto made = Bound(Stage::compute)
                  .add(ResourceKind::uav_append, 1, 2, ResourceDimension::buffer)
                  .add(ResourceKind::uav_consume, 5, 2, ResourceDimension::buffer);
  Places places(made.module, made.binding);
  EXPECT_EQ(places.of_counter(1), (Place{2, 390}));
  EXPECT_EQ(places.of_counter(0), (Place{2, 391}));
  EXPECT_EQ(places.of_counter(1), (Place{2, 390}));
}

TEST(BindingModel, StagesHaveSetsOfTheirOwn) {
  auto made = Bound(Stage::pixel).add(ResourceKind::cbuffer, 1).add(ResourceKind::texture, 0, 3).in_heap(ResourceKind::texture);
  made.binding.first_set = 4;
  EXPECT_EQ(made.places(), "4.257, 7.0, 8.0");
  auto numbered = Bound(Stage::pixel, "vkd3d").add(ResourceKind::uav_structured_with_counter, 1, 2, ResourceDimension::buffer);
  numbered.binding.first_set = 2;
  EXPECT_EQ(numbered.places(), "2.0");
  EXPECT_EQ(Places(numbered.module, numbered.binding).of_counter(0), (Place{2, 1}));
}

TEST(BindingModel, HeapsHaveASetOfTheirOwn) {
  auto made = Bound(Stage::pixel).add(ResourceKind::texture, 0, 3).in_heap(ResourceKind::texture).in_heap(ResourceKind::sampler);
  EXPECT_EQ(made.places(), "3.0, 4.0, 4.1");
  made.in_heap(ResourceKind::uav_append);
  EXPECT_EQ(Places(made.module, made.binding).of_counter(3), (Place{4, 2}));
  made.binding.heap_set = 9;
  EXPECT_EQ(made.places(), "3.0, 9.0, 9.1, 9.0");
  // which all that is found in a heap shares
  EXPECT_EQ(made.refused(), "");
}

TEST(BindingModel, ResourcesMustNotMeet) {
  EXPECT_EQ(Bound(Stage::pixel, "dxc").add(ResourceKind::cbuffer, 3, 1).add(ResourceKind::texture, 3, 1).refused(),
            "`a` and `b` are both at set 1, binding 3");
  EXPECT_EQ(Bound(Stage::pixel).add(ResourceKind::cbuffer, 0).add(ResourceKind::sampler, 128).refused(),
            "`a` and `b` are both at set 0, binding 256");
  // an array has one binding
  EXPECT_EQ(Bound(Stage::pixel).add(ResourceKind::texture, 0, 0, ResourceDimension::texture2d, 8).add(ResourceKind::texture, 8).refused(),
            "");
}

TEST(BindingModel, WhatTheSourceSharesMayBeShared) {
  // a texture that is combined with its sampler
  EXPECT_EQ(Bound(Stage::pixel, "dxc").add(ResourceKind::texture, 3).add(ResourceKind::sampler, 3).refused(), "");
  EXPECT_NE(Bound(Stage::pixel, "dxc").add(ResourceKind::texture, 3, 0, ResourceDimension::buffer).add(ResourceKind::sampler, 3).refused(),
            "");
  // variables of SPIR-V that alias, and rows of one register
  auto aliases = Bound(Stage::compute).add(ResourceKind::texture, 3).add(ResourceKind::uav_typed, 3);
  for (ir::Resource& one : aliases.module.resources) one.in_set = true;
  EXPECT_EQ(aliases.refused(), "");
  EXPECT_EQ(Bound(Stage::pixel).add(ResourceKind::texture, 3).add(ResourceKind::texture, 3).refused(), "");
}

TEST(BindingModel, SetsBeginWithinARange) {
  EXPECT_EQ(with_first_set({}, kMostFirstSet)->first_set, kMostFirstSet);
  EXPECT_EQ(with_first_set({}, kMostFirstSet + 1).error().code, ErrorCode::bad_value);
  EXPECT_TRUE(with_first_set(*binding_model("sdl-gpu"), 0));
  EXPECT_EQ(with_first_set(*binding_model("sdl-gpu"), 1).error().code, ErrorCode::bad_value);
}

TEST(BindingModel, OthersAreNotKnown) {
  EXPECT_FALSE(binding_model("metal"));
  EXPECT_FALSE(parse_shifts("t=1,x=2"));
}

}  // namespace
}  // namespace unshade::write
