import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** What a line lets through, and how long it takes from one end to the other and back. */
export interface Line {
  readonly bytesPerSecond: number;
  readonly roundTrip: number;
}

/** Chromium's 'Slow 4G', which `emulateSlowDevice` has too. */
export const SLOW_4G: Line = { bytesPerSecond: 204_800, roundTrip: 150 };

const CHUNK = 4096;

/**
 * A slow line to a server, for browsers that emulate none: all connections share its bytes, and each waits a round trip
 * before its first one, as a handshake does. Returns its address.
 */
export async function slowLineTo(url: string, line: Line): Promise<{ url: string; close: () => void }> {
  const { hostname, port } = new URL(url);
  // When the line is free again, for all connections: it sends one chunk after the other.
  let freeAt = 0;
  const paced = () =>
    new Transform({
      transform(bytes: Buffer, _, done) {
        const send = (from: number): void => {
          if (from >= bytes.length) {
            done();
            return;
          }
          const chunk = bytes.subarray(from, from + CHUNK);
          const now = performance.now();
          freeAt = Math.max(now, freeAt) + (chunk.length / line.bytesPerSecond) * 1000;
          setTimeout(() => {
            this.push(chunk);
            send(from + CHUNK);
          }, freeAt - now);
        };
        send(0);
      },
    });
  const late = (milliseconds: number) =>
    new Transform({
      transform(bytes: Buffer, _, done) {
        setTimeout(() => this.push(bytes), milliseconds);
        done();
      },
      flush(done) {
        setTimeout(done, milliseconds);
      },
    });
  const sockets = new Set<Socket>();
  const server = createServer((browser) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [browser, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      // A page that is left ends its connections as it likes.
      socket.on('error', () => [browser, upstream].forEach((each) => each.destroy()));
    }
    const half = line.roundTrip / 2;
    let opened = false;
    const handshake = new Transform({
      transform(bytes: Buffer, _, done) {
        const wait = opened ? 0 : line.roundTrip;
        opened = true;
        setTimeout(() => done(null, bytes), wait);
      },
    });
    browser.pipe(handshake).pipe(late(half)).pipe(upstream);
    upstream.pipe(paced()).pipe(late(half)).pipe(browser);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the line has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
