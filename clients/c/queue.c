/*
 * The queue in flash: a ring of slots, written in order. A slot is the record, its CRC-32 and, in a word of its own, a
 * mark that is cleared when it is done. A power cut leaves a slot whose checksum is wrong, which is skipped, or an
 * action that is done but not marked, which is sent again and recognised by its event_id.
 */
#include "pillwatch.h"

#include <string.h>

enum { CHECKSUM = sizeof(struct pw_record), MARK = PW_SLOT - 8 };
/* a record must fit before the mark; a negative size does not compile */
typedef char pw_record_fits[MARK - CHECKSUM - 4 >= 0 ? 1 : -1];

static uint32_t crc32(const uint8_t *bytes, size_t length) {
  uint32_t crc = 0xffffffffu;
  while (length-- > 0) {
    crc ^= *bytes++;
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1u ? 0xedb88320u : 0u);
  }
  return ~crc;
}

static uint32_t per_sector(const struct pw_queue *queue) { return queue->flash->sector_size / PW_SLOT; }

static uint32_t slots(const struct pw_queue *queue) { return queue->flash->sectors * per_sector(queue); }

static int is_valid(const uint8_t *slot) {
  uint32_t checksum;
  memcpy(&checksum, slot + CHECKSUM, sizeof checksum);
  return checksum == crc32(slot, CHECKSUM);
}

static int is_blank(const uint8_t *slot) {
  for (int i = 0; i < PW_SLOT; i++)
    if (slot[i] != 0xff) return 0;
  return 1;
}

/* Reads a slot. Returns whether it holds an action that is not done. */
static int read_live(const struct pw_queue *queue, uint32_t at, struct pw_record *record) {
  uint8_t slot[PW_SLOT];
  if (queue->flash->read(queue->flash->context, at * PW_SLOT, slot, PW_SLOT) != 0 || !is_valid(slot)) return 0;
  memcpy(record, slot, sizeof *record);
  return record->kind != PW_CHECKPOINT && slot[MARK] == 0xff;
}

static uint32_t live_in_sector(const struct pw_queue *queue, uint32_t sector) {
  struct pw_record record;
  uint32_t live = 0;
  for (uint32_t i = 0; i < per_sector(queue); i++)
    live += (uint32_t)read_live(queue, sector * per_sector(queue) + i, &record);
  return live;
}

/* Finds the newest record and the slot after it. Returns -1 if the flash cannot be read. */
int pw_queue_open(struct pw_queue *queue, const struct pw_flash *flash) {
  uint8_t slot[PW_SLOT];
  memset(queue, 0, sizeof *queue);
  queue->flash = flash;
  for (uint32_t at = 0; at < slots(queue); at++) {
    if (flash->read(flash->context, at * PW_SLOT, slot, PW_SLOT) != 0) return -1;
    if (is_blank(slot)) continue;
    uint32_t sector = at / per_sector(queue);
    if (is_valid(slot)) {
      struct pw_record record;
      memcpy(&record, slot, sizeof record);
      if (record.kind != PW_CHECKPOINT && slot[MARK] == 0xff) queue->waiting++;
      if (record.seq > queue->last.seq) {
        queue->last = record;
        queue->head = at + 1;
      }
    } else if (queue->last.seq > 0 && sector == (queue->head - 1) / per_sector(queue)) {
      queue->head = at + 1; /* cut while it was written */
    }
  }
  queue->head %= slots(queue);
  return 0;
}

/* Whether an action can be written without one making room for it. */
int pw_queue_has_room(const struct pw_queue *queue) {
  uint32_t size = per_sector(queue);
  return queue->head % size != 0 || live_in_sector(queue, queue->head / size) == 0;
}

/* Writes a record and gives it its seq. If the ring is full, the oldest sector makes room. Returns 0, or -1. */
int pw_queue_append(struct pw_queue *queue, struct pw_record *record) {
  const struct pw_flash *flash = queue->flash;
  uint8_t slot[PW_SLOT], written[PW_SLOT];
  record->seq = queue->last.seq + 1;
  if (record->event == 0) record->event = record->seq;
  memset(slot, 0xff, sizeof slot);
  memcpy(slot, record, sizeof *record);
  uint32_t checksum = crc32(slot, CHECKSUM);
  memcpy(slot + CHECKSUM, &checksum, sizeof checksum);
  for (uint32_t tries = 0; tries < per_sector(queue); tries++) {
    uint32_t at = queue->head;
    if (at % per_sector(queue) == 0) {
      uint32_t dropped = live_in_sector(queue, at / per_sector(queue));
      if (flash->erase(flash->context, at / per_sector(queue)) != 0) return -1;
      queue->waiting -= dropped;
      queue->lost += dropped;
    }
    queue->head = (at + 1) % slots(queue);
    if (flash->write(flash->context, at * PW_SLOT, slot, CHECKSUM + sizeof checksum) == 0 &&
        flash->read(flash->context, at * PW_SLOT, written, PW_SLOT) == 0 && memcmp(slot, written, PW_SLOT) == 0) {
      queue->last = *record;
      if (record->kind != PW_CHECKPOINT) queue->waiting++;
      return 0;
    }
  }
  return -1;
}

/* The next action that waits, oldest first. `place` begins at 0. Returns 1, or 0 after the last. */
int pw_queue_next(const struct pw_queue *queue, uint32_t *place, uint32_t *slot, struct pw_record *record) {
  uint32_t size = per_sector(queue);
  /* the sector after the one that was written last is the oldest */
  uint32_t newest = (queue->head + slots(queue) - 1) % slots(queue) / size;
  while (*place < slots(queue)) {
    *slot = ((newest + 1) * size + (*place)++) % slots(queue);
    if (read_live(queue, *slot, record)) return 1;
  }
  return 0;
}

/* The service has it, or it is given up. Returns 0, or -1: it stays. */
int pw_queue_done(struct pw_queue *queue, uint32_t slot) {
  static const uint8_t done[8] = {0};
  if (queue->flash->write(queue->flash->context, slot * PW_SLOT + MARK, done, sizeof done) != 0) return -1;
  queue->waiting--;
  return 0;
}
