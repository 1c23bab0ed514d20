import { t } from '@lingui/core/macro';
import { openAccess } from './access';
import { enterPin } from './enter';
import { PinEntry } from './PinEntry';

/** The form in which a guest enters the PIN of an event. */
export default function PinForm({
  slug,
  pin,
  titleId,
  onOpen,
}: {
  slug: string;
  /** The PIN of the link, which is entered at once. */
  pin: string | null;
  titleId: string;
  /** The event asks for no PIN any more. */
  onOpen: () => void;
}) {
  return (
    <PinEntry
      titleId={titleId}
      hint={t`The photos of this event have a PIN. It is where you found the link, or your hosts know it.`}
      linked={pin}
      onEnter={async (digits) => {
        const proof = await enterPin(slug, digits);
        if (proof === null) onOpen();
        openAccess(slug, proof);
      }}
    />
  );
}
