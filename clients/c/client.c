/* What the bottle sends when, and what it does with each response. */
#include "pillwatch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SECOND ((int64_t)1000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)

static const int64_t FIRST_TIME = 1767225600000; /* 2026-01-01: a clock that was never set begins here */
static const int64_t CLOCK_ERROR = 30 * SECOND;  /* a clock that is off by more is set; the service tolerates 2 minutes */

static uint64_t uptime(const struct pw_client *c) { return c->board->uptime_ms(c->board->context); }

static int64_t now(const struct pw_client *c) { return (int64_t)uptime(c) + c->offset_ms; }

int pw_open(struct pw_client *c, const struct pw_flash *flash) {
  if (pw_queue_open(&c->queue, flash) != 0) return -1;
  const struct pw_record *last = &c->queue.last;
  c->life = last->seq > 0 ? last->life : c->board->random(c->board->context);
  /* until the service says what time it is, the clock goes on from the last record */
  c->offset_ms = (last->seq > 0 ? last->time_ms : FIRST_TIME) - (int64_t)uptime(c);
  c->adjusted_ms = last->adjusted_ms;
  c->synced = c->asked = c->fault = 0;
  c->wait_ms = c->after = 0;
  c->limit = PW_BATCH;
  c->next_try = c->next_heartbeat = c->next_refused = uptime(c);
  return 0;
}

void pw_retry(struct pw_client *c) {
  c->next_try = uptime(c);
  c->wait_ms = 0;
}

static uint32_t record(struct pw_client *c, struct pw_record *action) {
  action->life = c->life;
  action->time_ms = now(c);
  action->adjusted_ms = c->adjusted_ms;
  action->synced = (uint8_t)c->synced;
  return pw_queue_append(&c->queue, action) == 0 ? action->event : 0;
}

uint32_t pw_action(struct pw_client *c, enum pw_kind kind, int32_t mass_mg, int32_t pills, uint16_t pills_taken) {
  struct pw_record action = {0};
  action.kind = (uint8_t)kind;
  action.mass_mg = mass_mg;
  action.pills = pills;
  action.pills_taken = pills_taken;
  return record(c, &action);
}

/* Sets the clock by the response's Date, a whole second. Records keep their times: they know what clock they are of. */
static void set_clock(struct pw_client *c, int64_t date_ms) {
  int64_t difference = date_ms + SECOND / 2 - now(c);
  int is_off = difference > CLOCK_ERROR || difference < -CLOCK_ERROR;
  if (date_ms < FIRST_TIME || (c->synced && !is_off)) return;
  c->offset_ms += difference;
  c->adjusted_ms += difference;
  c->synced = 1;
  struct pw_record checkpoint = {0};
  if (is_off && pw_queue_has_room(&c->queue)) record(c, &checkpoint);
}

/* The clock that the action was recorded with, counted on until now: what `sent_at` has to be. */
static int64_t clock_of(const struct pw_client *c, const struct pw_record *action) {
  return action->synced ? now(c) : now(c) - (c->adjusted_ms - action->adjusted_ms);
}

static void retry_later(struct pw_client *c, uint32_t retry_after_s) {
  c->wait_ms = c->wait_ms == 0 ? 5 * SECOND : c->wait_ms < 7 * MINUTE ? c->wait_ms * 2 : 15 * MINUTE;
  uint32_t wait = retry_after_s > 0 ? retry_after_s * 1000 : c->wait_ms;
  c->next_try = uptime(c) + wait + c->board->random(c->board->context) % (wait / 2 + 1);
}

/* ISO 8601 with milliseconds. Returns the number of characters. */
static int print_time(char *to, size_t size, int64_t ms) {
  int64_t days = ms / (24 * HOUR), rest = ms % (24 * HOUR);
  /* the civil calendar, in years that begin in March */
  int64_t since = days + 719468, era = since / 146097, of_era = since % 146097;
  int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  int64_t day = of_era - (365 * year + year / 4 - year / 100);
  int64_t month = (5 * day + 2) / 153;
  year += era * 400 + (month >= 10);
  return snprintf(to, size, "\"%04d-%02d-%02dT%02d:%02d:%02d.%03dZ\"", (int)year,
                  (int)(month < 10 ? month + 3 : month - 9), (int)(day - (153 * month + 2) / 5 + 1),
                  (int)(rest / HOUR), (int)(rest / MINUTE % 60), (int)(rest / SECOND % 60), (int)(rest % SECOND));
}

static size_t print_heartbeat(struct pw_client *c) {
  size_t used = 0;
  const char *before = "{";
  if (c->synced) {
    used += (size_t)sprintf(c->body, "{\"sent_at\":");
    used += (size_t)print_time(c->body + used, 40, now(c));
    before = ",";
  }
  if (c->battery_percent != PW_UNKNOWN) {
    used += (size_t)sprintf(c->body + used, "%s\"battery_percent\":%" PRId32, before, c->battery_percent);
    before = ",";
  }
  if (c->rssi_dbm != PW_UNKNOWN) {
    used += (size_t)sprintf(c->body + used, "%s\"rssi_dbm\":%" PRId32, before, c->rssi_dbm);
    before = ",";
  }
  return used + (size_t)sprintf(c->body + used, "%s", *before == '{' ? "{}" : "}");
}

/* The fields of an action, without the braces. At most 200 characters. */
static size_t print_action(char *to, const struct pw_record *action) {
  size_t used = (size_t)sprintf(to, "\"action\":\"%s\",\"event_id\":\"%08" PRIx32 "-%" PRIu32 "\",\"time\":",
                                action->kind == PW_OPENED ? "opened" : "closed", action->life, action->event);
  used += (size_t)print_time(to + used, 40, action->time_ms);
  if (action->mass_mg != PW_UNKNOWN) {
    int32_t mg = action->mass_mg < 0 ? 0 : action->mass_mg;
    used += (size_t)sprintf(to + used, ",\"mass_of_contents\":%" PRId32 ".%03d", mg / 1000, (int)(mg % 1000));
  }
  if (action->pills != PW_UNKNOWN) used += (size_t)sprintf(to + used, ",\"number_of_pills\":%" PRId32, action->pills);
  if (action->kind == PW_CLOSED) used += (size_t)sprintf(to + used, ",\"pills_taken\":%u", (unsigned)action->pills_taken);
  return used;
}

/* Collects the oldest actions of one clock: new ones, or refused ones whose turn it is. Returns how many. */
static uint32_t collect(struct pw_client *c, int refused) {
  struct pw_record action;
  uint32_t place = 0, slot, count = 0;
  if (c->queue.waiting == 0) return 0;
  while (count < c->limit && pw_queue_next(&c->queue, &place, &slot, &action)) {
    if ((action.refused_ms != 0) != refused || (refused && action.seq <= c->after)) continue;
    if (count > 0 && (action.synced != c->sent[0].synced ||
                      (!action.synced && action.adjusted_ms != c->sent[0].adjusted_ms)))
      break;
    c->slots[count] = slot;
    c->sent[count++] = action;
  }
  return count;
}

/* One action is a report of its own, several are a batch. `count` becomes as many as there is room for. */
static size_t print_actions(struct pw_client *c, uint32_t *count) {
  size_t used = (size_t)sprintf(c->body, "{\"sent_at\":");
  used += (size_t)print_time(c->body + used, 40, clock_of(c, &c->sent[0]));
  if (*count == 1) {
    c->body[used++] = ',';
    used += print_action(c->body + used, &c->sent[0]);
    return used + (size_t)sprintf(c->body + used, "}");
  }
  used += (size_t)sprintf(c->body + used, ",\"items\":[");
  for (uint32_t i = 0; i < *count; i++) {
    if (used + 256 > sizeof c->body) {
      *count = i;
    } else {
      used += (size_t)sprintf(c->body + used, "%s{\"type\":\"action\",", i > 0 ? "," : "");
      used += print_action(c->body + used, &c->sent[i]);
      c->body[used++] = '}';
    }
  }
  return used + (size_t)sprintf(c->body + used, "]}");
}

/* Not understood: kept for a day, at the end of the queue, and sent again each hour. A fix of the service may read it. */
static void refuse(struct pw_client *c, uint32_t i, int status, const char *code) {
  struct pw_record *action = &c->sent[i];
  int64_t refused_ms = action->refused_ms;
  c->board->refused(c->board->context, action->event, status, code);
  if (refused_ms == 0) {
    struct pw_record kept = *action;
    kept.refused_ms = now(c);
    if (!pw_queue_has_room(&c->queue) || pw_queue_append(&c->queue, &kept) != 0) c->queue.lost++;
    c->next_refused = uptime(c) + HOUR;
    pw_queue_done(&c->queue, c->slots[i]);
  } else if (now(c) - refused_ms >= 24 * HOUR) {
    pw_queue_done(&c->queue, c->slots[i]);
  }
}

static int is_stored(int status) { return status >= 200 && status < 300; }

/* Also a redirection: it is a Wi-Fi login page. */
static int is_temporary(int status) {
  return status < 200 || (status >= 300 && status < 400) || status == 408 || status == 429 || status >= 500;
}

/* It is about the report. Any other refusal is about the bottle, its token or its firmware. */
static int is_about_report(int status) { return status == 400 || status == 409 || status == 413 || status == 422; }

/* What each response means for the actions that were sent. 0 actions are a heartbeat. */
static void settle(struct pw_client *c, uint32_t count) {
  const struct pw_answer *answer = &c->answer;
  if (answer->date_ms > 0) set_clock(c, answer->date_ms);
  if (answer->status > 0) c->asked = 1;
  if (is_temporary(answer->status)) {
    retry_later(c, answer->retry_after_s);
  } else if (is_stored(answer->status)) {
    int again = 0;
    c->fault = 0;
    for (uint32_t i = 0; i < count; i++) {
      int status = i < answer->items ? answer->item_status[i] : 0;
      if (is_temporary(status)) again = 1;
      else if (!is_stored(status)) refuse(c, i, status, answer->code[i]);
      else if (pw_queue_done(&c->queue, c->slots[i]) != 0) again = 1;
    }
    c->limit = c->limit < PW_BATCH / 2 ? c->limit * 2 : PW_BATCH;
    if (again) retry_later(c, answer->retry_after_s);
    else c->wait_ms = 0;
  } else if (!is_about_report(answer->status)) {
    c->board->refused(c->board->context, 0, answer->status, answer->code[0]);
    c->fault = answer->status;
    c->next_try = uptime(c) + HOUR + c->board->random(c->board->context) % (HOUR / 2);
  } else if (count == 1) {
    refuse(c, 0, answer->status, answer->code[0]);
  } else if (count > 1) {
    c->limit = count / 2; /* smaller: until the one that it is about is alone */
  } else {
    c->board->refused(c->board->context, 0, answer->status, answer->code[0]);
  }
}

static void send_actions(struct pw_client *c, uint32_t count, int refused) {
  size_t length = print_actions(c, &count);
  pw_request(c->transport, c->host, c->token, count > 1 ? "/v1/batch" : "/v1/actions", c->body, length, &c->answer);
  settle(c, count);
  if (refused && !is_temporary(c->answer.status) && (count == 1 || !is_about_report(c->answer.status)))
    c->after = c->sent[count - 1].seq;
}

static void send_heartbeat(struct pw_client *c) {
  pw_request(c->transport, c->host, c->token, "/v1/heartbeats", c->body, print_heartbeat(c), &c->answer);
  settle(c, 0);
  /* a little less than 30 minutes, so that a fleet that starts at once does not stay in step */
  if (is_stored(c->answer.status) || is_about_report(c->answer.status))
    c->next_heartbeat = uptime(c) + 30 * MINUTE - c->board->random(c->board->context) % (3 * MINUTE);
  else if (c->answer.status > 0)
    c->next_heartbeat = c->next_try + MINUTE; /* a service that cannot store heartbeats may still store actions */
}

uint64_t pw_poll(struct pw_client *c) {
  uint64_t at = uptime(c);
  uint32_t count;
  if (at < c->next_try) return c->next_try - at;
  /* after power-on first a heartbeat: its response says what time it is */
  if (!c->asked || at >= c->next_heartbeat) {
    send_heartbeat(c);
  } else if ((count = collect(c, 0)) > 0) {
    send_actions(c, count, 0);
  } else if (c->queue.waiting > 0 && at >= c->next_refused && (count = collect(c, 1)) > 0) {
    send_actions(c, count, 1);
  } else {
    if (c->queue.waiting > 0 && at >= c->next_refused) {
      c->after = 0;
      c->next_refused = at + HOUR;
    }
    return (c->queue.waiting > 0 && c->next_refused < c->next_heartbeat ? c->next_refused : c->next_heartbeat) - at;
  }
  at = uptime(c);
  return c->next_try > at ? c->next_try - at : 0;
}
