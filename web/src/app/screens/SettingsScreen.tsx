import { SettingsPage } from '../../studio/event/settings/SettingsPage';
import { PeopleSwitch } from '../../studio/event/people/PeopleSwitch';
import { EventTeam } from '../../studio/event/team/EventTeam';

export default function SettingsScreen() {
  return <SettingsPage team={<EventTeam />} people={<PeopleSwitch />} />;
}
