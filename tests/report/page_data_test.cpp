#include "grouser/report/page_data.h"

#include <limits>
#include <stdexcept>

#include "tests/report/page_reader.h"

namespace grouser::report {
namespace {

TEST(PageData, IsReadBackInEveryCoding) {
  for (const Coding coding : {Coding::raw, Coding::zlib, Coding::shuffle_zlib}) {
    const std::vector<float> singles = {1.5f, -2.25f, 3e-30f, 4.0f, 5.0f, 6.0f};
    const std::vector<double> doubles = {0.1, 1e300, -7.0};
    const std::vector<std::uint32_t> counts = {0, 1, 0xffffffffu, 7, 9};
    PageData data;
    Json header;
    header["singles"] = data.add(singles, {2, 3}, coding);
    header["none"] = data.add(std::span<const float>(), {3, 0}, coding);
    header["doubles"] = data.add(doubles, {3}, coding);
    header["counts"] = data.add(counts, {5}, coding);
    const PageReader reader(bytes_of(data, header));
    EXPECT_EQ(reader.read<float>(reader.header["singles"]), singles);
    EXPECT_EQ(reader.read<float>(reader.header["none"]), std::vector<float>());
    EXPECT_EQ(reader.read<double>(reader.header["doubles"]), doubles);
    EXPECT_EQ(reader.read<std::uint32_t>(reader.header["counts"]), counts);
    EXPECT_EQ(reader.header["singles"]["shape"], Json::array({2, 3}));
  }
}

TEST(PageData, OfASmoothSignalIsSmallerShuffled) {
  std::vector<float> signal;
  for (int k = 0; k < 10'000; ++k) signal.push_back(1.0f + 1e-4f * static_cast<float>(k));
  PageData data;
  const std::size_t plain = data.add(signal, {10'000}, Coding::zlib)["bytes"];
  const std::size_t shuffled = data.add(signal, {10'000}, Coding::shuffle_zlib)["bytes"];
  EXPECT_LT(shuffled, plain);
}

TEST(PageData, RefusesAShapeThatDoesNotFit) {
  PageData data;
  const std::vector<float> numbers(5);
  EXPECT_THROW(data.add(numbers, {2, 3}, Coding::raw), std::logic_error);
}

TEST(JsonText, KeepsTextsAndEscapesWhatHtmlWouldRead) {
  const std::string text = "größe \"quoted\" \\ \n\t\x01</script>";
  const std::string json = json_text({{"text", text}});
  EXPECT_EQ(json.find('<'), std::string::npos);
  EXPECT_NE(json.find("\\u003c/script>"), std::string::npos);
  EXPECT_NE(json.find("\\u0001"), std::string::npos);
  EXPECT_EQ(Json::parse(json)["text"], text);
}

TEST(JsonText, ReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(Json::parse(json_text({{"text", "a\xff\xfe z"}}))["text"],
            "a\xef\xbf\xbd\xef\xbf\xbd z");  // U+FFFD, twice
}

TEST(JsonText, HasNumbersThatReadBackTheSame) {
  for (const double x : {0.1, 1.0 / 3.0, 1e-300, 123456789.123, -0.0})
    EXPECT_EQ(Json::parse(json_text(Json::array({x})))[0].get<double>(), x);
  EXPECT_EQ(json_text(Json::array({0.1, 20})), "[0.1,20]");
  EXPECT_EQ(json_text(Json::array({std::numeric_limits<double>::quiet_NaN(),
                                   std::numeric_limits<double>::infinity()})),
            "[null,null]");
}

}  // namespace
}  // namespace grouser::report
