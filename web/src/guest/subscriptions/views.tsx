import { Imported } from '../Imported';

const importTellMe = async () => (await import('./start')).importTellMe();

/** The offer to be told of new photos, where the search can be made a subscription. */
export const TellMe = ({ token }: { token: string | null | undefined }) =>
  token == null ? null : <Imported from={importTellMe} props={{ token }} />;
