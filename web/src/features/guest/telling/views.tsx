import { t } from '@lingui/core/macro';
import { type ComponentType, useEffect, useReducer } from 'react';
import { useLazyComponent } from '../../../shared/components/useLazyComponent';
import { Button } from '../Button';
import type { MailedLink } from './mailedLink';

/** Imports a component at once. While it is not there it shows nothing, and a button after a failure. */
function Imported<Props extends object>({
  from,
  props,
}: {
  from: () => Promise<{ default: ComponentType<Props> }>;
  props: Props;
}) {
  const { Component, load } = useLazyComponent(from);
  const [failed, fail] = useReducer((_: boolean, now: boolean) => now, false);
  const start = () => {
    fail(false);
    load().catch(() => fail(true));
  };
  // eslint-disable-next-line react-hooks/exhaustive-deps -- once; the button does it again
  useEffect(start, []);
  if (Component !== null) return <Component {...props} />;
  return failed ? (
    <Button look="outlined" onClick={start}>
      {t`Try again`}
    </Button>
  ) : null;
}

const importTellMe = () => import('./TellMe');
const importPage = () => import('./MailedLinkPage');

/** The offer to be told of new photos, where the search can be made a subscription. */
export const TellMe = ({ token }: { token: string | null | undefined }) =>
  token == null ? null : <Imported from={importTellMe} props={{ token }} />;

/** The page of a mailed link. */
export const MailedLinkView = (props: { slug: string; link: MailedLink }) => (
  <Imported from={importPage} props={props} />
);
