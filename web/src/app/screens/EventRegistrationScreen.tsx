import { EventRegistrationPage } from '../../features/events/EventRegistrationPage';
import { UpgradeToPremium } from '../../features/payments/UpgradeToPremium';

export default function EventRegistrationScreen() {
  return <EventRegistrationPage renderUpgrade={(onPaid) => <UpgradeToPremium onPaid={onPaid} />} />;
}
