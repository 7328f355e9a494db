#include "grouser/base/error.h"

#include <gtest/gtest.h>

namespace grouser {
namespace {

TEST(Place, TellsWhatIsKnownOfIt) {
  EXPECT_EQ((Place{"scenes/torus.toml", 14, 11}.text()), "scenes/torus.toml:14:11");
  EXPECT_EQ((Place{"scenes/torus.toml", 14, 0}.text()), "scenes/torus.toml:14");
  EXPECT_EQ((Place{"--set", 0, 0}.text()), "--set");
  EXPECT_EQ((Place{"a column needs its line", 0, 3}.text()), "a column needs its line");
  EXPECT_EQ(Place{}.text(), "");
}

TEST(Place, IsKnownByItsFile) {
  EXPECT_FALSE(Place{}.known());
  EXPECT_FALSE((Place{"", 3, 1}.known()));
  EXPECT_TRUE((Place{"scene.toml", 0, 0}.known()));
}

TEST(InputError, StartsWithThePlaceIfThereIsOne) {
  EXPECT_STREQ(InputError(Place{"a.toml", 2, 5}, "no").what(), "a.toml:2:5: no");
  EXPECT_STREQ(InputError(Place{}, "no").what(), "no");
  EXPECT_STREQ(InputError("no").what(), "no");
}

TEST(Errors, AreToldApartByWhoHasToAct) {
  EXPECT_THROW(throw InputError("wrong key"), Error);
  EXPECT_THROW(throw RunError("disk full"), Error);
  EXPECT_FALSE((std::is_base_of_v<InputError, RunError>));
  EXPECT_FALSE((std::is_base_of_v<RunError, InputError>));
}

}  // namespace
}  // namespace grouser
