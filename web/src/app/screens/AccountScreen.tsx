import AccountPage from '../../features/accounts/AccountPage';
import { LanguageCard } from '../../features/accounts/LanguageCard';
import { adminLanguages, chooseSectionLanguage } from '../language';

export default function AccountScreen() {
  return (
    <AccountPage
      languageCard={<LanguageCard languages={adminLanguages} choose={chooseSectionLanguage('admin')} />}
    />
  );
}
