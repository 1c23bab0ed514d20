import { OverviewPage } from '../../studio/overview/OverviewPage';
import { AddCreditsPanel } from '../../studio/payments/AddCreditsPanel';
import { UpgradeToPremium } from '../../studio/payments/UpgradeToPremium';

export default function OverviewScreen() {
  return <OverviewPage upgrade={<UpgradeToPremium />} addCredits={<AddCreditsPanel />} />;
}
