import { OverviewPage } from '../../features/overview/OverviewPage';
import { AddCreditsPanel } from '../../features/payments/AddCreditsPanel';
import { UpgradeToPremium } from '../../features/payments/UpgradeToPremium';

export default function OverviewScreen() {
  return <OverviewPage upgrade={<UpgradeToPremium />} addCredits={<AddCreditsPanel />} />;
}
