import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** A server that takes a database's connections, before anything is passed on. */
export interface ProxyServer {
  server: Server;
  port: number;
  /** Of the same database, by this server. */
  uri: string;
  /** Where the database itself listens. */
  target: { host: string; port: number } | { path: string };
}

/** @param uri of a replica set of one, by TCP or by a Unix socket */
export async function proxyDatabase(uri: string): Promise<ProxyServer> {
  const url = new URL(uri);
  const host = decodeURIComponent(url.hostname);
  const target = host.startsWith('/') ? { path: host } : { host, port: Number(url.port) };
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  url.host = `127.0.0.1:${port}`;
  // or the driver asks the server where it lives, and goes there
  url.searchParams.delete('replicaSet');
  url.searchParams.set('directConnection', 'true');
  return { server, port, uri: url.toString(), target };
}
