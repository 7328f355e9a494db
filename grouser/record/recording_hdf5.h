// HDF5 in small pieces: handles that close themselves, errors that are thrown, texts.
//
// Only recording_*.cpp include this header.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace grouser::recording {

inline constexpr const char* kFormatName = "grouser recording";
inline constexpr std::int64_t kFormatVersion = 1;
inline constexpr std::size_t kStatusSize = 16;
inline constexpr std::size_t kMessageSize = 4096;

/// A row of outcome/summary as it stands in the file.
struct SummaryRow {
  char key[128];
  char value[1024];
};
/// A row of outcome/warnings.
struct WarningRow {
  char text[1024];
};

/// HDF5 refused something; what() is the innermost line of its error stack.
class HdfError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
[[noreturn]] void throw_hdf_error();

/// Passes an answer of HDF5 on, or throws if it is negative.
template <class Answer>
Answer check(Answer answer) {
  if (answer < 0) throw_hdf_error();
  return answer;
}

/// Switches off HDF5's printing of errors.
void silence_hdf5();

/// An open HDF5 object.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close closer) : id_(check(id)), close_(closer) {}
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { close(); }

  hid_t id() const { return id_; }
  operator hid_t() const { return id_; }
  /// Negative if HDF5 could not close it; the handle is empty in any case.
  herr_t close() { return id_ < 0 ? 0 : close_(std::exchange(id_, H5I_INVALID_HID)); }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

Handle make_properties(hid_t kind);
Handle make_space(std::span<const hsize_t> size);  ///< no sizes: a scalar
/// Texts have a fixed length, in UTF-8, ended by a zero. HDF5 keeps texts of any length in the
/// one place of its format without a checksum, and crashes when that is damaged.
Handle text_type(std::size_t size);
Handle summary_type();
/// A group, and the groups on the way to it.
Handle make_folder(hid_t parent, const std::string& path);

void write_attribute(hid_t object, const char* name, const std::string& text);
void write_attribute(hid_t object, const char* name, std::int64_t number);
void write_attribute(hid_t object, const char* name, std::span<const std::string> texts);
void write_attribute(hid_t object, const char* name, std::span<const double> numbers);

std::string read_text_attribute(hid_t object, const char* name);
std::int64_t read_integer_attribute(hid_t object, const char* name);
std::vector<std::string> read_texts_attribute(hid_t object, const char* name);
std::vector<double> read_numbers_attribute(hid_t object, const char* name);

/// A dataset with one text, or with a list of texts; read_texts() reads both.
void write_text(hid_t parent, const char* name, const std::string& text);
void write_texts(hid_t parent, const char* name, std::span<const std::string> texts);
std::vector<std::string> read_texts(hid_t parent, const char* name);

/// A dataset of rows of texts, with named columns as wide as their longest text. To read it, the
/// columns must be there, in any width.
void write_text_table(hid_t parent, const char* name, std::span<const char* const> columns,
                      const std::vector<std::vector<std::string>>& rows);
std::vector<std::vector<std::string>> read_text_table(hid_t parent, const char* name,
                                                      std::span<const char* const> columns);

/// The size of a dataset along each dimension.
std::vector<hsize_t> size_of(hid_t dataset);

/// `text` cut so that it fits into `size` bytes with its zero, at a character, with "..." to show.
std::string cut(const std::string& text, std::size_t size);
/// Up to the first zero, at most `size` bytes.
std::string text_from(const char* data, std::size_t size);

}  // namespace grouser::recording
