import { t } from '@lingui/core/macro';
import { type ComponentType, useEffect, useReducer } from 'react';
import { useLazyComponent } from '../ui/useLazyComponent';
import { Button } from './Button';

/** Imports a component at once. While it is not there it shows nothing, and a button after a failure. */
export function Imported<Props extends object>({
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
