// Comma-separated values: fields with their places, heads of columns.
#include "grouser/base/csv.h"

#include <gtest/gtest.h>

#include "tests/geometry/messages.h"

namespace grouser {
namespace {

TEST(CsvLines, GiveFieldsWithTheirPlaces) {
  CsvLines lines("\xef\xbb\xbf# a comment\n\n a, b ,\r\n1,,3", "t.csv");
  std::vector<CsvField> fields;
  ASSERT_TRUE(lines.next(fields));
  ASSERT_EQ(fields.size(), 3u);
  EXPECT_EQ(fields[0].text, "a");
  EXPECT_EQ(fields[0].place.text(), "t.csv:3:2");
  EXPECT_EQ(fields[1].text, "b");
  EXPECT_EQ(fields[1].place.text(), "t.csv:3:5");
  EXPECT_EQ(fields[2].text, "");
  ASSERT_TRUE(lines.next(fields));
  ASSERT_EQ(fields.size(), 3u);
  EXPECT_EQ(fields[1].text, "");
  EXPECT_EQ(fields[1].place.text(), "t.csv:4:3");
  EXPECT_FALSE(lines.next(fields));
}

TEST(CsvHead, HasANameAndAUnit) {
  const CsvHead with = csv_head({"Drawbar_pull [ N ]", {}});
  EXPECT_EQ(with.name, "drawbar pull");
  EXPECT_TRUE(with.has_unit);
  EXPECT_EQ(with.unit, "N");
  const CsvHead without = csv_head({"slip", {}});
  EXPECT_EQ(without.name, "slip");
  EXPECT_FALSE(without.has_unit);
  EXPECT_EQ(message_of<InputError>([] {
              csv_head({"slip [", {"t.csv", 1, 1}});
            }),
            "t.csv:1:1: the bracket [ of a unit must close");
}

}  // namespace
}  // namespace grouser
