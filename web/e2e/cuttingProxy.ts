import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A line to the server that can break. */
export interface CuttingProxy {
  readonly url: string;
  /** How often it has broken. */
  cuts(): number;
  stop(): Promise<void>;
}

/** Passes on what is sent to `target`, and breaks the first `times` connections that carry `bytes` bytes there. */
export async function startCuttingProxy(target: string, bytes: number, times: number): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let cuts = 0;
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    let carried = 0;
    let isCut = false;
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    client.on('data', (chunk) => {
      if (isCut) return;
      carried += chunk.length;
      if (cuts < times && carried >= bytes) {
        cuts += 1;
        isCut = true;
        client.pause();
        server.unpipe(client);
        server.resume();
        // What was carried arrives, however busy the server is, and the client is told after that.
        server.end(chunk);
      } else if (!server.write(chunk)) {
        client.pause();
        server.once('drain', () => client.resume());
      }
    });
    server.pipe(client);
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cuts: () => cuts,
    stop: () =>
      new Promise((stopped) => {
        proxy.close(() => stopped());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
