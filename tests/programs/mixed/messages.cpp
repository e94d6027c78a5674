#include "mixed/schedule.hpp"

namespace mixed {

// One message. Sender and receiver each choose a form of their own; the receiver may come some
// steps later.
void schedule::message() {
  communicator& c = *any();
  const layout l = draw_layout();
  const long count = plan_.size(plan_.one_in(20) ? 1L << 20 : 1L << 15) / l.used;
  const int from = static_cast<int>(plan_.below(static_cast<long>(c.groups[0].size())));
  const int to = static_cast<int>(plan_.below(static_cast<long>(c.groups[c.inter].size())));
  const int tag = static_cast<int>(step_);
  // Sends whose end needs the receiver must not wait for it if it comes later, or is the sender.
  const bool itself = !c.inter && from == to;
  const long how = plan_.below(6), due = draw_due(), receive = plan_.below(6), due_receive = draw_due();
  const bool first = itself || plan_.one_in(3), ready = itself ? false : how == 5;
  doing_ = "message of " + std::to_string(count * l.used) + " words, send " + std::to_string(how) +
           ", receive " + std::to_string(receive);
  const bool sends = c.member() && c.side == 0 && c.me == from;
  const bool receives = c.member() && c.side == (c.inter ? 1 : 0) && c.me == to;
  const int who_from = c.groups[0][static_cast<std::size_t>(from)],
            who_to = c.groups[c.inter][static_cast<std::size_t>(to)];
  const std::uint64_t op = op_;
  const long words = count * l.used;

  const auto post_receive = [&](bool blocking) {
    buffers b = make(l, count);
    const auto check = [this, b, op, who_from, who_to, words] {
      check_words("message", op, *b, who_from, who_to, 0, words);
      check_guards("message", *b);
    };
    const int source = own_.one_in(3) ? MPI_ANY_SOURCE : from;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    const int n = static_cast<int>(count);
    if (!blocking || receive < 2) {
      MUST(MPI_Irecv(b->data(), n, l.type, source, tag, c.comm, &request));
    } else if (receive == 2) {
      MUST(MPI_Recv(b->data(), n, l.type, source, tag, c.comm, &status));
      int got;
      MUST(MPI_Get_count(&status, l.type, &got));
      if (got != n || status.MPI_SOURCE != from || status.MPI_TAG != tag)
        fail("the status of MPI_Recv is wrong");
    } else if (receive == 3) {
      MPI_Message found;
      MUST(MPI_Mprobe(source, tag, c.comm, &found, &status));
      int got;
      MUST(MPI_Get_count(&status, l.type, &got));
      if (got != n || status.MPI_SOURCE != from) fail("the status of MPI_Mprobe is wrong");
      if (own_.one_in(2))
        MUST(MPI_Imrecv(b->data(), n, l.type, &found, &request));
      else
        MUST(MPI_Mrecv(b->data(), n, l.type, &found, MPI_STATUS_IGNORE));
    } else if (receive == 4) {
      MUST(MPI_Probe(source, tag, c.comm, &status));
      MUST(MPI_Recv(b->data(), n, l.type, status.MPI_SOURCE, tag, c.comm, MPI_STATUS_IGNORE));
    } else {
      for (int flag = 0; !flag;) MUST(MPI_Iprobe(source, tag, c.comm, &flag, &status));
      MUST(MPI_Recv(b->data(), n, l.type, status.MPI_SOURCE, tag, c.comm, MPI_STATUS_IGNORE));
    }
    later(due_receive, request, check);
  };

  if (receives && (first || ready)) post_receive(false);
  if (receives && ready) MUST(MPI_Send(nullptr, 0, MPI_BYTE, from, tag, c.comm));
  if (sends) {
    if (ready) MUST(MPI_Recv(nullptr, 0, MPI_BYTE, to, tag, c.comm, MPI_STATUS_IGNORE));
    buffers b = make(l, count);
    for (long i = 0; i < words; ++i) b->at(i) = value(op, who_from, who_to, i);
    MPI_Request request = MPI_REQUEST_NULL;
    const int n = static_cast<int>(count);
    if (how == 0)
      MUST(MPI_Send(b->data(), n, l.type, to, tag, c.comm));
    else if (how == 1)
      MUST(MPI_Ssend(b->data(), n, l.type, to, tag, c.comm));
    else if (how == 2)
      MUST(MPI_Issend(b->data(), n, l.type, to, tag, c.comm, &request));
    else if (how == 3 || itself)
      MUST(MPI_Isend(b->data(), n, l.type, to, tag, c.comm, &request));
    else if (how == 4)
      MUST(MPI_Send(b->data(), n, l.type, to, tag, c.comm));
    else
      MUST(MPI_Rsend(b->data(), n, l.type, to, tag, c.comm));
    later(due, request, [this, b, op, who_from, who_to, words] {
      check_words("sent buffer", op, *b, who_from, who_to, 0, words);
    });
  }
  if (receives && !first && !ready) post_receive(true);
}

// Each of a group to one some places on.
void schedule::ring() {
  communicator& c = *any(true);
  const layout l = draw_layout();
  const long count = plan_.size(1L << 13) / l.used, words = count * l.used;
  const int n = static_cast<int>(c.groups[0].size()), away = static_cast<int>(plan_.below(n)),
            tag = static_cast<int>(step_);
  const long how = plan_.below(4), due = draw_due();
  doing_ = "ring of " + std::to_string(words) + " words, way " + std::to_string(how);
  if (!c.member()) return;
  const int to = (c.me + away) % n, from = (c.me + n - away) % n, elements = static_cast<int>(count);
  const int who_to = c.groups[0][static_cast<std::size_t>(to)],
            who_from = c.groups[0][static_cast<std::size_t>(from)];
  buffers in = make(l, count), out = make(l, count);
  buffers& mine = how == 1 || how == 3 ? in : out;
  for (long i = 0; i < words; ++i) mine->at(i) = value(op_, rank_, who_to, i);
  MPI_Request request = MPI_REQUEST_NULL;
  if (how == 0)
    MUST(MPI_Sendrecv(out->data(), elements, l.type, to, tag, in->data(), elements, l.type, from, tag, c.comm,
                      MPI_STATUS_IGNORE));
  else if (how == 1)
    MUST(MPI_Sendrecv_replace(in->data(), elements, l.type, to, tag, from, tag, c.comm, MPI_STATUS_IGNORE));
  else if (how == 2)
    MUST(MPI_Isendrecv(out->data(), elements, l.type, to, tag, in->data(), elements, l.type, from, tag,
                       c.comm, &request));
  else
    MUST(MPI_Isendrecv_replace(in->data(), elements, l.type, to, tag, from, tag, c.comm, &request));
  later(due, request, [this, in, out, op = op_, who_from, words] {
    check_words("ring", op, *in, who_from, rank_, 0, words);
    check_guards("ring", *in);
  });
}

// Several rounds of one persistent message, or of one in partitions.
void schedule::persistent_message() {
  communicator& c = *any(true);
  const bool parted = plan_.one_in(3);
  const layout l = draw_layout();
  const int parts = static_cast<int>(1 + plan_.below(5)), n = static_cast<int>(c.groups[0].size()),
            tag = static_cast<int>(step_);
  const long count = plan_.size(1L << 13) / l.used, all = count * parts, words = all * l.used,
             rounds = 1 + plan_.below(3);
  const int from = static_cast<int>(plan_.below(n)), to = static_cast<int>(plan_.below(n));
  const long due = draw_due(), due_receive = draw_due();
  doing_ = "persistent message of " + std::to_string(words) + " words, " + (parted ? "in parts" : "whole");
  if (!c.member() || from == to || (c.me != from && c.me != to)) return;
  const int who_from = c.groups[0][static_cast<std::size_t>(from)],
            who_to = c.groups[0][static_cast<std::size_t>(to)];
  const bool sends = c.me == from;
  buffers b = make(l, all);
  MPI_Request request;
  if (parted && sends)
    MUST(MPI_Psend_init(b->data(), parts, count, l.type, to, tag, c.comm, MPI_INFO_NULL, &request));
  else if (parted)
    MUST(MPI_Precv_init(b->data(), parts, count, l.type, from, tag, c.comm, MPI_INFO_NULL, &request));
  else if (sends && own_.one_in(2))
    MUST(MPI_Ssend_init(b->data(), static_cast<int>(all), l.type, to, tag, c.comm, &request));
  else if (sends)
    MUST(MPI_Send_init(b->data(), static_cast<int>(all), l.type, to, tag, c.comm, &request));
  else
    MUST(MPI_Recv_init(b->data(), static_cast<int>(all), l.type, from, tag, c.comm, &request));
  for (long round = 0; round < rounds; ++round) {
    const std::uint64_t op = op_ ^ static_cast<std::uint64_t>(round) << 40;
    b->clear();
    if (sends)
      for (long i = 0; i < words; ++i) b->at(i) = value(op, who_from, who_to, i);
    MUST(MPI_Start(&request));
    if (parted && sends)
      for (int i = 0; i < parts; ++i) MUST(MPI_Pready((i + static_cast<int>(round)) % parts, request));
    const auto check = [this, b, op, who_from, who_to, words] {
      check_words("persistent message", op, *b, who_from, who_to, 0, words);
      check_guards("persistent message", *b);
    };
    if (round == rounds - 1) {
      later(sends ? due : due_receive, request, check);
      pending_.back().persistent = true;
    } else {
      MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
      check();
    }
  }
}

}  // namespace mixed
