import { t } from '@lingui/core/macro';
import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { useSnackbar } from '../../ui/useSnackbar';
import { photoName } from '../photoName';
import { matchId, type SearchResult } from '../search/matches';
import type { InAppBrowser } from './inAppBrowsers';
import { resultsLink } from './resultsLink';
import type { Downloads } from './useDownloads';
import type WayOut from './WayOut';
import { combineTokens, withRenewal, type ZipPorts } from './zips';

type Dialog = ComponentType<Parameters<typeof WayOut>[0]>;

interface Prepared {
  WayOut: Dialog;
  link: string;
}

/** Prepares the link to these results, and shows the way out when the guest wants to save in an in-app browser. */
export function LeaveDialog({
  browser,
  slug,
  result,
  downloads,
  renewDownloadTokens,
}: {
  browser: InAppBrowser;
  slug: string;
  result: SearchResult;
  downloads: Downloads;
  renewDownloadTokens: ZipPorts['renewTokens'];
}) {
  const { leaving, stay } = downloads;
  const show = useSnackbar();
  const [prepared, setPrepared] = useState<Prepared | null>(null);
  const wanted = leaving !== null;
  const makeLink = useEffectEvent(async (signal: AbortSignal) => {
    const ids = result.matches.flatMap(({ photo_id }) => photo_id ?? []);
    const combine = (tokens: readonly string[], of: readonly string[]) => combineTokens(tokens, of, signal);
    const renew = () => renewDownloadTokens(signal);
    return resultsLink(slug, await withRenewal(result.downloadTokens, ids, renew, combine));
  });
  useEffect(() => {
    if (!wanted) return undefined;
    const controller = new AbortController();
    const prepare = async () => {
      try {
        const [{ default: component }, link] = await Promise.all([
          import('./WayOut'),
          makeLink(controller.signal),
        ]);
        if (!controller.signal.aborted) setPrepared({ WayOut: component, link });
      } catch {
        if (controller.signal.aborted) return;
        show({ tone: 'error', text: t`The link to your photos could not be made. Please try again.` });
        stay();
      }
    };
    void prepare();
    return () => controller.abort();
  }, [wanted, show, stay]);

  if (leaving === null || prepared === null) return null;
  const { match } = leaving;
  const place = match === null ? 0 : result.matches.findIndex((each) => matchId(each) === matchId(match)) + 1;
  const url = match?.url ?? match?.thumbnail_url ?? null;
  return (
    <prepared.WayOut
      browser={browser}
      photo={
        url === null
          ? null
          : { url, alt: photoName(place, result.matches.length, null, match?.captured_at ?? null) }
      }
      resultsLink={prepared.link}
      onSend={() => {
        if (match !== null) downloads.sendToBrowser(match);
      }}
      onClose={stay}
    />
  );
}
