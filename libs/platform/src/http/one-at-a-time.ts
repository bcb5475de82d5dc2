import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Route = (request: IncomingMessage, response: ServerResponse) => void;
type Exchange = [IncomingMessage, ServerResponse];

/** So many requests of a connection may wait before no more of it is read. */
const MOST_WAITING = 64;

const STATE = Symbol('requests of the connection');
const PIPELINED = Symbol('sent before the response to another');

/** The requests of a connection. */
interface State {
  isBusy: boolean;
  /** Whether nothing more is read. */
  isPaused: boolean;
  readonly waiting: Exchange[];
}

type Connection = Socket & { [STATE]?: State };

/** Whether the client sent it before it had the response to another request on the connection. */
export const isPipelined = (request: IncomingMessage): boolean => PIPELINED in request;

/**
 * Begins a request when the response to the one before it on its connection has been sent. Responses go out in this
 * order anyway; node would begin all requests of a connection at once, and one client could have thousands in progress.
 * Of all connections together one that waited begins in each turn of the event loop, so that the requests of who does not
 * pipeline come in between.
 */
export function oneAtATime(route: Route): Route {
  /** Connections whose next request may begin. */
  const ready: Connection[] = [];

  function begin(request: IncomingMessage, response: ServerResponse, state: State): void {
    state.isBusy = true;
    response.on('close', onClose);
    route(request, response);
  }

  function onClose(this: ServerResponse): void {
    const connection = this.req.socket as Connection;
    const state = connection[STATE]!;
    state.isBusy = false;
    if (state.waiting.length > 0 && ready.push(connection) === 1) setImmediate(turn);
  }

  function turn(): void {
    const connection = ready.shift()!;
    if (ready.length > 0) setImmediate(turn);
    next(connection, connection[STATE]!);
  }

  function next(connection: Connection, state: State): void {
    if (connection.destroyed) return void state.waiting.splice(0);
    const exchange = state.waiting.shift();
    if (state.isPaused && state.waiting.length < MOST_WAITING / 2) {
      state.isPaused = false;
      connection.resume();
    }
    if (exchange) begin(...exchange, state);
  }

  return (request, response) => {
    const connection = request.socket as Connection;
    const state = (connection[STATE] ??= { isBusy: false, isPaused: false, waiting: [] });
    if (!state.isBusy && state.waiting.length === 0) return begin(request, response, state);
    Object.assign(request, { [PIPELINED]: true });
    if (state.waiting.push([request, response]) < MOST_WAITING) return;
    state.isPaused = true;
    connection.pause();
  };
}
