import { EventRegistrationPage } from '../../studio/events/EventRegistrationPage';
import { UpgradeToPremium } from '../../studio/payments/UpgradeToPremium';

export default function EventRegistrationScreen() {
  return <EventRegistrationPage renderUpgrade={(onPaid) => <UpgradeToPremium onPaid={onPaid} />} />;
}
