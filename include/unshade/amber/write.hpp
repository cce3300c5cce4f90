// Tests of suites as scripts of Amber. docs/reference/amber.md has what Amber can say.
#pragma once

#include <cstddef>
#include <string>

#include <unshade/core/result.hpp>
#include <unshade/suite/suite.hpp>

namespace unshade::amber {

/// A test as a script that has the same verdict. Errors: unsupported, with what Amber cannot say; those of the suite and its files.
Result<std::string> script_of(suite::SuiteRunner& runner, std::size_t test);

}  // namespace unshade::amber
