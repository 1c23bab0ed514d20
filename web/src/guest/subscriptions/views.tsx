import { Imported } from '../Imported';
import type { MailedLink } from './mailedLink';

const importTellMe = async () => (await import('./start')).importTellMe();
const importPage = async () => (await import('./start')).importMailedLinkPage();

/** The offer to be told of new photos, where the search can be made a subscription. */
export const TellMe = ({ token }: { token: string | null | undefined }) =>
  token == null ? null : <Imported from={importTellMe} props={{ token }} />;

/** The page of a mailed link. */
export const MailedLinkView = (props: { slug: string; link: MailedLink }) => (
  <Imported from={importPage} props={props} />
);
