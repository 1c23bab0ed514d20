import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { sameOrigin } from '../../platform/api/links';
import { Icon } from '../../ui/Icon';
import { Button } from '../Button';
import { ModalSheet } from '../ModalSheet';
import text from '../text.module.css';
import { ViewTitle } from '../ViewTitle';
import { exitLink, type InAppBrowser } from './inAppBrowsers';
import { translated } from './translated';
import styles from './WayOut.module.css';

/** Copies a link; where the app forbids that, it is shown to be copied by hand. */
function CopyLink({ link }: { link: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setState('copied');
    } catch {
      setState('failed');
    }
  };
  return (
    <>
      <Button look="outlined" size="large" onClick={() => void copy()}>
        <Icon name="copy" />
        {t`Copy link`}
      </Button>
      <p className={text['small']} role="status">
        {state === 'copied' && t`Copied. Paste it into the address bar of your browser.`}
        {state === 'failed' && t`Press and hold the link to copy it:`}
      </p>
      {state === 'failed' && (
        <input className={styles['link']} aria-label={t`Link to your photos`} readOnly value={link} />
      )}
    </>
  );
}

/**
 * In-app browsers save no files: the way to a browser that does, where a link opens the same results again. The photo
 * itself can be pressed and held as the last resort.
 */
export default function WayOut({
  browser,
  photo,
  resultsLink,
  onSend,
  onClose,
}: {
  browser: InAppBrowser;
  /** The photo that was to be saved; null for all. */
  photo: { url: string; alt: string } | null;
  /** The address of these results in another browser. */
  resultsLink: string;
  /** Lets this browser try to save the photo. */
  onSend: () => void;
  onClose: () => void;
}) {
  const exit = exitLink(browser, resultsLink);
  return (
    <ModalSheet aria-labelledby="way-out" onClose={onClose}>
      <ViewTitle id="way-out">{t`Save in your own browser`}</ViewTitle>
      <p className={text['subtitle']}>
        {t`The browser inside ${{ app: translated(browser.name) }} cannot save photos. Your results open again in Safari or Chrome, without another selfie.`}
      </p>
      {exit !== null && (
        <a className={styles['exit']} href={exit}>
          <Icon name="share" />
          {t`Open in my browser`}
        </a>
      )}
      {browser.menu !== '' && <p className={text['small']}>{translated(browser.menu)}</p>}
      <CopyLink link={resultsLink} />
      {photo !== null && (
        <figure className={styles['photo']}>
          <figcaption className={text['small']}>{t`Or press and hold the photo to save it:`}</figcaption>
          <img src={sameOrigin(photo.url)} alt={photo.alt} />
          <Button onClick={onSend}>{t`Try to save it here`}</Button>
        </figure>
      )}
      <Button onClick={onClose}>{t`Close`}</Button>
    </ModalSheet>
  );
}
