import { t } from '@lingui/core/macro';
import { SegmentedControl } from '../SegmentedControl';
import type { Strictness } from './search';

/** The strictness of the search, presented as the number of photos it shows. */
export const StrictnessSwitch = (props: {
  value: Strictness;
  onChange: (strictness: Strictness) => void;
}) => (
  <SegmentedControl
    {...props}
    label={t`Show more / fewer photos`}
    options={[
      { value: 'strict', label: t`Show fewer` },
      { value: 'normal', label: t`Normal` },
      { value: 'loose', label: t`Show more` },
    ]}
  />
);
