#include <gtest/gtest.h>

#include "rma/record_layout.hpp"

namespace loadstone::rma {

TEST(WindowRecord, HasASlotForEachMember) {
  alignas(memory::isolation) static std::byte room[record_bytes(3)];
  auto* record = new (room) window_record{};
  EXPECT_EQ(reinterpret_cast<std::byte*>(record->slots()), room + sizeof(window_record));
  EXPECT_EQ(record_bytes(3) - record_bytes(2), sizeof(member_slot));
}

}  // namespace loadstone::rma
