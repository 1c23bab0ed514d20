/** A call that did not succeed. `message` is the text to show: the server's, or the default of the action. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 when no answer came (network, timeout, abort). */
  readonly status: number;
  /** The stable code of the server's refusal. */
  readonly code: string | undefined;
  /** What the server said; undefined when it said nothing readable. */
  readonly serverText: string | undefined;

  constructor(status: number, fallback: string, serverText?: string, code?: string, cause?: unknown) {
    super(serverText ?? fallback, { cause });
    this.status = status;
    this.serverText = serverText;
    this.code = code;
  }
}

/** Reads `{error, code}` out of an answer's body, whatever the body is. */
export function refusalIn(body: unknown): { text?: string; code?: string } {
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
