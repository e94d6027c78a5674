#include <cstring>

#include "mixed/schedule.hpp"

namespace mixed {
namespace {

constexpr long file_words = 1L << 16;
constexpr int several = -2;

}  // namespace

void schedule::file_step() {
  if (file_ == MPI_FILE_NULL) return open_file();
  const long what = plan_.below(24);
  if (what == 0)
    close_file();
  else if (what < 4)
    sync_file();
  else if (what < 6)
    view_file();
  else
    access_file(what < 15);
}

// Word i of what `who` sees, as a word of the file.
long schedule::file_word(int who, long i) const {
  return tile_ ? (i / tile_ * size_ + who) * tile_ + i % tile_ : i;
}

void schedule::open_file() {
  doing_ = "opens a file";
  if (path_.empty()) {
    path_ = folder_ + "/mixed_random." + std::to_string(seed_) + "." + std::to_string(thread_);
    content_.assign(file_words, 0);
    if (rank_ == 0) MPI_File_delete(path_.c_str(), MPI_INFO_NULL);
    MUST(MPI_Barrier(comms_.front().comm));
  }
  writer_.assign(file_words, -1);
  reader_.assign(file_words, -1);
  busy_.assign(file_words, 0);
  MUST(MPI_File_open(comms_.front().comm, path_.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                     &file_));
  MUST(MPI_File_set_size(file_, file_words * static_cast<long>(sizeof(word))));
  tile_ = 0;
  MUST(MPI_File_set_view(file_, 0, MPI_UINT32_T, MPI_UINT32_T, "native", MPI_INFO_NULL));
}

void schedule::close_file() {
  doing_ = "closes a file";
  complete(step_ + 1000, true);
  const bool look = plan_.one_in(2);
  MUST(MPI_File_close(&file_));
  MUST(MPI_Barrier(comms_.front().comm));
  if (look && rank_ == 0) {
    std::vector<word> is(content_.size());
    std::FILE* f = std::fopen(path_.c_str(), "rb");
    if (!f || std::fread(is.data(), sizeof(word), is.size(), f) != is.size()) fail("the file cannot be read");
    std::fclose(f);
    for (std::size_t i = 0; i < is.size(); ++i)
      if (is[i] != content_[i])
        fail("word " + std::to_string(i) + " of the file is " + std::to_string(is[i]) + " instead of " +
             std::to_string(content_[i]));
  }
  MUST(MPI_Barrier(comms_.front().comm));
}

void schedule::sync_file() {
  doing_ = "synchronises a file";
  complete(step_ + 1000, true);
  MUST(MPI_File_sync(file_));
  MUST(MPI_Barrier(comms_.front().comm));
  MUST(MPI_File_sync(file_));
  std::fill(writer_.begin(), writer_.end(), -1);
  std::fill(reader_.begin(), reader_.end(), -1);
}

void schedule::view_file() {
  doing_ = "sets a view";
  complete(step_ + 1000, true);
  tile_ = plan_.one_in(2) ? 0 : 1 + plan_.size(1L << 8);
  if (!tile_) return MUST(MPI_File_set_view(file_, 0, MPI_UINT32_T, MPI_UINT32_T, "native", MPI_INFO_NULL));
  MPI_Datatype block, tiled;
  const long bytes = static_cast<long>(sizeof(word));
  MUST(MPI_Type_contiguous(static_cast<int>(tile_), MPI_UINT32_T, &block));
  MUST(MPI_Type_create_resized(block, 0, tile_ * size_ * bytes, &tiled));
  MUST(MPI_Type_commit(&tiled));
  MUST(MPI_File_set_view(file_, rank_ * tile_ * bytes, MPI_UINT32_T, tiled, "native", MPI_INFO_NULL));
  MUST(MPI_Type_free(&block));
  MUST(MPI_Type_free(&tiled));
}

// All, or one alone, write or read some words: each its own.
void schedule::access_file(bool write) {
  const long form = plan_.below(5);  // at, at_all, iat, iat_all, at_all in two halves
  const bool together = form == 1 || form == 3 || form == 4;
  const int alone = together ? -1 : static_cast<int>(plan_.below(size_));
  const layout l = draw_layout();
  const long seen = tile_ ? file_words / (tile_ * size_) * tile_ : file_words;
  long count = plan_.size(tile_ ? seen : seen / size_) / l.used, words = count * l.used;
  const long first = plan_.below(seen - (tile_ ? words : words * size_) + 1), due = draw_due();
  doing_ = std::string(write ? "writes" : "reads") + " a file, form " + std::to_string(form) + ", " +
           std::to_string(words) + " words from " + std::to_string(first) + ", tile " + std::to_string(tile_);
  std::vector<std::vector<std::size_t>> at(static_cast<std::size_t>(size_));
  for (int r = 0; r < size_; ++r) {
    if (!together && r != alone) continue;
    for (long i = 0; i < words; ++i) {
      const auto k = static_cast<std::size_t>(file_word(r, first + (tile_ ? 0 : r * words) + i));
      at[static_cast<std::size_t>(r)].push_back(k);
      if (busy_[k] >= step_ || (writer_[k] != -1 && writer_[k] != r)) return;
      if (write && reader_[k] != -1 && reader_[k] != r) return;  // he may be late
    }
  }
  for (int r = 0; r < size_; ++r)
    for (std::size_t i = 0; i < at[static_cast<std::size_t>(r)].size(); ++i) {
      const std::size_t k = at[static_cast<std::size_t>(r)][i];
      if (write) {
        writer_[k] = r;
        content_[k] = value(op_, r, 0, static_cast<long>(i));
      }
      if (!write) reader_[k] = reader_[k] == -1 || reader_[k] == r ? r : several;
      if (form == 2 || form == 3) busy_[k] = due;
    }
  if (!together && rank_ != alone) return;
  std::vector<word> wanted;
  for (const std::size_t k : at[static_cast<std::size_t>(rank_)]) wanted.push_back(content_[k]);
  buffers b = make(l, count);
  if (write)
    for (long i = 0; i < words; ++i) b->at(i) = wanted[static_cast<std::size_t>(i)];
  const MPI_Offset offset = first + (tile_ ? 0 : rank_ * words);
  const int n = static_cast<int>(count);
  MPI_Status status;
  MPI_Request request = MPI_REQUEST_NULL;
  if (form == 0 && write) MUST(MPI_File_write_at(file_, offset, b->data(), n, l.type, &status));
  if (form == 0 && !write) MUST(MPI_File_read_at(file_, offset, b->data(), n, l.type, &status));
  if (form == 1 && write) MUST(MPI_File_write_at_all(file_, offset, b->data(), n, l.type, &status));
  if (form == 1 && !write) MUST(MPI_File_read_at_all(file_, offset, b->data(), n, l.type, &status));
  if (form == 2 && write) MUST(MPI_File_iwrite_at(file_, offset, b->data(), n, l.type, &request));
  if (form == 2 && !write) MUST(MPI_File_iread_at(file_, offset, b->data(), n, l.type, &request));
  if (form == 3 && write) MUST(MPI_File_iwrite_at_all(file_, offset, b->data(), n, l.type, &request));
  if (form == 3 && !write) MUST(MPI_File_iread_at_all(file_, offset, b->data(), n, l.type, &request));
  if (form == 4 && write) {
    MUST(MPI_File_write_at_all_begin(file_, offset, b->data(), n, l.type));
    dawdle();
    MUST(MPI_File_write_at_all_end(file_, b->data(), &status));
  }
  if (form == 4 && !write) {
    MUST(MPI_File_read_at_all_begin(file_, offset, b->data(), n, l.type));
    dawdle();
    MUST(MPI_File_read_at_all_end(file_, b->data(), &status));
  }
  if (form != 2 && form != 3) {
    int got;
    MUST(MPI_Get_count(&status, l.type, &got));
    if (got != n) fail("the status counts " + std::to_string(got) + " elements");
  }
  later(
      due, request,
      [this, b, wanted, step = step_] {
        for (std::size_t i = 0; i < wanted.size(); ++i)
          if (b->at(static_cast<long>(i)) != wanted[i]) {
            char text[160];
            std::snprintf(text, sizeof text,
                          "file access of step %ld: word %zu of %zu is %08x instead of %08x", step, i,
                          wanted.size(), b->at(static_cast<long>(i)), wanted[i]);
            fail(text);
          }
        check_guards("file access", *b);
      },
      true);
}

}  // namespace mixed
