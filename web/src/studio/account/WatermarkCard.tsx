import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Watermark } from '../../platform/api/types';
import { Alert } from '../../ui/Alert';
import { studioQuery } from '../shared/brand/studio';
import { watermarkQuery } from '../shared/brand/watermark';
import { SettingCard, useSavedMessage } from './SettingCard';
import { WatermarkForm } from './WatermarkForm';

/** The watermark on a picture that shows nobody, as the server draws it. */
function Sample({ url }: { url: string }) {
  return (
    <Box
      component="img"
      src={url}
      width={1200}
      height={630}
      alt={t`A picture with the watermark`}
      sx={{ display: 'block', width: '100%', maxWidth: 560, height: 'auto', mt: 3, borderRadius: '10px' }}
    />
  );
}

/** What guests see on photos; it belongs to the studio, without which there is no card. */
export function WatermarkCard() {
  const client = useQueryClient();
  const studio = useQuery(studioQuery()).data?.studio ?? null;
  const query = watermarkQuery();
  const loaded = useQuery({ ...query, enabled: studio !== null });
  const [editing, setEditing] = useState(false);
  const [saved, setSaved] = useSavedMessage();
  if (studio === null) return null;
  const watermark = loaded.data?.watermark ?? null;
  const keep = (watermark: Watermark | null, message: string) => {
    client.setQueryData(query.queryKey, { watermark });
    setEditing(false);
    setSaved(message);
  };
  const note = () => {
    if (loaded.isError) return <Alert tone="error">{loaded.error.message}</Alert>;
    if (loaded.isPending) return t`Loading...`;
    return (
      <>
        {t`On the photos that guests look at, in all your events. Originals and small pictures never have it, and you see your photos without it.`}
        {watermark !== null && !editing && <Sample url={watermark.sample_url} />}
      </>
    );
  };
  return (
    <SettingCard
      title={t`Watermark`}
      value={watermark === null ? undefined : (watermark.text ?? t`The logo of your studio`)}
      note={note()}
      toggleLabel={watermark === null ? t`Set up watermark` : t`Edit watermark`}
      editing={editing && loaded.isSuccess}
      saved={saved}
      onToggle={() => {
        // The form opens as soon as what it shows is there.
        setEditing(!editing);
        if (loaded.isError) void loaded.refetch();
      }}
    >
      <WatermarkForm
        watermark={watermark}
        studio={studio}
        onSaved={(watermark) => keep(watermark, t`Watermark saved.`)}
        onRemoved={() => keep(null, t`Watermark removed.`)}
      />
    </SettingCard>
  );
}
