import { t } from '@lingui/core/macro';
import Link from '@mui/material/Link';
import { useSiteInfo } from './siteInfo';

/** The support address of the server, as a link. */
export function SupportEmail() {
  const siteInfo = useSiteInfo();
  if (siteInfo === null) return <span aria-busy="true">{t`our support address`}</span>;
  return (
    <Link href={`mailto:${siteInfo.supportEmail}`} sx={{ overflowWrap: 'anywhere' }}>
      {siteInfo.supportEmail}
    </Link>
  );
}
