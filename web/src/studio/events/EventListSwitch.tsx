import { t } from '@lingui/core/macro';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { formatCount } from '../../platform/formats';

/** Whether the photographer's own events are shown or those that are shared with them. */
export function EventListSwitch({
  shared,
  sharedCount,
  onChange,
}: {
  shared: boolean;
  sharedCount: number;
  onChange: (shared: boolean) => void;
}) {
  return (
    <ToggleButtonGroup
      exclusive
      aria-label={t`Which events are shown`}
      value={shared}
      sx={{ mb: 5 }}
      onChange={(_, next: boolean | null) => onChange(next ?? shared)}
    >
      <ToggleButton value={false}>{t`Your events`}</ToggleButton>
      <ToggleButton value={true}>{t`Shared with you (${{ count: formatCount(sharedCount) }})`}</ToggleButton>
    </ToggleButtonGroup>
  );
}
