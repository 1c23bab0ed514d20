import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { useEffect, useEffectEvent, useRef } from 'react';
import { english, type Language, languages } from '../platform/i18n/languages';
import { Icon } from './Icon';
import styles from './LanguageSwitch.module.css';
import { useSnackbar } from './useSnackbar';

/** The languages of the page, each by its own name. */
export function LanguageSwitch({
  choose,
  onChange,
}: {
  /** Changes the language of the page; rejects if it cannot be loaded. */
  choose: (language: Language) => Promise<void>;
  onChange?: (tag: string) => void;
}) {
  const show = useSnackbar();
  const change = async (tag: string) => {
    try {
      await choose(languages.find((each) => each.tag === tag) ?? english);
      onChange?.(tag);
    } catch {
      show({ tone: 'error', text: t`The language could not be loaded. Please try again.` });
    }
  };
  const select = useRef<HTMLSelectElement>(null);
  // In a prerendered page it can be used before the scripts are there.
  const takeOver = useEffectEvent(() => {
    const tag = select.current?.value ?? '';
    if (tag !== i18n.locale) void change(tag);
  });
  useEffect(() => takeOver(), []);
  return (
    <label className={styles['switch']}>
      <Icon name="globe" />
      <span aria-hidden="true">{languages.find(({ tag }) => tag === i18n.locale)?.name}</span>
      <select
        ref={select}
        // What a browser filled in again when somebody comes back would be taken for a choice.
        autoComplete="off"
        aria-label={t`Language`}
        value={i18n.locale}
        onChange={({ target }) => void change(target.value)}
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
