import { t } from '@lingui/core/macro';
import { useId } from 'react';
import { PinEntry } from '../pin/PinEntry';
import { enterClientPin } from './calls';

/** The form in which a client enters the PIN of a selection. */
export function PinForm({ secret, onOpen }: { secret: string; onOpen: () => void }) {
  return (
    <PinEntry
      titleId={useId()}
      hint={t`Your photographer has given it to you with the link.`}
      onEnter={async (digits) => {
        await enterClientPin(secret, digits);
        onOpen();
      }}
    />
  );
}
