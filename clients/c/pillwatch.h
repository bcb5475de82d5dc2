/*
 * Pillwatch's reference client for pill bottles: C99, no heap, no operating system. It sends heartbeats, keeps actions
 * in flash until the service has stored them, and repeats them as docs/device-integration.md asks.
 *
 * The firmware brings a board, a flash and a transport (bottle.c has all three for POSIX), calls pw_open() once after
 * power-on, pw_action() when the lid moves, and pw_poll() whenever the time that it returned has passed. All calls come
 * from one task: an interrupt only wakes it.
 */
#ifndef PILLWATCH_H
#define PILLWATCH_H

#include <stddef.h>
#include <stdint.h>

#define PW_UNKNOWN INT32_MIN /* a weight, count or vital that the bottle does not know: it is left out */
#define PW_BATCH 20          /* most actions in one request */
#define PW_BUFFER 4096       /* bytes of a request's body, at least 1024 */
#define PW_SLOT 64           /* bytes of an action in flash */

/* Flash that is written in order. An erased byte is 0xff; a write clears bits only. All return 0, or -1. */
struct pw_flash {
  void *context;
  uint32_t sectors;     /* at least 2 */
  uint32_t sector_size; /* bytes, a multiple of PW_SLOT; all sectors but one hold actions that wait */
  int (*read)(void *context, uint32_t address, void *to, uint32_t length);
  int (*write)(void *context, uint32_t address, const void *from, uint32_t length);
  int (*erase)(void *context, uint32_t sector);
};

/* One connection at a time, with TLS in a product. Sending and receiving give up 15 s after connect(). */
struct pw_transport {
  void *context;
  int (*connect)(void *context);                                 /* 0, or -1 */
  int (*send)(void *context, const char *from, size_t length);   /* 0 when all of it is sent, or -1 */
  int (*receive)(void *context, char *to, size_t length);        /* how many bytes, 0 at the end, or -1 */
  void (*close)(void *context);
};

struct pw_board {
  void *context;
  uint64_t (*uptime_ms)(void *context); /* since power-on, never back */
  uint32_t (*random)(void *context);    /* unpredictable: names the bottle's events, and spreads retries */
  /* A report was refused, or with event 0 a whole request: status and code are for the log. */
  void (*refused)(void *context, uint32_t event, int status, const char *code);
};

enum pw_kind { PW_CHECKPOINT = 0, PW_OPENED = 1, PW_CLOSED = 2 };

/* An action as it is in flash. Its times are of the clock that the bottle had then, and never change. */
struct pw_record {
  uint32_t seq;        /* place in the queue */
  uint32_t event;      /* the seq that it was recorded with: `life-event` is its event_id */
  int64_t time_ms;     /* since 1970, by the bottle's clock */
  int64_t adjusted_ms; /* by how much that clock had been set in all, until then */
  int64_t refused_ms;  /* when the service refused it first, or 0 */
  uint32_t life;       /* drawn when the flash was empty: a factory reset names no event again */
  int32_t mass_mg;
  int32_t pills;
  uint16_t pills_taken;
  uint8_t kind;
  uint8_t synced; /* the clock had been set by the service since power-on */
};

struct pw_queue {
  const struct pw_flash *flash;
  struct pw_record last; /* the newest */
  uint32_t head;         /* the slot that is written next */
  uint32_t waiting;      /* actions in it, refused ones included */
  uint32_t lost;         /* actions that had to make room since power-on */
};

int pw_queue_open(struct pw_queue *queue, const struct pw_flash *flash);
int pw_queue_append(struct pw_queue *queue, struct pw_record *record);
int pw_queue_has_room(const struct pw_queue *queue);
int pw_queue_next(const struct pw_queue *queue, uint32_t *place, uint32_t *slot, struct pw_record *record);
int pw_queue_done(struct pw_queue *queue, uint32_t slot);

/* What came back. */
struct pw_answer {
  int status;          /* 0 without a response */
  int64_t date_ms;     /* since 1970, or 0 */
  uint32_t retry_after_s;
  uint32_t items;      /* results that arrived whole: of a batch, or the one of a single action */
  int item_status[PW_BATCH];
  char code[PW_BATCH][24]; /* of each item; of a whole request in the first */
};

void pw_request(const struct pw_transport *transport, const char *host, const char *token, const char *path,
                const char *body, size_t length, struct pw_answer *answer);

struct pw_client {
  const struct pw_board *board;
  const struct pw_transport *transport;
  const char *host;  /* for the header; name and port as in the URL */
  const char *token; /* pwb_... ; after a change call pw_retry() */
  int32_t battery_percent, rssi_dbm; /* vitals for the next heartbeat, or PW_UNKNOWN */
  int fault;         /* the status with which the service refuses this bottle, or 0: show it */

  struct pw_queue queue;
  uint32_t life;
  int64_t offset_ms, adjusted_ms; /* the clock is uptime and offset */
  int synced, asked;
  uint64_t next_try, next_heartbeat, next_refused; /* uptimes */
  uint32_t wait_ms;  /* before the last retry */
  uint32_t limit;    /* actions in the next request */
  uint32_t after;    /* refused ones up to this seq have had their turn */
  uint32_t slots[PW_BATCH];
  struct pw_record sent[PW_BATCH];
  struct pw_answer answer;
  char body[PW_BUFFER];
};

/* The caller has set board, transport, host, token and the vitals. Returns 0, or -1 if the flash cannot be read. */
int pw_open(struct pw_client *client, const struct pw_flash *flash);
/* Returns the event's number once the action is in flash, or 0 if it cannot be written. */
uint32_t pw_action(struct pw_client *client, enum pw_kind kind, int32_t mass_mg, int32_t pills, uint16_t pills_taken);
/* Sends what is due, one request at most. Returns after how many ms to call again; after pw_action() call at once. */
uint64_t pw_poll(struct pw_client *client);
/* Forgets a wait: the token or the network has changed. */
void pw_retry(struct pw_client *client);

#endif
