import type { PublicEvent } from '../../platform/api/types';
import { useBarTone } from '../../ui/barTone';
import { useDocumentTitle } from '../../ui/useDocumentTitle';
import { Cover } from '../Cover';
import { Imported } from '../Imported';
import { SplitLayout } from '../SplitLayout';

const importForm = async () => (await import('./start')).importPinForm();

/** The page of an event whose PIN this device has not entered: what the event is called, and the form. */
export function PinView({
  event,
  slug,
  pin,
  entering,
  onOpen,
}: {
  event: PublicEvent;
  slug: string;
  /** The PIN of the link, which is entered at once. */
  pin: string | null;
  /** Whether it is being found out if the photographer may enter without it. */
  entering: boolean;
  /** The event asks for no PIN any more. */
  onOpen: () => void;
}) {
  useDocumentTitle(event.name);
  useBarTone('sky');
  // What the event is about is for those who have the PIN.
  const cover = <Cover event={{ ...event, description: null }} />;
  return (
    <SplitLayout labelledBy="enter-pin" busy={entering} image={cover}>
      {!entering && <Imported from={importForm} props={{ slug, pin, titleId: 'enter-pin', onOpen }} />}
    </SplitLayout>
  );
}
