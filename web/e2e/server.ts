import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = resolve(import.meta.dirname, '../..');
const START_LIMIT = 60_000;

/** A running `afterglow serve` with a data folder of its own. */
export interface Server {
  /** Scheme, host and port, as its links and mails name them. */
  readonly url: string;
  readonly outbox: string;
  /** What it has logged so far. */
  readonly log: readonly string[];
  /** What it has printed so far. */
  readonly printed: readonly string[];
  /** Runs another command of the binary on the same data. */
  run(...command: string[]): string;
  stop(): Promise<void>;
}

/** The binary under test. */
export function binaryPath(): string {
  const binary =
    process.env['E2E_BINARY'] ??
    join(process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target'), 'debug/afterglow');
  if (!existsSync(binary)) throw new Error(`${binary} is not there: cargo build`);
  return binary;
}

/** Starts it, with these settings beside those of every test, and these options. */
export async function startServer(
  settings: Record<string, string> = {},
  options: readonly string[] = [],
): Promise<Server> {
  const binary = binaryPath();
  const data = mkdtempSync(join(tmpdir(), 'afterglow-e2e-'));
  const env = {
    ...withoutSettings(process.env),
    AFTERGLOW_LISTEN: '127.0.0.1:0',
    AFTERGLOW_DATA_DIR: join(data, 'data'),
    AFTERGLOW_MODEL_DIR: join(ROOT, 'models'),
    // The suite is one address and logs in more often than a person.
    AFTERGLOW_RATE_LIMITS: 'off',
    AFTERGLOW_FTP_LISTEN: '127.0.0.1:0',
    AFTERGLOW_FTP_PLAIN: 'on',
    ...settings,
  };
  const child = spawn(binary, ['serve', ...options], { cwd: data, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const run = (...command: string[]) => execFileSync(binary, command, { cwd: data, env, encoding: 'utf8' });
  const log: string[] = [];
  const printed: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => printed.push(line));
  const stop = async () => {
    await ended(child);
    rmSync(data, { recursive: true, force: true });
  };
  try {
    const url = await listening(child, log);
    return { url, outbox: join(data, 'data/outbox'), log, printed, run, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The settings of whoever runs the tests must not reach the server under test. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('AFTERGLOW_')));
}

/** Where `cargo xtask test` collects the logs of all servers, to look for what no log may have. */
function collectLog(child: ChildProcess, line: string): void {
  const folder = process.env['SERVER_LOGS'];
  if (folder !== undefined) appendFileSync(join(folder, `e2e-${String(child.pid ?? 0)}.log`), `${line}\n`);
}

/** The address in the log line that says where the server listens. */
function listening(child: ChildProcess, log: string[]): Promise<string> {
  return new Promise((found, fail) => {
    const said = () => `\n${log.join('\n')}`;
    const limit = setTimeout(
      () => fail(new Error(`the server did not listen in time:${said()}`)),
      START_LIMIT,
    );
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`the server ended with ${code ?? 'a signal'}:${said()}`)));
    if (child.stderr === null) throw new Error('the log is not piped');
    createInterface({ input: child.stderr }).on('line', (coloured) => {
      const line = coloured.replaceAll(/\u001b\[[0-9;]*m/g, '');
      log.push(line);
      collectLog(child, line);
      const url = /listening.*url="?(http:\/\/[^" ]+)/.exec(line)?.[1];
      if (url === undefined) return;
      clearTimeout(limit);
      found(url);
    });
  });
}

/** Asks the process to stop, and insists after its own time limit has passed. */
function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((done) => {
    const limit = setTimeout(() => child.kill('SIGKILL'), 35_000);
    child.once('exit', () => {
      clearTimeout(limit);
      done();
    });
    child.kill('SIGTERM');
  });
}
