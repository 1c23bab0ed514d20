import { t } from '@lingui/core/macro';
import { Alert } from '../../ui/Alert';
import { Icon } from '../../ui/Icon';
import { isTouchDevice } from '../../ui/isTouchDevice';
import type { PublicEvent } from '../../platform/api/types';
import type { BrowsingView } from '../browsing/AllPhotos';
import { Button } from '../Button';
import { Imported } from '../Imported';
import { IndexingProgress } from '../IndexingProgress';
import type { InAppBrowser } from '../downloads/inAppBrowsers';
import { translated } from '../downloads/translated';
import type { Access } from '../pin/access';
import type { Indexing } from '../search/matches';
import text from '../text.module.css';
import { ViewTitle } from '../ViewTitle';
import { type CameraFailure, cameraFailureText } from './cameraFailures';
import { PhotoPicker } from './PhotoPicker';
import { privacyNoticeText } from './privacyNotice';
import styles from './StartSheet.module.css';

const importOtherWays = () => import('./OtherWays');
const importEarly = async () => (await import('../subscriptions/start')).importEarly();

/** The sheet before the camera opens: instructions, indexing progress and privacy notice. */
export function StartSheet({
  slug,
  event,
  adds,
  tells,
  titleId,
  adding,
  indexing,
  cameraFailure,
  opening,
  inApp,
  onBrowse,
  onOpenCamera,
  onPick,
  onBack,
}: {
  slug: string;
  event: PublicEvent;
  /** What proves that the guest knows the event's PIN; undefined where guests may add no photos. */
  adds: Access | undefined;
  /** Whether guests can be told of photos that come later. */
  tells: boolean;
  titleId: string;
  /** The selfie is added to the previous ones. */
  adding: boolean;
  indexing: Indexing;
  cameraFailure: CameraFailure | null;
  opening: boolean;
  /** The in-app browser of this page; null in a browser of its own. */
  inApp: InAppBrowser | null;
  /** Shows all photos; undefined where guests see only those that they are in. */
  onBrowse: ((view: BrowsingView) => void) | undefined;
  onOpenCamera: () => void;
  onPick: (file: File) => void;
  /** Shows the last results again; undefined if there are none. */
  onBack: (() => void) | undefined;
}) {
  const ready = indexing.total > 0;
  return (
    <>
      <ViewTitle id={titleId} large>
        {t`Find Your Photos`}
      </ViewTitle>
      {/* Hidden when the camera failed, so that its message and both actions fit. */}
      {(adding || cameraFailure === null) && (
        <p className={`${text['subtitle']} ${styles['explanation']}`}>
          {adding ? (
            t`Another selfie, from another side or in other light, finds more.`
          ) : (
            <>
              {t`Take a selfie.`}
              {ready && (
                <>
                  <br />
                  {t`Every photo you’re in, in seconds.`}
                </>
              )}
            </>
          )}
        </p>
      )}
      <div className={styles['photos']}>
        {ready ? (
          <IndexingProgress indexing={indexing} />
        ) : (
          <div className={styles['early']}>
            <Imported from={importEarly} props={{ slug, tells }} />
          </div>
        )}
      </div>
      <div className={styles['privacy']}>
        <Icon name="lock" />
        <span>
          {privacyNoticeText()} <a href="/privacy">{t`Privacy`}</a>
        </span>
      </div>
      {inApp !== null && (
        <p className={`${text['small']} ${styles['inApp']}`}>
          {t`You are in the browser inside ${{ app: translated(inApp.name) }}. Finding your photos works here; to save them, it shows you the way to your own browser.`}
        </p>
      )}
      {cameraFailure !== null && (
        <div className={styles['failure']}>
          <Alert tone="warning">{cameraFailureText(cameraFailure)}</Alert>
        </div>
      )}
      <div className={styles['action']}>
        {cameraFailure === null ? (
          <Button look="filled" size="large" disabled={opening} onClick={onOpenCamera}>
            <Icon name="camera" size={24} />
            {t`Open camera`}
          </Button>
        ) : (
          <PhotoPicker look="big" capture onPick={onPick}>
            <Icon name="camera" size={24} />
            {isTouchDevice() ? t`Take a selfie` : t`Choose a photo`}
          </PhotoPicker>
        )}
      </div>
      <div className={styles['other']}>
        {t`or`}
        <PhotoPicker look="link" onPick={onPick}>
          {t`upload a photo`}
        </PhotoPicker>
      </div>
      {/* Their places are kept, as OtherWays keeps that of each, so that nothing moves when they come; the server
          knows these heights too (`api/events/opening.rs`). */}
      <div
        style={{
          minHeight:
            66 +
            (onBrowse === undefined ? 0 : 44) +
            (event.complete === true || event.coming_until != null ? 32 : 0) +
            (adds === undefined ? 0 : 44),
        }}
      >
        <Imported from={importOtherWays} props={{ slug, event, adds, onBrowse }} />
      </div>
      {onBack !== undefined && (
        <div className={styles['back']}>
          <Button onClick={onBack}>{t`Back to your photos`}</Button>
        </div>
      )}
    </>
  );
}
