// What a call complains about.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace grouser {

/// The message of the Failure thrown by `call`; fails the test if there is none.
template <class Failure, class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Failure& failure) {
    return failure.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return "";
}

inline ::testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << text << "' does not contain '" << part << "'";
}

}  // namespace grouser
