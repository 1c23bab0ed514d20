import { plural, t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { zipPath } from '../../platform/api/links';
import { formatBytes } from '../../platform/bytes';
import { Alert } from '../../ui/Alert';
import { ProgressBar } from '../../ui/ProgressBar';
import { saveFile } from '../../ui/saveFile';
import { useSnackbar } from '../../ui/useSnackbar';
import { Button } from '../Button';
import { zipFailedText, zipStartedText } from '../downloads/zips';
import { ModalSheet } from '../ModalSheet';
import actions from '../results/ActionSheet.module.css';
import { SegmentedControl } from '../SegmentedControl';
import { useSlow } from '../search/SearchProgress';
import text from '../text.module.css';
import styles from './browsing.module.css';
import { type Everything, prepareEverything } from './everything';

function sizeText({ photos, bytes }: Everything): string {
  if (bytes === null) return plural(photos, { one: '# photo', other: '# photos' });
  const size = formatBytes(bytes);
  return plural(photos, { one: `# photo, ${size}`, other: `# photos, ${size}` });
}

function Preparing() {
  const slow = useSlow();
  return (
    <>
      <ProgressBar label={t`Getting your ZIP ready...`} />
      <span role="status">
        {slow ? t`This takes longer than usual. Please keep this page open.` : t`Getting your ZIP ready...`}
      </span>
    </>
  );
}

/** All photos of the event, or of an album, as one ZIP: how many they are, how much that is, and the button that saves it. */
export default function DownloadAll({
  slug,
  album,
  counts,
  onClose,
}: {
  slug: string;
  /** The id of the album; null for all photos. */
  album: string | null;
  /** How many photos and moments there are, where some photos are alike. */
  counts: { photos: number; moments: number } | null;
  onClose: () => void;
}) {
  const show = useSnackbar();
  const [onlyBest, setOnlyBest] = useState(counts !== null);
  const [attempt, setAttempt] = useState(1);
  const [outcome, setOutcome] = useState<Everything | { failure: string } | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const prepare = async () => {
      try {
        const made = await prepareEverything(slug, album, onlyBest, controller.signal);
        if (!controller.signal.aborted) setOutcome(made);
      } catch (error) {
        if (!controller.signal.aborted) setOutcome({ failure: zipFailedText(error) });
      }
    };
    void prepare();
    return () => controller.abort();
  }, [slug, album, onlyBest, attempt]);
  const failure = outcome !== null && 'failure' in outcome ? outcome.failure : null;
  const ready = outcome !== null && 'token' in outcome ? outcome : null;
  return (
    <ModalSheet className={actions['actions'] ?? ''} aria-label={t`Download all`} onClose={onClose}>
      {counts !== null && (
        <SegmentedControl
          label={t`Which photos`}
          options={[
            { value: 'best', label: t`Best of each (${{ count: counts.moments }})` },
            { value: 'all', label: t`All (${{ count: counts.photos }})` },
          ]}
          value={onlyBest ? 'best' : 'all'}
          onChange={(which) => {
            setOutcome(null);
            setOnlyBest(which === 'best');
          }}
        />
      )}
      {failure === null ? (
        <div className={`${text['subtitle']} ${styles['prepared']}`}>
          {ready === null ? <Preparing /> : <span role="status">{sizeText(ready)}</span>}
        </div>
      ) : (
        <Alert tone="warning">{failure}</Alert>
      )}
      {failure === null ? (
        <Button
          look="filled"
          disabled={ready === null}
          onClick={() => {
            if (ready === null) return;
            saveFile(zipPath(ready.token), '');
            show({ tone: 'success', text: zipStartedText(ready.photos, ready.bytes) });
            onClose();
          }}
        >
          {t`Download all as one ZIP`}
        </Button>
      ) : (
        <Button
          look="outlined"
          onClick={() => {
            setOutcome(null);
            setAttempt(attempt + 1);
          }}
        >
          {t`Try again`}
        </Button>
      )}
      <Button onClick={onClose}>{t`Cancel`}</Button>
    </ModalSheet>
  );
}
