/* eslint-disable lingui/no-unlocalized-strings -- there is no catalogue */
import { Alert } from './Alert';
import styles from './UnloadedPage.module.css';

/**
 * Stands in for a page, with a way back. By default for one of which no catalogue of messages could be loaded: that is in
 * English, and has all that it needs in its own code.
 */
export const UnloadedPage = ({
  text = 'The page could not be loaded over this connection.',
  again = 'Try again',
}) => (
  <main className={styles['page']}>
    <Alert tone="warning">{text}</Alert>
    <button type="button" className={styles['again']} onClick={() => window.location.reload()}>
      {again}
    </button>
  </main>
);
