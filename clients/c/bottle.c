/*
 * A simulated bottle: the client on POSIX, with a file as flash and sockets as transport. Its time is what it is ordered.
 *
 *   bottle FLASH-FILE SECTORS SECTOR-BYTES HOST PORT TOKEN TIMEOUT-MS
 *
 * It reads orders from standard input, a line each, and answers each with a line:
 *
 *   open MG PILLS | close MG PILLS TAKEN | tick MS | token TOKEN | cut BYTES (power fails after so many bytes of flash)
 *
 * Before each request it prints `request UPTIME` and waits for a line.
 */
#define _POSIX_C_SOURCE 200809L
#include "pillwatch.h"

#include <fcntl.h>
#include <inttypes.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int file = -1, entropy = -1, connection = -1;
static long cut = -1, timeout_ms;
static uint64_t uptime;
static const char *host, *port;
static struct pw_flash flash;

/* Flash: each byte on its own, so that the power can fail after any. */
static int put(uint32_t address, uint8_t byte) {
  if (cut >= 0 && cut-- == 0) raise(SIGKILL);
  return pwrite(file, &byte, 1, address) == 1 ? 0 : -1;
}

static int flash_read(void *context, uint32_t address, void *to, uint32_t length) {
  (void)context;
  return pread(file, to, length, address) == (ssize_t)length ? 0 : -1;
}

static int flash_write(void *context, uint32_t address, const void *from, uint32_t length) {
  uint8_t byte;
  for (uint32_t i = 0; i < length; i++) {
    if (flash_read(context, address + i, &byte, 1) != 0) return -1;
    if (put(address + i, byte & ((const uint8_t *)from)[i]) != 0) return -1;
  }
  return 0;
}

static int flash_erase(void *context, uint32_t sector) {
  (void)context;
  for (uint32_t i = 0; i < flash.sector_size; i++)
    if (put(sector * flash.sector_size + i, 0xff) != 0) return -1;
  return 0;
}

/* Transport: a product has TLS here. */
static int64_t began;

static int64_t monotonic(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (int64_t)at.tv_sec * 1000 + at.tv_nsec / 1000000;
}

/* Limits the next call to what is left of the time. Returns -1 if nothing is. */
static int limit(void) {
  int64_t left = began + timeout_ms - monotonic();
  struct timeval value = {left / 1000, left % 1000 * 1000};
  if (left <= 0) return -1;
  setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &value, sizeof value);
  return setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &value, sizeof value);
}

static int transport_connect(void *context) {
  struct addrinfo wanted = {0}, *found;
  char line[16];
  (void)context;
  printf("request %" PRIu64 "\n", uptime);
  if (fgets(line, sizeof line, stdin) == NULL) exit(0);
  wanted.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(host, port, &wanted, &found) != 0) return -1;
  began = monotonic();
  connection = socket(found->ai_family, SOCK_STREAM, 0);
  int result = connection < 0 || limit() != 0 ? -1 : connect(connection, found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  if (result != 0 && connection >= 0) close(connection);
  return result == 0 ? 0 : -1;
}

static int transport_send(void *context, const char *from, size_t length) {
  (void)context;
  while (length > 0) {
    ssize_t sent = limit() != 0 ? -1 : send(connection, from, length, MSG_NOSIGNAL);
    if (sent <= 0) return -1;
    from += sent;
    length -= (size_t)sent;
  }
  return 0;
}

static int transport_receive(void *context, char *to, size_t length) {
  (void)context;
  return limit() != 0 ? -1 : (int)recv(connection, to, length, 0);
}

static void transport_close(void *context) {
  (void)context;
  close(connection);
}

/* Board. */
static uint64_t board_uptime(void *context) {
  (void)context;
  return uptime;
}

static uint32_t board_random(void *context) {
  uint32_t value = 0;
  (void)context;
  if (read(entropy, &value, sizeof value) != sizeof value) abort();
  return value;
}

static void board_refused(void *context, uint32_t event, int status, const char *code) {
  (void)context;
  printf("refused %" PRIu32 " %d %s\n", event, status, code);
}

static void tick(struct pw_client *client, uint64_t ms) {
  uint64_t end = uptime + ms, wait;
  while ((wait = pw_poll(client)) <= end - uptime) uptime += wait;
  uptime = end;
}

int main(int count, char **arguments) {
  static const struct pw_transport transport = {NULL, transport_connect, transport_send, transport_receive,
                                                transport_close};
  static const struct pw_board board = {NULL, board_uptime, board_random, board_refused};
  static struct pw_client client;
  static char line[256], token[128];
  long long number;
  long mg, pills, taken;
  if (count != 8) return 2;
  setvbuf(stdout, NULL, _IOLBF, 0);
  flash.sectors = (uint32_t)atol(arguments[2]);
  flash.sector_size = (uint32_t)atol(arguments[3]);
  flash.read = flash_read;
  flash.write = flash_write;
  flash.erase = flash_erase;
  host = arguments[4];
  port = arguments[5];
  snprintf(token, sizeof token, "%s", arguments[6]);
  timeout_ms = atol(arguments[7]);
  entropy = open("/dev/urandom", O_RDONLY);
  file = open(arguments[1], O_RDWR | O_CREAT, 0600);
  if (lseek(file, 0, SEEK_END) == 0)
    for (uint32_t sector = 0; sector < flash.sectors; sector++) flash_erase(NULL, sector);
  client.board = &board;
  client.transport = &transport;
  client.host = host;
  client.token = token;
  client.battery_percent = 87;
  client.rssi_dbm = PW_UNKNOWN;
  if (pw_open(&client, &flash) != 0) return 1;
  printf("ready %" PRIu32 "\n", client.queue.waiting);
  while (fgets(line, sizeof line, stdin) != NULL) {
    if (sscanf(line, "open %ld %ld", &mg, &pills) == 2)
      printf("recorded %" PRIu32 "\n", pw_action(&client, PW_OPENED, (int32_t)mg, (int32_t)pills, 0));
    else if (sscanf(line, "close %ld %ld %ld", &mg, &pills, &taken) == 3)
      printf("recorded %" PRIu32 "\n", pw_action(&client, PW_CLOSED, (int32_t)mg, (int32_t)pills, (uint16_t)taken));
    else if (sscanf(line, "tick %lld", &number) == 1) {
      tick(&client, (uint64_t)number);
      printf("ok %" PRIu32 " %" PRIu32 " %d\n", client.queue.waiting, client.queue.lost, client.fault);
    } else if (sscanf(line, "token %127s", token) == 1) {
      pw_retry(&client);
      printf("ok\n");
    } else if (sscanf(line, "cut %ld", &cut) == 1)
      printf("ok\n");
  }
  return 0;
}
