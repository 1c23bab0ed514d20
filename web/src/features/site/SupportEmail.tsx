import Link from '@mui/material/Link';
import { useSiteFacts } from './siteFacts';

/** Where to write to: the address of the running server. */
export function SupportEmail() {
  const facts = useSiteFacts();
  if (facts === null) return <span aria-busy="true">our support address</span>;
  return (
    <Link href={`mailto:${facts.supportEmail}`} sx={{ overflowWrap: 'anywhere' }}>
      {facts.supportEmail}
    </Link>
  );
}
