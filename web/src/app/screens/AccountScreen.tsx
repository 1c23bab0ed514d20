import { t } from '@lingui/core/macro';
import AccountPage from '../../studio/account/AccountPage';
import { ApiTokensCard } from '../../studio/account/ApiTokensCard';
import { BillingCard } from '../../studio/account/BillingCard';
import { DeletionReceiptsCard } from '../../studio/account/DeletionReceiptsCard';
import { ExportCard } from '../../studio/account/ExportCard';
import { HostCard } from '../../studio/account/HostCard';
import { LanguageCard } from '../../studio/account/LanguageCard';
import { PasskeysCard } from '../../studio/account/PasskeysCard';
import { SecondFactorCard } from '../../studio/account/SecondFactorCard';
import { SessionsCard } from '../../studio/account/SessionsCard';
import { SingleSignOnCard } from '../../studio/account/SingleSignOnCard';
import { StudioCard } from '../../studio/account/StudioCard';
import { WatermarkCard } from '../../studio/account/WatermarkCard';
import { WebhooksCard } from '../../studio/account/WebhooksCard';
import { WeeklySummaryCard } from '../../studio/account/WeeklySummaryCard';
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
              <HostCard />
              <BillingCard />
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
              <SingleSignOnCard />
              <SecondFactorCard />
              <PasskeysCard />
              <SessionsCard />
              <ApiTokensCard />
              <WebhooksCard />
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
