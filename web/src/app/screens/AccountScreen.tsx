import { t } from '@lingui/core/macro';
import AccountPage from '../../features/accounts/AccountPage';
import { ApiTokensCard } from '../../features/accounts/ApiTokensCard';
import { DeletionReceiptsCard } from '../../features/accounts/DeletionReceiptsCard';
import { ExportCard } from '../../features/accounts/ExportCard';
import { LanguageCard } from '../../features/accounts/LanguageCard';
import { PasskeysCard } from '../../features/accounts/PasskeysCard';
import { SecondFactorCard } from '../../features/accounts/SecondFactorCard';
import { SessionsCard } from '../../features/accounts/SessionsCard';
import { StudioCard } from '../../features/accounts/StudioCard';
import { WatermarkCard } from '../../features/accounts/WatermarkCard';
import { WeeklySummaryCard } from '../../features/accounts/WeeklySummaryCard';
import { adminLanguages, chooseSectionLanguage } from '../language';

export default function AccountScreen() {
  return (
    <AccountPage
      groups={[
        {
          title: t`Studio`,
          cards: (
            <>
              <StudioCard />
              <WatermarkCard />
            </>
          ),
        },
        {
          title: t`Language and mail`,
          cards: (
            <>
              <LanguageCard languages={adminLanguages} choose={chooseSectionLanguage('admin')} />
              <WeeklySummaryCard />
            </>
          ),
        },
        {
          title: t`Security`,
          cards: (
            <>
              <SecondFactorCard />
              <PasskeysCard />
              <SessionsCard />
              <ApiTokensCard />
            </>
          ),
        },
        {
          title: t`Data`,
          cards: (
            <>
              <ExportCard />
              <DeletionReceiptsCard />
            </>
          ),
        },
      ]}
    />
  );
}
