/* One HTTP request and what is needed of its response, read byte by byte: no buffer for the body. */
#include "pillwatch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the reader is in a JSON text. */
struct scanner {
  struct pw_answer *answer;
  uint32_t depth, length;
  int in_string, escaped;
  char key[12], text[24]; /* the last name, and the string or number being read */
};

/*
 * A value has ended. Of interest are `status` and `code` of a batch's items, `code` of a problem, and of a single action
 * the `id` with which it is stored: without it the response is somebody else's, such as a Wi-Fi login page.
 */
static void scan_value(struct scanner *scanner) {
  struct pw_answer *answer = scanner->answer;
  scanner->text[scanner->length] = '\0';
  if (scanner->depth == 3 && answer->items < PW_BATCH) {
    if (strcmp(scanner->key, "status") == 0) answer->item_status[answer->items] = atoi(scanner->text);
    if (strcmp(scanner->key, "code") == 0) strcpy(answer->code[answer->items], scanner->text);
  }
  if (scanner->depth == 1 && strcmp(scanner->key, "code") == 0) strcpy(answer->code[0], scanner->text);
  if (scanner->depth == 1 && strcmp(scanner->key, "id") == 0) {
    answer->item_status[0] = answer->status;
    if (answer->items == 0) answer->items = 1;
  }
  scanner->key[0] = '\0';
  scanner->length = 0;
}

static void scan(struct scanner *scanner, char c) {
  if (scanner->in_string && scanner->escaped) {
    scanner->escaped = 0;
  } else if (scanner->in_string && c == '\\') {
    scanner->escaped = 1;
  } else if (c == '"') {
    scanner->in_string = !scanner->in_string;
    if (scanner->in_string) scanner->length = 0;
  } else if (scanner->in_string || isalnum((unsigned char)c)) {
    if (scanner->length < sizeof scanner->text - 1) scanner->text[scanner->length++] = c;
  } else if (c == ':') {
    scanner->text[scanner->length] = '\0';
    snprintf(scanner->key, sizeof scanner->key, "%.11s", scanner->text);
    scanner->length = 0;
  } else if (c == ',' || c == '}' || c == ']') {
    scan_value(scanner);
    if (c == '}' && scanner->depth == 3 && scanner->answer->items < PW_BATCH) scanner->answer->items++;
    if (c != ',' && scanner->depth > 0) scanner->depth--;
  } else if (c == '{' || c == '[') {
    scanner->key[0] = '\0';
    scanner->depth++;
  }
}

/* `Sun, 01 Mar 2026 08:00:00 GMT` as ms since 1970, or 0. */
static int64_t parse_date(const char *text) {
  static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
  char name[4];
  int day, year, hour, minute, second;
  if (sscanf(text, "%*[^,], %d %3s %d %d:%d:%d GMT", &day, name, &year, &hour, &minute, &second) != 6) return 0;
  const char *found = strstr(months, name);
  if (found == NULL || strlen(name) != 3 || year < 1970 || year > 9999 || day < 1 || day > 31) return 0;
  /* days of the civil calendar, in years that begin in March */
  int month = (int)(found - months) / 3 + 1;
  int64_t y = year - (month <= 2);
  int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  int64_t days = y * 365 + y / 4 - y / 100 + y / 400 + day_of_year - 719468;
  return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000;
}

/* The value if the line is this header, or NULL. `name` is in lower case and ends with a colon. */
static const char *header(const char *line, const char *name) {
  while (*name != '\0')
    if (tolower((unsigned char)*line++) != *name++) return NULL;
  while (*line == ' ') line++;
  return line;
}

static void read_head(struct pw_answer *answer, const char *line, int is_first) {
  const char *value;
  int status;
  if (is_first) {
    if (sscanf(line, "HTTP/1.%*1d %3d", &status) == 1) answer->status = status;
  } else if ((value = header(line, "date:")) != NULL) {
    answer->date_ms = parse_date(value);
  } else if ((value = header(line, "retry-after:")) != NULL && isdigit((unsigned char)*value)) {
    unsigned long seconds = strtoul(value, NULL, 10);
    answer->retry_after_s = seconds < 86400 ? (uint32_t)seconds : 86400;
  }
}

static void receive(const struct pw_transport *transport, struct pw_answer *answer) {
  struct scanner scanner = {0};
  char chunk[128], line[96];
  size_t length = 0;
  int in_head = 1, is_first = 1, count;
  scanner.answer = answer;
  while ((count = transport->receive(transport->context, chunk, sizeof chunk)) > 0) {
    for (int i = 0; i < count; i++) {
      if (!in_head) {
        scan(&scanner, chunk[i]);
      } else if (chunk[i] != '\n') {
        if (chunk[i] != '\r' && length < sizeof line - 1) line[length++] = chunk[i];
      } else if (length > 0) {
        line[length] = '\0';
        read_head(answer, line, is_first);
        length = 0;
        is_first = 0;
      } else {
        in_head = 0;
      }
    }
  }
  if (in_head) answer->status = 0; /* cut: nobody knows */
}

/*
 * Posts a body. HTTP/1.0: the response ends with the connection and is never chunked. What arrived of a response that
 * was cut counts as far as it goes: answer->items are the results that arrived whole.
 */
void pw_request(const struct pw_transport *transport, const char *host, const char *token, const char *path,
                const char *body, size_t length, struct pw_answer *answer) {
  char head[384];
  memset(answer, 0, sizeof *answer);
  int size = snprintf(head, sizeof head,
                      "POST %s HTTP/1.0\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"
                      "Content-Type: application/json\r\nContent-Length: %lu\r\n\r\n",
                      path, host, token, (unsigned long)length);
  if (size < 0 || (size_t)size >= sizeof head || transport->connect(transport->context) != 0) return;
  if (transport->send(transport->context, head, (size_t)size) == 0 &&
      transport->send(transport->context, body, length) == 0)
    receive(transport, answer);
  transport->close(transport->context);
}
