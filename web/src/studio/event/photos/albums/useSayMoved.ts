import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { errorMessage } from '../../../../platform/api/errors';
import { useSnackbar } from '../../../../ui/useSnackbar';
import { photoListsKey } from '../photos';

/** Says that photos of an event were put into albums or taken out, with the way back, and loads the lists again. */
export function useSayMoved(eventId: string) {
  const client = useQueryClient();
  const show = useSnackbar();
  const refresh = () => void client.invalidateQueries({ queryKey: photoListsKey(eventId) });
  const run = async (undo: () => Promise<unknown>) => {
    try {
      await undo();
      show({ tone: 'success', text: t`The albums are as they were.` });
    } catch (error) {
      show({ tone: 'error', text: errorMessage(error, t`The change could not be saved. Please try again.`) });
    }
    refresh();
  };
  return (text: string, undo: () => Promise<unknown>) => {
    show({ tone: 'success', text, action: { label: t`Undo`, run: () => void run(undo) } });
    refresh();
  };
}
