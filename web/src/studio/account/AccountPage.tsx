import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Navigate } from 'react-router';
import { ApiError } from '../../platform/api/errors';
import type { User } from '../../platform/api/types';
import { Alert } from '../../ui/Alert';
import { Page, PageHeader } from '../../ui/Page';
import { useSession } from '../../platform/session/session';
import { storedUser } from '../../platform/storage/storage';
import { meQuery } from './account';
import { DeleteAccount } from './DeleteAccount';
import { EmailCard } from './EmailCard';
import { NameCard } from './NameCard';
import { PasswordCard } from './PasswordCard';

const cacheUser = (user: User) =>
  void storedUser.write({ ...user, pending_email: user.pending_email ?? null });

interface CardGroup {
  title: string;
  cards: ReactNode;
}

/** The name, the address and the password of a photographer, and then what else they can set, in groups. */
export default function AccountPage({ groups = [] }: { groups?: readonly CardGroup[] }) {
  const { token, user } = useSession();
  const me = useQuery({ ...meQuery(), enabled: token !== null && user !== null });
  const fresh = me.data?.user;
  useEffect(() => {
    if (fresh !== undefined) cacheUser(fresh);
  }, [fresh]);

  if (token === null || user === null) return <Navigate to="/login" replace />;
  const failed = me.isError && !(me.error instanceof ApiError && me.error.status === 401);
  return (
    <Page width={720}>
      <PageHeader title={t`Profile Settings`} />
      <Box sx={{ display: 'grid', gap: 4 }}>
        {me.isPending && (
          <Typography variant="body2" color="textSecondary" role="status">
            {t`Loading...`}
          </Typography>
        )}
        {failed && <Alert tone="error">{t`Failed to load user data`}</Alert>}
        <NameCard name={user.name} onSaved={cacheUser} />
        <EmailCard
          email={user.email}
          pending={user.pending_email ?? null}
          needsAgreement={user.pending_email_needs_agreement ?? false}
          onSaved={cacheUser}
        />
        <PasswordCard />
      </Box>
      {groups.map(({ title, cards }) => (
        <Box key={title} sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4, mt: 10 }}>
          <Typography variant="h2">{title}</Typography>
          {cards}
        </Box>
      ))}
      <DeleteAccount />
    </Page>
  );
}
