/* The pages of a buffer when memory gets short (src/buffering): its owner fills them and publishes what is in them, the carrier takes
 * them back while nothing is on its way. Whoever does either claims the buffer by one word. `relieved` tells the owner that its pages
 * are gone; it then makes new ones. Two pages, and any number of extents in the order of the pages. An owner that finds the buffer
 * claimed writes by itself. The owner may die between any two of its steps; the carrier may, twice, and is replaced. An owner that
 * ends gives its pages back by itself, once all is written.
 *
 * What was published is there until it is written; no page is filled, or taken, that is not the buffer's; at the end the buffer is
 * nobody's, or a dead owner's.
 *
 * Mutants that must fail:
 *   FILL_UNCLAIMED     the owner fills without a claim
 *   TAKE_UNCLAIMED     the carrier takes pages without a claim
 *   LOOK_BEFORE_CLAIM  the carrier looks whether something is on its way before it claims
 *   NO_LOOK            it does not look
 *   PUBLISH_LATE       the owner gives up its claim before it publishes
 *   NO_NOTICE          the owner does not look at `relieved`
 *   NOTICE_EARLY       it looks before it claims
 *   TELL_LATE          `relieved` is counted behind the pages: a carrier that dies in between has told nobody
 *   KEPT_BY_THE_DEAD   a new carrier does not free what the one before it had claimed
 *   FREE_ANY           it frees the claim of an owner, too
 *   END_UNCLAIMED      an owner that ends gives its pages back without a claim
 */
#define PAGES 2
#define EXTENTS 3
#define none 0
#define owner 1
#define carrier 2
#define no_page 0
#define there 1
#define taken 2

byte claimed = none, published = 0, written = 0, relieved = 0;
byte page[PAGES], data[PAGES];       /* what the pages are, and which extent is in them */
byte place[EXTENTS];                 /* where an extent is */
bool listed[PAGES];                  /* which pages the carrier may take */
byte deaths = 0;
bool owner_dead = false, owner_over = false, finished = false;

#define MAY_DIE if :: owner_dead = true; goto end :: true fi

inline notice() {
  if
  :: relieved != seen ->
     seen = relieved;
     page[0] = no_page; page[1] = no_page;
     listed[0] = false; listed[1] = false
  :: else
  fi
}

proctype writer() {
  byte n, at = 0, seen = 0;
  bool ours;
  for (n : 1 .. EXTENTS) {
#ifdef MUTANT_NOTICE_EARLY
    notice();
#endif
    ours = false;
#ifdef MUTANT_FILL_UNCLAIMED
    ours = true;
#else
    atomic {
      if
      :: claimed == none -> claimed = owner; ours = true
      :: else
      fi
    };
#endif
    MAY_DIE;
    if
    :: ours ->
#if !defined(MUTANT_NO_NOTICE) && !defined(MUTANT_NOTICE_EARLY)
       notice();
#endif
       at = published % PAGES;
       if
       :: published - written < PAGES ->
          if
          :: page[at] == no_page -> page[at] = there; listed[at] = true
          :: else
          fi;
          assert(page[at] == there);
          data[at] = published + 1;
          place[published] = at;
          MAY_DIE;
#ifdef MUTANT_PUBLISH_LATE
          claimed = none;
          MAY_DIE;
          published++
#else
          published++;
          MAY_DIE
#endif
       :: else /* it is full: the owner writes by itself */
       fi;
#ifndef MUTANT_FILL_UNCLAIMED
#ifdef MUTANT_PUBLISH_LATE
       if :: claimed == owner -> claimed = none :: else fi
#else
       claimed = none
#endif
#endif
    :: else /* the owner writes by itself */
    fi
  };
  written == published;
#ifndef MUTANT_END_UNCLAIMED
  atomic { claimed == none -> claimed = owner };
#endif
  page[0] = no_page; page[1] = no_page;
  listed[0] = false; listed[1] = false;
#ifndef MUTANT_END_UNCLAIMED
  claimed = none;
#endif
end:
  owner_over = true
}

#define DIES if :: deaths < 2 -> deaths++; goto dead :: true fi

proctype io_process() {
  byte i;
  bool all;
  atomic {
    if
#ifdef MUTANT_FREE_ANY
    :: claimed != none -> claimed = none
#endif
#ifndef MUTANT_KEPT_BY_THE_DEAD
    :: claimed == carrier -> claimed = none
#endif
    :: else
    fi
  };
  do
  :: written < published ->
     i = place[written];
     assert(page[i] == there && data[i] == written + 1);
     DIES;
     written++;
     DIES
  :: relieved < 2 ->                 /* memory is short */
#ifdef MUTANT_LOOK_BEFORE_CLAIM
     all = (published == written);
#endif
     atomic {
#ifdef MUTANT_TAKE_UNCLAIMED
       true
#else
       if
       :: claimed == none -> claimed = carrier
       :: else -> goto busy
       fi
#endif
     };
     DIES;
#ifdef MUTANT_NO_LOOK
     all = true;
#else
#ifndef MUTANT_LOOK_BEFORE_CLAIM
     all = (published == written);
#endif
#endif
     if
     :: all ->
#ifndef MUTANT_TELL_LATE
        relieved++;
        DIES;
#endif
        for (i : 0 .. PAGES - 1) {
          if
          :: listed[i] ->
             assert(page[i] != no_page);
             page[i] = taken; data[i] = 0
          :: else
          fi;
          DIES
        }
#ifdef MUTANT_TELL_LATE
        relieved++
#endif
     :: else
     fi;
     DIES;
#ifndef MUTANT_TAKE_UNCLAIMED
     claimed = none;
#endif
     DIES;
busy:
     skip
  :: owner_over && written == published -> break
  od;
  finished = true;
  goto gone;
dead:
  run io_process();
gone:
  skip
}

init {
  atomic {
    run writer();
    run io_process()
  };
  finished;
  assert(written == published);
  assert(claimed == none || (claimed == owner && owner_dead))
}
