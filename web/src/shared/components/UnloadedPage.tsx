/* eslint-disable lingui/no-unlocalized-strings -- there is no catalogue */
import { Alert } from './Alert';
import styles from './UnloadedPage.module.css';

/** Shown when no catalogue of messages could be loaded. So it is in English, and has all that it needs in its own code. */
export const UnloadedPage = () => (
  <main className={styles['page']}>
    <Alert tone="warning">The page could not be loaded over this connection.</Alert>
    <button type="button" className={styles['again']} onClick={() => window.location.reload()}>
      Try again
    </button>
  </main>
);
