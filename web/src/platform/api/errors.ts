import { type ErrorDetails, refusalText } from './refusals';

/** A failed API call. `message` can be shown to the user: the server's, or the fallback of the call. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 without a response (network error, timeout, abort). */
  readonly status: number;
  /** The stable `code` of the error body. */
  readonly code: string | undefined;
  /** The `error` text of the error body; undefined when the body could not be parsed. */
  readonly serverMessage: string | undefined;
  /** Seconds of the `Retry-After` header; undefined without one. */
  readonly retryAfter: number | undefined;
  /** The error body, for what an endpoint says beside its text. */
  readonly body: unknown;

  constructor(status: number, fallback: string, details: ErrorDetails = {}, cause?: unknown) {
    super(details.message ?? fallback, { cause });
    this.status = status;
    this.serverMessage = details.message;
    this.code = details.code;
    this.retryAfter = details.retryAfter;
    this.body = details.body;
  }
}

/** Parses `Retry-After` in its form of seconds, the only one that the server sends. */
export function parseRetryAfter(headers: Headers): Pick<ErrorDetails, 'retryAfter'> {
  const seconds = Number(headers.get('Retry-After') ?? NaN);
  return Number.isFinite(seconds) && seconds > 0 ? { retryAfter: seconds } : {};
}

/** Parses `{error, code}` from a body of any shape. */
export function parseErrorBody(body: unknown): Omit<ErrorDetails, 'retryAfter' | 'body'> {
  if (typeof body !== 'object' || body === null) return {};
  const { error, code } = body as Record<string, unknown>;
  return {
    ...(typeof error === 'string' && error !== '' && { message: error }),
    ...(typeof code === 'string' && { code }),
  };
}

/** The error of a response that is not a success. Its message is the server's, or `fallback`. */
export function errorOfResponse({ status, headers }: Response, body: unknown, fallback: string): ApiError {
  const details: ErrorDetails = { ...parseErrorBody(body), ...parseRetryAfter(headers) };
  const message = refusalText(details);
  return new ApiError(status, fallback, {
    ...details,
    body,
    ...(message !== undefined && { message }),
  });
}

/** The message to show for a thrown value. */
export const errorMessage = (error: unknown, fallback: string): string =>
  error instanceof ApiError ? error.message : fallback;
