#include <gtest/gtest.h>

#include "rma/record_layout.hpp"

namespace loadstone::rma {

TEST(WindowRecord, HasASlotForEachMember) {
  alignas(memory::isolation) static std::byte room[record_bytes(3)];
  auto* record = new (room) window_record{};
  EXPECT_EQ(reinterpret_cast<std::byte*>(record->slots()), room + sizeof(window_record));
  record->members = 3;
  EXPECT_EQ(reinterpret_cast<std::byte*>(&record->line_of(0)), room + sizeof(window_record) + 64);
  EXPECT_EQ(reinterpret_cast<std::byte*>(&record->line_of(2) + 1), room + sizeof room);
  EXPECT_EQ(record_bytes(17) - record_bytes(16), 64 + sizeof(member_line));
  EXPECT_EQ(record_bytes(1000) - record_bytes(996), 4 * sizeof(member_slot));
}

}  // namespace loadstone::rma
