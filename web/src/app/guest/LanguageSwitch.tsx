import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Icon } from '../../shared/components/Icon';
import { useSnackbar } from '../../shared/components/useSnackbar';
import { languages } from '../../shared/i18n/languages';
import { chooseLanguage } from './language';
import styles from './LanguageSwitch.module.css';

/** The languages of the page, each by its own name. */
export function LanguageSwitch({ onChange }: { onChange: (tag: string) => void }) {
  const show = useSnackbar();
  const choose = async (tag: string) => {
    try {
      await chooseLanguage(tag);
      onChange(tag);
    } catch {
      show({ tone: 'error', text: t`The language could not be loaded. Please try again.` });
    }
  };
  return (
    <label className={styles['switch']}>
      <Icon name="globe" />
      <span aria-hidden="true">{languages.find(({ tag }) => tag === i18n.locale)?.name}</span>
      <select
        aria-label={t`Language`}
        value={i18n.locale}
        onChange={({ target }) => void choose(target.value)}
      >
        {languages.map(({ tag, name }) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
