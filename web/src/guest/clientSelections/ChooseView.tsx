import { plural, t } from '@lingui/core/macro';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { formatCount, formatLongDate } from '../../platform/formats';
import { Alert } from '../../ui/Alert';
import { Icon } from '../../ui/Icon';
import { ProgressBar } from '../../ui/ProgressBar';
import { useSnackbar } from '../../ui/useSnackbar';
import { useSnackbarAbove } from '../../ui/useSnackbarAbove';
import { useStacks } from '../../ui/useStacks';
import { Button } from '../Button';
import text from '../text.module.css';
import { ViewTitle } from '../ViewTitle';
import type { Choosing, Opened } from './calls';
import { ChoosingList } from './ChoosingList';
import { Column, Waiting } from './Column';
import { DoneSheet } from './DoneSheet';
import { saverOf } from './savers';
import styles from './selection.module.css';
import { useClientPhotos } from './useClientPhotos';

/** How far from the window more photos are loaded, in px. */
const ahead = 1500;
/** Photos before the last one that is loaded at which the viewer has more of them loaded. */
const nearEnd = 10;

/** How long a link is good at least that does not say it, in milliseconds. */
const lifetime = 3_600_000;

/** Whether a link has run out, rather than that its image failed for another reason. */
function hasExpired(link: string, receivedAt: number): boolean {
  const seconds = Number(new URLSearchParams(link.split('?')[1]).get('expires') ?? NaN);
  return Date.now() > (Number.isFinite(seconds) ? seconds * 1000 : receivedAt + lifetime);
}

/** Calls `onNear` whenever its place comes near the window. */
function LoadingPlace({ onNear }: { onNear: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onNear();
      },
      { rootMargin: `${ahead}px` },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [onNear]);
  return <div ref={place} />;
}

function wishText({ photo_limit: limit, due_on: day }: Choosing): string {
  const wish =
    limit == null
      ? t`Choose the photos that you want.`
      : plural(limit, { one: 'Choose # photo.', other: 'Choose up to # photos.' });
  if (day == null) return wish;
  const date = formatLongDate(day);
  return t`${wish} You can choose until ${date}.`;
}

function countText(chosen: number, limit: number | null): string {
  const count = formatCount(chosen);
  if (limit === null) return plural(chosen, { one: '# chosen', other: '# chosen' });
  const most = formatCount(limit);
  return t`${count} of ${most} chosen`;
}

/** The photos of a selection, and what the client has chosen of them. */
export function ChooseView({
  secret,
  opened,
  choosing,
  onDone,
}: {
  secret: string;
  opened: Opened;
  choosing: Choosing;
  onDone: () => void;
}) {
  const show = useSnackbar();
  const buttons = useRef<HTMLDivElement>(null);
  useSnackbarAbove(buttons);
  const [saver] = useState(() => saverOf(secret));
  const { chosen, unsaved, failure } = useSyncExternalStore(saver.subscribe, saver.snapshot);
  useEffect(() => {
    saver.learnCount(choosing.chosen);
  }, [saver, choosing.chosen]);
  // After the count, which was asked for before what is saved now.
  useEffect(() => saver.unlock(), [saver]);
  useEffect(() => {
    saver.tellRefusals((refusal) => show({ tone: 'error', text: refusal }));
  }, [saver, show]);
  useEffect(() => {
    const retry = () => saver.retry();
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [saver]);
  useEffect(() => {
    if (unsaved === 0) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [unsaved]);
  const limit = choosing.photo_limit ?? null;
  const open = !choosing.is_done && !choosing.is_over;
  const [onlyChosen, setOnlyChosen] = useState(false);
  const list = useClientPhotos(secret, onlyChosen, saver);
  const { photos, next, loading, loadMore } = list;
  // What was chosen is shown photo by photo.
  const stacks = useStacks(photos, !onlyChosen);
  const shown = stacks.photos;
  const [stale, setStale] = useState(false);
  const [finishing, setFinishing] = useState(false);
  const empty = photos.length === 0;
  const choose = (id: string, wanted: boolean) => {
    if (wanted && limit !== null && chosen >= limit) {
      show({
        tone: 'error',
        text: t`You have chosen as many photos as you can. Take one back to choose another.`,
      });
      return;
    }
    saver.mark(id, { chosen: wanted });
  };
  return (
    <Column aria-busy={loading}>
      <div className={styles['header']}>
        <ViewTitle component="h1">{opened.event_name}</ViewTitle>
        <p className={text['small']}>
          <bdi>{[choosing.name, opened.studio?.name].filter(Boolean).join(' · ')}</bdi>
        </p>
        {open && <p className={text['subtitle']}>{wishText(choosing)}</p>}
        {choosing.is_done && (
          <Alert tone="success">
            {t`You are done, and your photographer has been told. To change something, ask them to reopen it.`}
          </Alert>
        )}
        {!choosing.is_done && choosing.is_over && (
          <Alert tone="warning">
            {t`The last day for choosing has passed. Please ask your photographer for more time.`}
          </Alert>
        )}
        {stale && (
          <div className={styles['notice']}>
            <Alert tone="warning">{t`The links to these photos have run out.`}</Alert>
            <Button
              look="outlined"
              size="pill"
              onClick={() => {
                setStale(false);
                list.reload();
              }}
            >
              <Icon name="refresh" size={16} />
              {t`Load the photos again`}
            </Button>
          </div>
        )}
      </div>
      <ChoosingList
        photos={shown}
        stacks={stacks}
        total={
          onlyChosen ? shown.length : Math.max(choosing.total - (photos.length - shown.length), shown.length)
        }
        open={open}
        markOf={(id) => saver.markOf(id)}
        onChoose={choose}
        onComment={(id, comment) => saver.mark(id, { comment })}
        behind={(id) => {
          const folded = photos.find((photo) => photo.photo_id === id);
          return folded && stacks.stackOf(folded)?.id;
        }}
        onFailed={(link) => {
          if (hasExpired(link, list.receivedAt)) setStale(true);
        }}
        onShow={(id) => {
          if (shown.findIndex((photo) => photo.photo_id === id) >= shown.length - nearEnd) loadMore();
        }}
      />
      {empty && loading && <Waiting />}
      {empty && !loading && list.failure === null && (
        <p className={text['subtitle']}>
          {onlyChosen
            ? t`You have chosen no photo yet.`
            : t`The photos are not here yet. Come back a little later.`}
        </p>
      )}
      {next !== null && !loading && list.failure === null && <LoadingPlace onNear={loadMore} />}
      <div className={styles['more']}>
        {list.failure !== null && (
          <>
            <Alert tone="warning">{list.failure}</Alert>
            <Button look="outlined" onClick={list.tryAgain}>
              <Icon name="refresh" />
              {t`Try again`}
            </Button>
          </>
        )}
        {loading && !empty && <ProgressBar label={t`Loading photos`} />}
      </div>
      <div className={styles['bar']} role="region" aria-label={t`Your choice`}>
        {failure !== null && unsaved > 0 && (
          <div className={styles['unsaved']} role="alert">
            <span>
              {plural(unsaved, {
                one: '# photo is not saved yet. It is tried again by itself.',
                other: '# photos are not saved yet. They are tried again by themselves.',
              })}
            </span>
            <Button look="outlined" size="pill" onClick={() => saver.retry()}>
              {t`Try again`}
            </Button>
          </div>
        )}
        <div ref={buttons} className={styles['row']}>
          <p className={styles['count']} role="status">
            {countText(chosen, limit)}
          </p>
          <Button
            look="outlined"
            size="pill"
            aria-pressed={onlyChosen}
            className={styles['filter'] ?? ''}
            onClick={() => setOnlyChosen(!onlyChosen)}
          >
            {t`Only chosen`}
          </Button>
          {open && (
            <Button
              look="filled"
              className={styles['done'] ?? ''}
              disabled={chosen === 0}
              aria-haspopup="dialog"
              onClick={() => setFinishing(true)}
            >
              {t({ context: 'verb', message: 'Done' })}
            </Button>
          )}
        </div>
      </div>
      {finishing && (
        <DoneSheet
          secret={secret}
          chosen={chosen}
          saving={unsaved > 0}
          onDone={() => {
            setFinishing(false);
            onDone();
          }}
          onClose={() => setFinishing(false)}
        />
      )}
    </Column>
  );
}
