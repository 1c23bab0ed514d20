import { ApiError } from '../../platform/api/errors';
import { storedReports, type UnsentReport } from '../../platform/storage/resultsStorage';
import { request } from '../request';
import { combineTokens } from '../downloads/zips';

const reports = (): readonly UnsentReport[] => storedReports.read() ?? [];

const neverAborted = () => new AbortController().signal;

/** Stores a report until it is sent, so that a reload does not lose it. */
export const addReport = (report: UnsentReport): void => void storedReports.write([...reports(), report]);

export function removeReport(photo: string): void {
  const others = reports().filter((report) => report.photo !== photo);
  if (others.length > 0) storedReports.write(others);
  else storedReports.remove();
}

async function send({ photo, tokens }: UnsentReport): Promise<void> {
  const [first, ...others] = tokens;
  if (first === undefined) return;
  const token = others.length === 0 ? first : await combineTokens(tokens, [photo], neverAborted());
  // The page may be closed meanwhile. Nobody sees the error.
  const options = { body: { token, photo_id: photo }, signal: neverAborted(), keepalive: true };
  await request<null>('/api/face/not-me', options, '');
}

/** Whether the same request may succeed later. */
const isTransient = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status === 429 || error.status >= 500;

/**
 * Sends the stored reports, but not of the photo that can still be restored. One that could not be sent stays for the next
 * time; the guest is not told, since for them the photo is gone.
 */
export async function sendReports(undoable: string | null): Promise<void> {
  for (const report of reports()) {
    if (report.photo === undoable) continue;
    try {
      await send(report);
    } catch (error) {
      if (isTransient(error)) continue;
    }
    removeReport(report.photo);
  }
}
