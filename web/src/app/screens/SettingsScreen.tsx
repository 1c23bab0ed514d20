import { SettingsPage } from '../../features/events/settings/SettingsPage';
import { PeopleSwitch } from '../../features/photos/people/PeopleSwitch';
import { EventTeam } from '../../features/team/EventTeam';

export default function SettingsScreen() {
  return <SettingsPage team={<EventTeam />} people={<PeopleSwitch />} />;
}
