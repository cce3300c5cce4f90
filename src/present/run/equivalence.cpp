#include <unshade/present/run/equivalence.hpp>

#include <algorithm>

#include <unshade/present/schemas.hpp>
#include <unshade/present/value.hpp>

namespace unshade::present {
namespace {

void count(Printer& out, std::uint64_t number, std::string_view one) {
  out.text.dec(number);
  out.text << ' ' << one << (number == 1 ? "" : "s");
}

}  // namespace

void print_equivalence(const suite::Equivalence& found, std::span<const std::string, 2> names, Printer& out) {
  if (found.difference) {
    const suite::Difference& first = *found.difference;
    out.paint(Paint::heading);
    if (first.random) {
      out.text << "random set ";
      out.text.dec(*first.random);
    } else {
      out.text << "case";
    }
    out.text << ", ";
    print_safely(out.text, first.what);
    out.paint(Paint::plain);
    out.text << '\n';
    const std::size_t width = std::max(names[0].size(), names[1].size());
    for (std::size_t side = 0; side < 2; ++side) {
      out.text << "  ";
      print_safely(out.text, names[side]);
      out.text.repeat(' ', width + 2 - names[side].size());
      print_safely(out.text, first.values[side]);
      out.text << '\n';
    }
    if (first.ulps) {
      out.text << "  ";
      count(out, static_cast<std::uint64_t>(std::min(*first.ulps, 1e18)), "ulp");
      out.text << " from each other\n";
    }
    count(out, found.differing, "output");
    out.text << (found.differing == 1 ? " differs" : " differ") << " in this set\n";
  } else if (found.sets == 0) {
    out.text << "no set of inputs was compared\n";
  } else {
    count(out, found.sets, "set");
    out.text << " of inputs, ";
    count(out, found.values, "output");
    out.text << ": no difference";
    if (found.largest_ulps != 0) {
      out.text << " but ";
      count(out, static_cast<std::uint64_t>(std::min(found.largest_ulps, 1e18)), "ulp");
      out.text << " at most";
    }
    out.text << '\n';
  }
  for (const std::string& one : found.without_data) {
    print_safely(out.text, one);
    out.text << ": its accesses were not compared\n";
  }
  if (found.unfinished != 0) {
    count(out, found.unfinished, "set");
    out.text << " not compared: a shader used up its budget of ";
    out.text.dec(found.budget) << " operations on generated inputs; --budget N allows more\n";
  }
  if (found.unfinished_case) out.text << "the case was not compared: a shader used up its budget on it; --budget N allows more\n";
}

void write_equivalence(const suite::Equivalence& found, Json& json) {
  begin_document(Schema::run_against, json);
  json.member("equal", found.equal());
  json.array("mismatches", found.mismatches, [&](const std::string& one) { json.string(one); });
  json.member("sets", found.sets);
  json.member("unfinished", found.unfinished + (found.unfinished_case ? 1U : 0U));
  json.member("values", found.values);
  json.member("differing", found.differing);
  json.key("largest_ulps");
  json.real(found.largest_ulps);
  json.array("without_data", found.without_data, [&](const std::string& one) { json.string(one); });
  if (found.difference) {
    const suite::Difference& first = *found.difference;
    json.object("difference", [&] {
      if (first.random) json.member("random", *first.random);
      json.key("place");
      write_value(first.place, json);
      json.member("what", first.what);
      json.array("values", first.values, [&](const std::string& value) { json.string(value); });
      if (first.ulps) {
        json.key("ulps");
        json.real(*first.ulps);
      }
      json.key("inputs");
      write_value(first.inputs, json);
    });
  }
  end_document(json);
}

}  // namespace unshade::present
