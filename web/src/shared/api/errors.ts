/** A call that did not succeed. `message` is the text to show: the server's, or the default of the action. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 when no answer came (network, timeout, abort). */
  readonly status: number;
  /** The stable code of the server's refusal. */
  readonly code: string | undefined;
  /** What the server said; undefined when it said nothing readable. */
  readonly serverText: string | undefined;
  /** Seconds after which the same call may succeed; undefined where the server did not say. */
  readonly retryAfter: number | undefined;

  constructor(status: number, fallback: string, said: Refusal = {}, cause?: unknown) {
    super(said.text ?? fallback, { cause });
    this.status = status;
    this.serverText = said.text;
    this.code = said.code;
    this.retryAfter = said.retryAfter;
  }
}

/** What an answer that says no has in it. */
export interface Refusal {
  text?: string;
  code?: string;
  retryAfter?: number;
}

/** Seconds of a `Retry-After`, as our own server writes it. */
export function retryAfterIn(headers: Headers): Pick<Refusal, 'retryAfter'> {
  const seconds = Number(headers.get('Retry-After') ?? NaN);
  return Number.isFinite(seconds) && seconds > 0 ? { retryAfter: seconds } : {};
}

/** Reads `{error, code}` out of an answer's body, whatever the body is. */
export function refusalIn(body: unknown): Omit<Refusal, 'retryAfter'> {
  if (typeof body !== 'object' || body === null) return {};
  const { error, code } = body as Record<string, unknown>;
  return {
    ...(typeof error === 'string' && error !== '' && { text: error }),
    ...(typeof code === 'string' && { code }),
  };
}

/** The text to show for anything that was thrown. */
export const textOf = (thrown: unknown, fallback: string): string =>
  thrown instanceof ApiError ? thrown.message : fallback;
