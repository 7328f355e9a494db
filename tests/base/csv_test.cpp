// Comma-separated values: fields with their places, heads of columns.
#include "grouser/base/csv.h"

#include <gtest/gtest.h>

#include "tests/support/messages.h"

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

/// What is read of a text, as "head|row|row".
std::string read(const std::string& text) {
  std::string out;
  const auto add = [&](const std::vector<CsvField>& fields) {
    out += out.empty() ? "" : "|";
    for (const CsvField& field : fields) out += std::string(field.text) + ";";
  };
  read_csv(text, "t.csv", add, add);
  return out;
}

TEST(ReadCsv, GivesTheHeadAndThenEveryRow) {
  EXPECT_EQ(read("# of today\na,b\n\n1,2\n3,\n"), "a;b;|1;2;|3;;");
  EXPECT_EQ(read("a,b"), "a;b;");
}

TEST(ReadCsv, RefusesAnEmptyFileAndRowsOfAnotherLength) {
  const auto refusal = [](const char* text) { return message_of<InputError>([&] { read(text); }); };
  EXPECT_EQ(refusal("# nothing\n"), "t.csv: there is no line that names the columns");
  EXPECT_EQ(refusal("a,b\n1,2\n3\n"),
            "t.csv:3: there must be 2 numbers, as the first line has columns; there are 1");
}

TEST(CsvNumber, IsFiniteAndRefusedWithItsPlace) {
  const auto refusal = [](std::string_view text) {
    return message_of<InputError>([&] { csv_number({text, {"t.csv", 4, 7}}, "speed"); });
  };
  EXPECT_EQ(csv_number({"-1.5e3", {}}, "speed"), -1500.0);
  EXPECT_EQ(refusal("fast"), "t.csv:4:7: speed must be a number, is 'fast'");
  EXPECT_EQ(refusal(""), "t.csv:4:7: speed must be a number, is ''");
  EXPECT_EQ(refusal("nan"), "t.csv:4:7: speed must be finite");
  EXPECT_EQ(refusal("inf"), "t.csv:4:7: speed must be finite");
}

}  // namespace
}  // namespace grouser
