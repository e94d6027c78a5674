// Messages that have arrived and that no receive has matched yet.
#pragma once

#include <cstddef>
#include <cstdint>

#include "p2p/matching/bins.hpp"

namespace loadstone::p2p {

// What matching sees of one.
struct unexpected_message {
  bin_link<unexpected_message> links[4];  // by (source, tag), (any, tag), (source, any), (any, any)
  unexpected_message* next = nullptr;     // all of them in order of arrival
  unexpected_message* previous = nullptr;
  match_key key{};
};

// All of a rank. The three wildcard tables are built when a wildcard of that shape is first asked
// for: a program that uses none pays for one table.
class unexpected_messages {
 public:
  void append(unexpected_message* m);
  void remove(unexpected_message* m);
  // The oldest that matches; key may hold wildcards.
  unexpected_message* find(const match_key& key) { return size_ == 0 ? nullptr : find_listed(key); }
  unexpected_message* first() const { return head_; }
  std::size_t size() const { return size_; }

 private:
  unexpected_message* find_listed(const match_key& key);
  template <class F>
  void for_each_table(F&& f);
  static void list(unexpected_message* m, unsigned in, auto& table);

  unexpected_message* head_ = nullptr;
  unexpected_message* tail_ = nullptr;
  std::size_t size_ = 0;
  bool built_[4] = {true, false, false, false};
  bins<unexpected_message, 0> exact_;
  bins<unexpected_message, 1> any_source_;
  bins<unexpected_message, 2> any_tag_;
  bins<unexpected_message, 3> any_both_;
};

}  // namespace loadstone::p2p
