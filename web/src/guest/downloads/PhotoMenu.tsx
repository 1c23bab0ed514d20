import { t } from '@lingui/core/macro';
import { useEffect, useId, useRef, useState } from 'react';
import { Icon } from '../../ui/Icon';
import { formatBytes } from '../../platform/bytes';
import type { Match } from '../search/matches';
import { useHistoryLayer } from '../useHistoryLayer';
import { failureReason } from './downloads';
import { type DownloadLinks, fetchDownloadLinks } from './photos';
import styles from './PhotoMenu.module.css';
import { canShareFiles } from './platform';
import type { Downloads } from './useDownloads';

/** A web size of more than this share of the original is no choice. */
const alike = 0.85;

const originalText = (bytes: number | null) =>
  bytes === null ? t`Original` : t`Original, ${{ size: formatBytes(bytes) }}`;
const webSizeText = (bytes: number | null) =>
  bytes === null ? t`Web size` : t`Web size, ${{ size: formatBytes(bytes) }}`;

/** The ways to save one photo: as it was uploaded, in a size for the web, or by the share sheet; and what else there is. */
export function PhotoMenu({
  match,
  position,
  downloads,
  others = [],
}: {
  match: Match;
  /** From 1. */
  position: number;
  downloads: Downloads;
  /** What else can be done with it. */
  others?: readonly { label: string; run: () => void }[];
}) {
  const [open, setOpen] = useState(false);
  const [fetched, setFetched] = useState<{ key: string; links: DownloadLinks | string } | null>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const menuId = useId();
  const key = match.s3_key;
  const saves = downloads.offered !== 'none';
  useEffect(() => {
    if (!open || key === null || !saves) return undefined;
    const controller = new AbortController();
    const load = async () => {
      try {
        const links = await fetchDownloadLinks(key, controller.signal);
        if (!controller.signal.aborted) setFetched({ key, links });
      } catch (error) {
        if (!controller.signal.aborted) setFetched({ key, links: failureReason(error) });
      }
    };
    void load();
    return () => controller.abort();
  }, [open, key, saves]);
  const choose = (action: () => void) => () => {
    setOpen(false);
    // The chosen button goes with the menu, and the keyboard would leave the viewer.
    toggle.current?.focus();
    action();
  };
  const links = fetched !== null && fetched.key === key ? fetched.links : null;
  const known = links !== null && typeof links !== 'string' ? links : null;
  const original = known?.original.bytes ?? match.size_bytes;
  const offersOriginal = saves && downloads.offered !== 'web';
  const web = known?.web ?? null;
  const offersWeb =
    web !== null &&
    !(offersOriginal && web.bytes !== null && original !== null && web.bytes > alike * original);
  useHistoryLayer(open, () => setOpen(false));
  return (
    <div
      className={styles['anchor']}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        // The viewer would close as well.
        event.stopPropagation();
        setOpen(false);
      }}
    >
      <button
        type="button"
        ref={toggle}
        className={styles['toggle']}
        aria-label={t`More for photo ${position}`}
        aria-expanded={open}
        aria-controls={open ? menuId : undefined}
        onClick={() => setOpen(!open)}
      >
        <Icon name="more" />
      </button>
      {open && (
        <div className={styles['menu']} id={menuId}>
          {offersOriginal && (
            <button type="button" onClick={choose(() => downloads.download(match, position))}>
              {originalText(original)}
            </button>
          )}
          {offersWeb && (
            <button type="button" onClick={choose(() => downloads.downloadWeb(match, position))}>
              {webSizeText(web.bytes)}
            </button>
          )}
          {saves && downloads.method === 'file' && canShareFiles() && (
            <button type="button" onClick={choose(() => downloads.shareOne(match))}>
              {t`Share`}
            </button>
          )}
          {others.map(({ label, run }) => (
            <button key={label} type="button" onClick={choose(run)}>
              {label}
            </button>
          ))}
          {typeof links === 'string' && <p role="status">{links}</p>}
        </div>
      )}
    </div>
  );
}
